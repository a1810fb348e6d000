"""Numbers land in their cells, gaps show as dashes, and the order of the results is nothing."""

from dataclasses import replace

import pytest
from made_up import all_experiments, line, parsed, runs, shuffled

from experiments.pages import stability, table1, table2, table3
from experiments.reading import read_results

TABLES = [table1, table2, table3, stability]


@pytest.mark.parametrize("table", TABLES)
def test_the_order_of_the_lines_does_not_change_a_byte(table, tmp_path):
    results = all_experiments()
    texts = set()
    for seed in range(4):
        path = tmp_path / f"{seed}.jsonl"
        path.write_text("".join(map(line, shuffled(results, seed))))
        texts.add(table(read_results(f"{path}.gz")))
    assert texts == {table(results)}


@pytest.mark.parametrize("table", TABLES)
def test_no_results(table):
    assert table([]) == "No results yet.\n"


@pytest.mark.parametrize("table", TABLES)
def test_results_of_other_experiments_do_not_show(table):
    results = all_experiments()
    own = {
        table1: [r for r in results if (r.alpha, r.ratio, r.part) == (None, None, "test")],
        table2: [r for r in results if r.alpha],
        table3: [r for r in results if r.part in ("seen", "unseen")],
        stability: [r for r in results if r.ratio],
    }[table]
    assert 0 < len(own) < len(results)
    assert table(own) == table(results)


def test_table_1_has_our_number_above_the_papers():
    # Mean 70, sample standard deviation 2.
    full = [replace(r, init=i) for i in range(80) for r in runs([0.7])]
    full = [replace(r, test_acc=0.68 + 0.04 * (r.init % 2)) for r in full]
    all_nodes, connected, seconds = parsed(table1(full))
    assert all_nodes["HGNN"][0]["DBLP"] == "**70.0 ± 2.0**<br>(paper 69.2 ± 5.1)"
    assert all_nodes["HGNN"][0]["Cora (co-citation)"] == "-<br>(paper 70.0 ± 2.9)"
    assert connected["HGNN"][0] == {
        "DBLP": "**75.0 ± 0.0**",
        "Cora (co-authorship)": "-",
        "Pubmed": "-",
        "Citeseer": "-",
        "Cora (co-citation)": "-",
    }
    assert seconds["HGNN"][0]["recipe"] == "paper"
    assert seconds["HGNN"][0]["DBLP"] == "2.50"


def test_table_1_puts_every_number_of_the_paper_into_its_cell():
    variants = [("mlp+hlr", None), ("hypergcn", None), *(("hypersage", p) for p in (2, 1, 0.01))]
    results = [r for m, p in variants for r in runs([0.5], method=m, p=p, dataset="citeseer")]
    cells = parsed(table1(results))[0]
    printed = {name: row["Citeseer"].split("<br>")[1] for name, (row,) in cells.items()}
    assert printed == {
        "MLP + HLR": "(paper 56.1 ± 2.6)",
        "HyperGCN": "(paper 57.3 ± 7.3)",
        "HyperSAGE (p=0.01)": "(paper 61.3 ± 2.4)",
        "HyperSAGE (p=1)": "(paper 61.8 ± 2.3)",
        "HyperSAGE (p=2)": "(paper 59.8 ± 3.3)",
    }


@pytest.mark.parametrize(
    ("column", "count", "note"),
    [
        ("literal", 20, ""),
        ("literal", 19, ", 19 runs"),
        ("paper", 80, ""),
        ("paper", 20, ", 20 runs"),
        ("best", 3, ""),
    ],
)
def test_table_1_counts_the_runs_where_some_are_missing(column, count, note):
    results = runs([0.5] * count, column=column)
    cell = parsed(table1(results))[0]["HGNN"][0]["DBLP"]
    assert cell == f"**50.0 ± 0.0**{note}<br>(paper 69.2 ± 5.1)"


def test_a_searched_recipe_expects_what_most_cells_have():
    results = runs([0.5] * 4, column="best") + runs([0.4] * 3, column="best", method="mlp")
    cells = parsed(table1(results))[0]
    assert cells["MLP"][0]["DBLP"] == "40.0 ± 0.0, 3 runs"
    assert "runs" not in cells["HGNN"][0]["DBLP"]


def test_recipes_are_not_mixed():
    results = runs([0.2] * 2, column="literal") + runs([0.8] * 2, column="paper")
    text = table1(results)
    assert text.index("Recipe `literal`") < text.index("20.0") < text.index("Recipe `paper`")
    assert text.index("Recipe `paper`") < text.index("80.0")
    assert "50.0" not in text


def test_a_searched_hypersage_is_shown_by_its_name_alone():
    text = table1(runs([0.5, 0.6], column="best", method="hypersage"))
    cells = parsed(text)[0]
    assert cells["HyperSAGE"][0]["DBLP"] == "**55.0 ± 7.1**<br>(paper 77.4 ± 3.8)"
    assert "beside the best p of the paper" in text


def test_the_best_of_each_data_set_is_bold_and_ties_all_are():
    results = [
        *runs([0.7], method="hgnn"),
        *runs([0.7001], method="hypergcn"),
        *runs([0.6], method="mlp"),
        *runs([0.9], method="mlp", dataset="pubmed"),
    ]
    cells = parsed(table1(results))[0]
    bold = {
        (name, dataset)
        for name, (row,) in cells.items()
        for dataset, text in row.items()
        if text.startswith("**")
    }
    assert bold == {("HGNN", "DBLP"), ("HyperGCN", "DBLP"), ("MLP", "Pubmed")}


def test_runs_without_a_connected_node_are_left_out_of_that_mean():
    results = runs([0.5, 0.6, 0.7]) + runs([0.5], method="mlp", connected_acc=None)
    results[0] = replace(results[0], connected_acc=None)
    connected = parsed(table1(results))[1]
    assert connected["HGNN"][0]["DBLP"] == "**75.0 ± 0.0**, 2 runs"
    assert connected["MLP"][0]["DBLP"] == "-"


def test_rows_come_in_the_papers_order_and_by_rising_p():
    results = [
        *runs([0.5], method="hypersage", p=1.0),
        *runs([0.5], method="hypersage", p=-1.0),
        *runs([0.5], method="clique-sage"),
        *runs([0.5], method="hgnn"),
        *runs([0.5], method="mlp"),
    ]
    names = ["MLP", "HGNN", "Clique GraphSAGE", "HyperSAGE (p=-1)", "HyperSAGE (p=1)"]
    assert list(parsed(table1(results))[0]) == names


def test_table_2_is_a_grid_for_each_data_set_with_one_best():
    results = [
        *runs([0.6, 0.7], method="hypersage", p=0.01, alpha=2),
        *runs([0.8, 0.9], method="hypersage", p=1.0, alpha=10),
        *runs([0.8], method="hypersage", p=1.0, alpha=5, dataset="pubmed"),
    ]
    dblp, connected, pubmed, _ = parsed(table2(results))
    assert dblp["HyperSAGE (p=0.01)"] == [
        {
            "alpha = 2": "65.0 ± 7.1<br>(paper 61.2)",
            "alpha = 3": "-<br>(paper 64.8)",
            "alpha = 5": "-<br>(paper 73.1)",
            "alpha = 10": "-<br>(paper 77.4)",
        }
    ]
    assert dblp["HyperSAGE (p=1)"][0]["alpha = 10"] == "**85.0 ± 7.1**<br>(paper 77.2)"
    assert pubmed["HyperSAGE (p=1)"][0]["alpha = 5"] == "**80.0**<br>(paper 72.2)"
    assert connected["HyperSAGE (p=0.01)"][0] == {
        "alpha = 2": "**75.0 ± 0.0**",
        "alpha = 3": "-",
        "alpha = 5": "-",
        "alpha = 10": "-",
    }


def test_table_3_keeps_seen_and_unseen_apart():
    fields = {"method": "hypersage", "p": 2.0, "dataset": "pubmed"}
    results = runs([0.7, 0.8], part="seen", **fields) + runs([0.5, 0.6], part="unseen", **fields)
    results[0] = replace(results[0], connected_acc=None)
    (row,), (connected,) = (table["HyperSAGE (p=2)"] for table in parsed(table3(results)))
    assert row["Pubmed seen"] == "**75.0 ± 7.1**<br>(paper 71.2)"
    assert row["Pubmed unseen"] == "**55.0 ± 7.1**<br>(paper 69.8)"
    assert row["Cora (co-citation) unseen"] == "-<br>(paper 64.5)"
    assert not any(name.startswith("Cora (co-authorship)") for name in row)
    assert connected["Pubmed seen"] == "**75.0**, 1 run"
    assert connected["Pubmed unseen"] == "**75.0 ± 0.0**"
    assert connected["Cora (co-citation) unseen"] == "-"


@pytest.mark.parametrize("table", TABLES)
def test_every_second_table_says_that_it_is_of_nodes_in_a_hyperedge(table):
    captions = [text for text in table(all_experiments()).splitlines() if "Accuracy on" in text]
    assert captions
    assert ["in a hyperedge" in text for text in captions] == [False, True] * (len(captions) // 2)


def test_a_run_that_had_to_wait_does_not_change_the_seconds():
    quick = runs([0.5])[0]
    waited = replace(quick, init=2, seconds=1000.0)
    _, _, seconds = parsed(table1([quick, replace(quick, init=1), waited]))
    assert seconds["HGNN"][0]["DBLP"] == f"{quick.seconds:.2f}"


def test_the_seconds_are_said_to_be_no_benchmark():
    text = " ".join(table1(runs([0.5])).partition("### Seconds a run")[2].split())
    assert "no benchmark, only an order of magnitude; [performance.md](performance.md)" in text
