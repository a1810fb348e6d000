"""``python -m experiments``: which runs go to which file, and the steps of the search."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fake_runs import stand_in
from folders import contents, experiment

from experiments import plan
from experiments.ledger import opened, read_lines
from experiments.plan import TABLES
from experiments.protocol import DATASETS, FEW, GROUPS, METHODS
from experiments.reading import read_results
from experiments.recipe import Recipe, read_recipes
from experiments.search import FINALISTS, FIRST, SECOND, finalists, jobs_for
from experiments.space import RECIPES, candidates
from hypersage_dgl._utils import read_text

RESULTS = Path("experiments", "results")


@pytest.fixture
def calls(monkeypatch):
    return stand_in(monkeypatch)


@pytest.fixture
def planned(monkeypatch):
    """As ``calls``, but nothing is written, which takes most of the time."""
    return stand_in(monkeypatch, keep=False)


def test_help_names_the_experiments_and_shows_examples(command):
    done = command("--help")
    assert done.code == 0
    assert done.out.startswith("usage: python -m experiments ")
    known = (
        "table1 table2 table3 stability all search defaults hyperedges fano allset walmart "
        "grid grid-knn"
    )
    assert f"{{{known.replace(' ', ',')},report}}" in "".join(done.out.split())
    examples = done.out.split("\nexamples:\n")[1].splitlines()
    assert examples
    assert all(line.startswith("  python -m experiments ") for line in examples)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("table4", "invalid choice: 'table4'"),
        ("table1 --dataset debian", "invalid choice: 'debian'"),
        ("table1 --column search", "invalid choice: 'search'"),
        ("table1 --method gat", "invalid choice: 'gat'"),
        ("table1 --inits 0", "'0' must be a positive integer"),
        ("table1 --processes 0", "'0' must be a positive integer"),
        ("table2 --dataset citeseer", "table2 has no run that --dataset, --column and --method"),
        ("search --quick", "search --quick takes no --quick"),
        ("search --inits 2 --column best", "search takes no --column, --inits"),
        ("report --dataset dblp", "report takes no --dataset"),
        ("report --quick --docs docs", "report --quick takes no --docs"),
        ("table1 --docs docs", "table1 takes no --docs"),
        ("table1 --dry-run", "table1 takes no --dry-run"),
        ("table1 --quick --inits 2", "table1 --quick takes no --inits"),
    ],
)
def test_words_that_make_no_sense(fails, calls, words, said):
    assert said in fails(*words.split(), code=2)
    assert calls == []


@pytest.mark.parametrize("table", TABLES)
def test_runs_of_a_table_go_to_its_file_once(command, calls, table):
    done = command(table)
    (call,) = calls
    assert call.path == RESULTS / f"{table}.jsonl.gz"
    assert {experiment(run) for run in call.runs} == {table}
    assert (call.data_dir, call.processes) == (None, 2)
    assert call.command == f"python -m experiments {table}"
    count = len(call.jobs)
    assert count >= 160
    assert done == (0, f"{table}: {count} runs added to {RESULTS}/{table}.jsonl.gz\n", "")
    again = command(table)
    assert again.out == f"{table}: 0 runs added to {RESULTS}/{table}.jsonl.gz\n"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("field", ["dataset", "column", "method"])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.many
def test_a_choice_keeps_its_runs_in_their_order(command, planned, table, field, count):
    assert command(table).code == 0
    everything = planned[0].jobs
    kept = sorted({getattr(run, field) for run, _ in everything})[-count:]
    options = [word for value in kept for word in (f"--{field}", value)]
    assert command(table, *options).code == 0
    assert planned[1].jobs == [job for job in everything if getattr(job[0], field) in kept]
    assert planned[1].path == planned[0].path


def test_choices_work_together(command, planned):
    words = ("--dataset", "dblp", "--column", "paper", "--method", "hypersage", "--inits", "3")
    assert command("table1", *words).code == 0
    runs = planned[0].runs
    assert {(t.dataset, t.column, t.method) for t in runs} == {("dblp", "paper", "hypersage")}
    cells = {(t.p, t.split, t.init) for t in runs}
    powers, splits, inits = (2.0, 1.0, 0.01, -1.0), range(1, 11), range(3)
    assert cells == {(p, s, i) for p in powers for s in splits for i in inits}
    assert len(runs) == len(cells)


@pytest.mark.parametrize("out", [str(RESULTS), "elsewhere"])
def test_quick_runs_are_few_short_and_kept_apart(command, planned, out):
    folder = () if out == str(RESULTS) else ("--out", out)
    assert command("table1", *folder).code == 0
    done = command("table1", "--quick", *folder)
    whole, quick = planned
    assert whole.path == Path(out, "table1.jsonl.gz")
    assert quick.path == Path(out, "quick", "table1.jsonl.gz")
    assert done.out == f"table1: {len(quick.jobs)} runs added to {quick.path}\n"
    assert quick.command == "python -m experiments table1 --quick"
    few = [(t, recipe) for t, recipe in whole.jobs if t.split <= 3 and t.init == 0]
    # A shorter training is another recipe, and says so.
    assert [replace(t, recipe=None) for t in quick.runs] == [
        replace(run, recipe=None) for run, _ in few
    ]
    assert not {t.recipe for t in quick.runs} & {run.recipe for run, _ in few}
    lengths = [(short.epochs, recipe.epochs) for (_, short), (_, recipe) in zip(quick.jobs, few)]
    assert set(lengths) == {(50, 150)}


def test_all_does_table_after_table(command, planned):
    done = command("all", "--dataset", "pubmed", "--processes", "3")
    assert [call.path for call in planned] == [RESULTS / f"{table}.jsonl.gz" for table in TABLES]
    for table, call in zip(TABLES, planned):
        assert {(experiment(t), t.dataset) for t in call.runs} == {(table, "pubmed")}
        assert call.processes == 3
        # The table's own: `all` with other words did the same runs.
        assert call.command == f"python -m experiments {table}"
    assert done.out.splitlines() == [
        f"{table}: {len(call.jobs)} runs added to {RESULTS}/{table}.jsonl.gz"
        for table, call in zip(TABLES, planned)
    ]


@pytest.mark.parametrize("what", ["all", "search"])
def test_results_name_no_folder_of_the_machine(command, calls, tmp_path, what):
    out, data = tmp_path / "out", tmp_path / "copy"
    words = ("--out", out, "--data-dir", data, "--dataset", "dblp", "--method", "hypersage")
    assert command(what, *words).code == 0
    assert {call.data_dir for call in calls} == {str(data)}
    assert {call.path.parent for call in calls} == {out}
    lines = [line for path in out.glob("*.gz") for _, line in read_lines(path)]
    assert len(lines) >= RECIPES
    assert not any(str(tmp_path) in line for line in lines)


def test_one_file_takes_one_process_at_a_time(fails, place):
    path = RESULTS / "table3.jsonl.gz"
    with opened(path):
        assert f"another process adds to {path}; wait for it" in fails("table3")
        assert contents(place) == {"experiments/results/table3.jsonl": b""}
    # Nothing was added, so nothing is left.
    assert contents(place) == {}


def test_without_a_searched_recipe_the_cure_is_named(fails, place):
    (place / "none.json").write_text("{}")
    words = ("--column", "best", "--dataset", "dblp", "--recipes", "none.json")
    said = fails("table1", *words)
    assert (
        "no recipe was chosen for mlp on dblp; let `python -m experiments search` write some"
        in said
    )
    (place / "none.json").write_text('{"dblp": {"mlp": {"speed": 1}}}')
    assert "none.json has no recipes" in fails("table1", *words)
    assert set(contents(place)) == {"none.json"}


def test_search_scores_all_recipes_and_then_the_finalists(command, monkeypatch):
    recipes = candidates(FEW, "mlp")
    better = recipes[-FINALISTS:]
    calls = stand_in(monkeypatch, score=lambda recipe: 0.6 if recipe in better else 0.5)
    words = ("search", "--method", "mlp", "--dataset", "citeseer")
    done = command(*words)
    assert [call.jobs for call in calls] == [
        [
            job
            for dataset in GROUPS[FEW]
            for recipe in tried
            for job in jobs_for(dataset, recipe, folds[FEW])
        ]
        for tried, folds in ((recipes, FIRST), (better, SECOND))
    ]
    assert {call.path for call in calls} == {RESULTS / "search.jsonl.gz"}
    assert {call.command for call in calls} == {"python -m experiments search"}
    count = len({run for call in calls for run in call.runs})
    assert done == (0, f"search: {count} runs added to {RESULTS}/search.jsonl.gz\n", "")
    assert finalists(read_results(RESULTS / "search.jsonl.gz"), FEW, "mlp") == better
    assert command(*words).out == f"search: 0 runs added to {RESULTS}/search.jsonl.gz\n"


def test_search_of_everything_has_every_method_on_every_data_set(command, calls):
    done = command("search")
    assert done.code == 0
    assert f"the chosen recipes are in {RESULTS}/recipes.json; use them by --recipes" in done.out
    # All scored the same, so the first ones stay.
    assert {
        (dataset, method): recipe
        for dataset, of_dataset in read_recipes(RESULTS / "recipes.json").items()
        for method, recipe in of_dataset.items()
    } == {(dataset, method): Recipe(method) for dataset in DATASETS for method in METHODS}
    assert len(calls) == 2
    for call in calls:
        assert {(t.method, t.dataset) for t in call.runs} == {
            (method, dataset) for method in METHODS for dataset in DATASETS
        }
        assert {t.parts for t in call.runs} == {("validation",)}


def test_a_search_that_died_in_the_middle_of_a_line_goes_on(command, calls):
    words = ("search", "--method", "mlp", "--dataset", "dblp")
    assert command(*words).code == 0
    path = RESULTS / "search.jsonl.gz"
    packed, whole = path.read_bytes(), read_text(path)
    # As a killed process leaves it: nothing packed, and half a line.
    path.unlink()
    path.with_suffix("").write_text(whole[:-30])
    assert command(*words).code == 0
    assert path.read_bytes() == packed
    assert list(RESULTS.iterdir()) == [path]


def test_results_of_best_tell_their_recipe(command, calls, monkeypatch):
    words = ("table1", "--column", "best", "--dataset", "dblp", "--method", "mlp")
    assert command(*words).code == 0
    assert command(*words).out.startswith("table1: 0 runs")
    monkeypatch.setattr(plan, "recipe_for", lambda *_: Recipe("mlp", hidden=7))
    assert command(*words).out.startswith("table1: 80 runs")


@pytest.mark.exhaustive
def test_it_starts_as_a_module_from_the_top_of_the_repository():
    done = subprocess.run(
        [sys.executable, "-m", "experiments", "table2", "--dataset", "citeseer"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("python -m experiments: error: table2 has no run that --dataset")
