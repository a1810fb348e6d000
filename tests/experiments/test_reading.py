"""Files of results: what is read, what is left out, what is refused and where."""

from dataclasses import replace

import pytest
from made_up import RUN, line, runs, shuffled

from experiments.ledger import opened
from experiments.reading import cells, read_results
from hypersage_dgl._utils import write_text


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table1.jsonl"


def packed(path):
    """The gzipped file that a plain one belongs to; lines in either count."""
    return path.with_name(f"{path.name}.gz")


@pytest.mark.parametrize("is_packed", [False, True])
def test_reads_what_was_written(path, is_packed):
    written = [
        RUN,
        replace(RUN, method="hypersage", p=0.01, alpha=5, connected_acc=None),
        replace(RUN, ratio=1 / 3, part="unseen", column="best"),
    ]
    write_text(packed(path) if is_packed else path, "".join(map(line, written)))
    assert read_results(packed(path)) == written


def test_what_does_not_apply_may_be_left_out(path):
    text = line(RUN)
    for name in ("p", "alpha", "ratio", "fold", "recipe", "train_acc"):
        text = text.replace(f'"{name}": null, ', "")
    assert "null" not in text
    path.write_text(text)
    assert read_results(packed(path)) == [RUN]


def test_no_line_is_no_result(path):
    path.write_text("")
    assert read_results(packed(path)) == []


def test_last_line_cut_off_anywhere_is_left_out(path):
    whole = line(RUN)
    for end in range(0, len(whole) - 1, 7):
        path.write_text(whole + line(replace(RUN, split=2))[:end])
        assert read_results(packed(path)) == [RUN]


def test_last_line_cut_off_inside_a_letter_is_left_out(path):
    path.write_bytes(line(RUN).encode() + '{"dataset": "é'.encode()[:-1])
    assert read_results(packed(path)) == [RUN]


def test_last_line_that_lacks_only_its_end_does_not_count_until_it_has_it(path):
    path.write_text(line(RUN) + line(replace(RUN, split=2)).rstrip("\n"))
    assert [r.split for r in read_results(packed(path))] == [1]
    path.write_text(path.read_text() + "\n")
    assert [r.split for r in read_results(packed(path))] == [1, 2]


def test_the_report_and_the_ledger_count_the_same_lines(path):
    whole = line(RUN) + line(replace(RUN, split=2))
    for end in (0, 1, len(line(RUN)) - 1, len(line(RUN)), len(whole) - 1, len(whole)):
        packed(path).unlink(missing_ok=True)
        path.write_text(whole[:end])
        counted = len(read_results(packed(path)))
        with opened(packed(path)) as ledger:
            assert len(ledger) == counted
        assert len(read_results(packed(path))) == counted


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (line(RUN)[:50] + "\n", "Unterminated|Expecting"),
        ("\n", "Expecting value"),
        ("[1, 2]\n", "type object"),
        (line(RUN, dataset="dbpl"), "dbpl"),
        (line(RUN, method="gat"), "gat"),
        (line(RUN, column="other"), "other"),
        (line(RUN, column="search"), "a run of the search"),
        (line(RUN, fold=1), "a run of the search"),
        (line(RUN, part="validation"), "a run of the search"),
        (line(RUN, part="train"), "train"),
        (line(RUN, split="1"), "integer"),
        (line(RUN, alpha=2.5), "integer"),
        (line(RUN, test_acc=None), "number"),
        (line(RUN, test_acc=60.43), "from 0 to 1"),
        (line(RUN, connected_acc=-0.1), "from 0 to 1"),
        (line(RUN, test_acc=float("nan")), "NaN"),
        (line(RUN, seconds=-1), "finite and non-negative"),
        (line(RUN, ratio=0), "above 0"),
        (line(RUN, p=1.0), "only hypersage has a p"),
        (line(RUN, threads=2), "threads"),
        (line(RUN).replace('"init": 0, ', ""), "init"),
    ],
)
def test_any_other_wrong_line_is_refused_with_its_place(path, wrong, reason):
    path.write_text(line(RUN) + wrong + line(RUN))
    with pytest.raises(ValueError, match=rf"table1.jsonl: line 2: .*({reason})"):
        read_results(packed(path))


def test_a_last_line_without_its_end_is_not_looked_at(path):
    path.write_text(line(RUN) + "killed")
    assert read_results(packed(path)) == [RUN]
    path.write_text(line(RUN) + "killed\n")
    with pytest.raises(ValueError, match="line 2"):
        read_results(packed(path))


def test_of_the_same_run_the_first_counts(path):
    again = replace(RUN, test_acc=0.1, connected_acc=None, seconds=9.0, command="other")
    other = replace(RUN, init=1)
    path.write_text(line(RUN) + line(again) + line(other))
    assert read_results(packed(path)) == [RUN, other]


@pytest.mark.parametrize(
    "change",
    [
        {"dataset": "pubmed"},
        {"method": "mlp"},
        {"method": "hypersage", "p": 2.0},
        {"alpha": 3},
        {"column": "best"},
        {"split": 2},
        {"init": 1},
        {"ratio": 0.5},
        {"part": "seen"},
    ],
)
def test_runs_that_differ_in_what_was_run_all_count(path, change):
    path.write_text(line(RUN) + line(RUN, **change))
    assert len(read_results(packed(path))) == 2


def test_cells_group_every_result_once_in_any_order():
    results = runs([0.1, 0.2, 0.3]) + runs([0.4, 0.5], method="hypersage", p=1.0)
    groups = cells(results, "method", "p")
    assert {key: len(group) for key, group in groups.items()} == {
        ("hgnn", None): 3,
        ("hypersage", 1.0): 2,
    }
    for seed in range(5):
        again = cells(shuffled(results, seed), "method", "p")
        assert list(again.items()) == list(groups.items())


@pytest.mark.parametrize("column", ["literal", "paper", "best"])
@pytest.mark.parametrize("change", [{}, {"split": 3}, {"alpha": 3}, {"ratio": 0.5}])
def test_a_cell_with_results_of_two_recipes_is_refused(path, column, change):
    same = runs([0.7, 0.8], column=column, method="hypersage", p=2.0, recipe="0a")
    path.write_text("".join(map(line, same)))
    assert read_results(packed(path)) == same
    path.write_text("".join(map(line, [*same, replace(same[0], recipe="0b", **change)])))
    message = rf"HyperSAGE \(p=2\) on dblp in column {column} has results of the recipes 0a, 0b,"
    with pytest.raises(ValueError, match=message):
        read_results(packed(path))


@pytest.mark.parametrize(
    "change", [{"dataset": "pubmed"}, {"method": "hgnn", "p": None}, {"p": 1.0}, {"column": "best"}]
)
def test_other_cells_may_have_other_recipes(path, change):
    results = runs([0.7, 0.8], method="hypersage", p=2.0, recipe="0a")
    results += [replace(run, recipe="0b", **change) for run in results]
    path.write_text("".join(map(line, results)))
    assert read_results(packed(path)) == results


def test_a_line_without_its_recipe_counts_but_the_same_run_not_twice(path):
    old = runs([0.7, 0.8])
    new = runs([0.6, 0.6, 0.6], recipe="0a")
    path.write_text("".join(map(line, old + new)))
    assert read_results(packed(path)) == [*old, new[2]]
