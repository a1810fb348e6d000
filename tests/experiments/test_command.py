"""``hypersage reproduce``: which runs go to which file, and the steps of the search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from report.folders import contents

from hypersage_dgl.reproduction import plan
from hypersage_dgl.reproduction.chosen import read_recipes
from hypersage_dgl.reproduction.ledger import opened
from hypersage_dgl.reproduction.plan import DATASETS, TABLES
from hypersage_dgl.reproduction.recipe import METHODS, Recipe
from hypersage_dgl.reproduction.search import FINALISTS, FIRST, SECOND, finalists, jobs_for, read
from hypersage_dgl.reproduction.space import FEW, GROUPS, RECIPES, candidates

from .fake_runs import stand_in


@pytest.fixture
def calls(monkeypatch):
    return stand_in(monkeypatch)


@pytest.fixture
def planned(monkeypatch):
    """As ``calls``, but nothing is written, which takes most of the time."""
    return stand_in(monkeypatch, keep=False)


def test_help_names_the_experiments_and_shows_examples(hypersage):
    done = hypersage("reproduce", "--help")
    assert done.code == 0
    assert "{table1,table2,table3,stability,all,search,report}" in done.out
    examples = done.out.split("\nexamples:\n")[1].splitlines()
    assert examples
    assert all(line.startswith("  hypersage reproduce ") for line in examples)


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
        ("table1 --quick --inits 2", "table1 --quick takes no --inits"),
    ],
)
def test_words_that_make_no_sense(fails, calls, words, said):
    assert said in fails("reproduce", *words.split(), code=2)
    assert calls == []


@pytest.mark.parametrize("table", TABLES)
def test_runs_of_a_table_go_to_its_file_once(hypersage, calls, table):
    done = hypersage("reproduce", table)
    (call,) = calls
    assert call.path == Path("results", f"{table}.jsonl")
    assert {trial.table for trial in call.trials} == {table}
    assert (call.data_dir, call.processes) == (None, 2)
    assert call.command == f"hypersage reproduce {table}"
    count = len(call.jobs)
    assert count >= 160
    assert done == (0, f"{table}: {count} runs added to results/{table}.jsonl\n", "")
    again = hypersage("reproduce", table)
    assert again.out == f"{table}: 0 runs added to results/{table}.jsonl\n"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("field", ["dataset", "column", "method"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_choice_keeps_its_runs_in_their_order(hypersage, planned, table, field, count):
    assert hypersage("reproduce", table).code == 0
    everything = planned[0].jobs
    kept = sorted({getattr(trial, field) for trial, _ in everything})[-count:]
    options = [word for value in kept for word in (f"--{field}", value)]
    assert hypersage("reproduce", table, *options).code == 0
    assert planned[1].jobs == [job for job in everything if getattr(job[0], field) in kept]
    assert planned[1].path == planned[0].path


def test_choices_work_together(hypersage, planned):
    words = ("--dataset", "dblp", "--column", "paper", "--method", "hypersage", "--inits", "3")
    assert hypersage("reproduce", "table1", *words).code == 0
    trials = planned[0].trials
    assert {(t.dataset, t.column, t.method) for t in trials} == {("dblp", "paper", "hypersage")}
    cells = {(t.p, t.split, t.init) for t in trials}
    powers, splits, inits = (2.0, 1.0, 0.01, -1.0), range(1, 11), range(3)
    assert cells == {(p, s, i) for p in powers for s in splits for i in inits}
    assert len(trials) == len(cells)


@pytest.mark.parametrize("out", ["results", "elsewhere"])
def test_quick_runs_are_few_short_and_kept_apart(hypersage, planned, out):
    folder = () if out == "results" else ("--out", out)
    assert hypersage("reproduce", "table1", *folder).code == 0
    done = hypersage("reproduce", "table1", "--quick", *folder)
    whole, quick = planned
    assert whole.path == Path(out, "table1.jsonl")
    assert quick.path == Path(out, "quick", "table1.jsonl")
    assert done.out == f"table1: {len(quick.jobs)} runs added to {quick.path}\n"
    assert quick.command == "hypersage reproduce table1 --quick"
    few = [(t, recipe) for t, recipe in whole.jobs if t.split <= 3 and t.init == 0]
    # A shorter training is another recipe, and says so.
    assert [replace(t, recipe=None) for t in quick.trials] == [
        replace(trial, recipe=None) for trial, _ in few
    ]
    assert not {t.recipe for t in quick.trials} & {trial.recipe for trial, _ in few}
    lengths = [(short.epochs, recipe.epochs) for (_, short), (_, recipe) in zip(quick.jobs, few)]
    assert set(lengths) == {(50, 150)}


def test_all_does_table_after_table(hypersage, planned):
    done = hypersage("reproduce", "all", "--dataset", "pubmed", "--processes", "3")
    assert [call.path for call in planned] == [
        Path("results", f"{table}.jsonl") for table in TABLES
    ]
    for table, call in zip(TABLES, planned):
        assert {(t.table, t.dataset) for t in call.trials} == {(table, "pubmed")}
        assert call.processes == 3
        # The table's own: `all` with other words did the same runs.
        assert call.command == f"hypersage reproduce {table}"
    assert done.out.splitlines() == [
        f"{table}: {len(call.jobs)} runs added to results/{table}.jsonl"
        for table, call in zip(TABLES, planned)
    ]


@pytest.mark.parametrize("what", ["all", "search"])
def test_results_name_no_folder_of_the_machine(hypersage, calls, tmp_path, what):
    out, data = tmp_path / "out", tmp_path / "copy"
    words = ("--out", out, "--data-dir", data, "--dataset", "dblp", "--method", "hypersage")
    assert hypersage("reproduce", what, *words).code == 0
    assert {call.data_dir for call in calls} == {str(data)}
    assert {call.path.parent for call in calls} == {out}
    written = b"".join(contents(out).values()).decode()
    assert written.count("\n") >= RECIPES
    assert str(tmp_path) not in written


def test_one_file_takes_one_process_at_a_time(fails, place):
    with opened("results/table3.jsonl"):
        said = fails("reproduce", "table3")
    assert "another process adds to results/table3.jsonl; wait for it" in said
    assert contents(place) == {"results/table3.jsonl": b""}


def test_without_a_searched_recipe_the_cure_is_named(fails, place):
    (place / "none.json").write_text("{}")
    words = ("--column", "best", "--dataset", "dblp", "--recipes", "none.json")
    said = fails("reproduce", "table1", *words)
    assert (
        "no recipe was chosen for mlp on dblp; let `hypersage reproduce search` write some" in said
    )
    (place / "none.json").write_text('{"dblp": {"mlp": {"speed": 1}}}')
    assert "none.json has no recipes" in fails("reproduce", "table1", *words)
    assert set(contents(place)) == {"none.json"}


def test_search_scores_all_recipes_and_then_the_finalists(hypersage, monkeypatch):
    recipes = candidates(FEW, "mlp")
    better = recipes[-FINALISTS:]
    calls = stand_in(monkeypatch, score=lambda recipe: 0.6 if recipe in better else 0.5)
    words = ("reproduce", "search", "--method", "mlp", "--dataset", "citeseer")
    done = hypersage(*words)
    assert [call.jobs for call in calls] == [
        [
            job
            for dataset in GROUPS[FEW]
            for recipe in tried
            for job in jobs_for(dataset, recipe, folds[FEW])
        ]
        for tried, folds in ((recipes, FIRST), (better, SECOND))
    ]
    assert {call.path for call in calls} == {Path("results", "search.jsonl")}
    assert {call.command for call in calls} == {"hypersage reproduce search"}
    count = len({trial for call in calls for trial in call.trials})
    assert done == (0, f"search: {count} runs added to results/search.jsonl\n", "")
    assert finalists(read("results/search.jsonl"), FEW, "mlp") == better
    assert hypersage(*words).out == "search: 0 runs added to results/search.jsonl\n"


def test_search_of_everything_has_every_method_on_every_data_set(hypersage, calls):
    done = hypersage("reproduce", "search")
    assert done.code == 0
    assert "the chosen recipes are in results/recipes.json; use them by --recipes" in done.out
    # All scored the same, so the first ones stay.
    assert {
        (dataset, method): recipe
        for dataset, of_dataset in read_recipes("results/recipes.json").items()
        for method, recipe in of_dataset.items()
    } == {(dataset, method): Recipe(method) for dataset in DATASETS for method in METHODS}
    assert len(calls) == 2
    for call in calls:
        assert {(t.method, t.dataset) for t in call.trials} == {
            (method, dataset) for method in METHODS for dataset in DATASETS
        }
        assert {t.parts for t in call.trials} == {("validation",)}


def test_a_search_that_died_in_the_middle_of_a_line_goes_on(hypersage, calls):
    words = ("reproduce", "search", "--method", "mlp", "--dataset", "dblp")
    assert hypersage(*words).code == 0
    path = Path("results", "search.jsonl")
    whole = path.read_text()
    path.write_text(whole[:-30])
    assert hypersage(*words).code == 0
    assert path.read_text() == whole


def test_results_of_best_tell_their_recipe(hypersage, calls, monkeypatch):
    words = ("reproduce", "table1", "--column", "best", "--dataset", "dblp", "--method", "mlp")
    assert hypersage(*words).code == 0
    assert hypersage(*words).out.startswith("table1: 0 runs")
    monkeypatch.setattr(plan, "recipe_for", lambda *_: Recipe("mlp", hidden=7))
    assert hypersage(*words).out.startswith("table1: 80 runs")
