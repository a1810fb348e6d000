"""The page of the grid: whole sets alone, paired differences, and who did not learn."""

from __future__ import annotations

from dataclasses import replace

from experiments.grid import GRIDS, INITS, WITH_KNN
from experiments.pages.grid import HEADING, UNDERFIT, grid_table
from experiments.protocol import BEST, HYPERSAGE, METHODS, SEARCH, SPLITS
from experiments.result import Result

OURS = Result("citeseer", HYPERSAGE, BEST, 1, test_acc=0.7, train_acc=1.0)


def runs(method, lead=0.0, train_acc=1.0, **fields):
    """Every second run of a method is a point worse than the others."""
    cell = replace(OURS, method=method, train_acc=train_acc, **fields)
    return [
        replace(cell, split=split, init=init, test_acc=0.7 - lead - 0.01 * init)
        for split in SPLITS
        for init in INITS
    ]


def rows(text):
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return {line[1]: line for line in lines if len(line) == len(HEADING)}


def whole(**changed):
    return [run for method in METHODS for run in changed.get(method, runs(method))]


def test_differences_are_those_of_pairs():
    hgnn = [replace(run, test_acc=run.test_acc - 0.02) for run in runs("hgnn")]
    found = rows(grid_table({"grid": whole(hgnn=hgnn)}))
    assert found["HGNN"] == ["Citeseer", "HGNN", "67.5 ± 0.5", "100.0", "+2.0 ± 0.0"]
    assert found["HyperSAGE"][2:] == ["69.5 ± 0.5", "100.0", ""]
    # Without pairs the error would be that of both spreads.
    noisy = [replace(r, test_acc=r.test_acc - 0.02 * (r.split % 2)) for r in runs("hgnn")]
    assert rows(grid_table({"grid": whole(hgnn=noisy)}))["HGNN"][4] == "+1.0 ± 0.2"


def test_a_recipe_that_did_not_learn_is_marked():
    found = rows(grid_table({"grid": whole(mlp=runs("mlp", train_acc=UNDERFIT - 0.1))}))
    assert found["MLP"][3] == "80.0 (underfit)"
    assert found["HGNN"][3] == "100.0"


def test_a_set_that_lacks_a_run_is_not_shown_and_named():
    text = grid_table({"grid": whole(hgnn=runs("hgnn")[:-1])})
    assert rows(text) == {}
    assert f"`grid` on citeseer (1 of {len(METHODS)} methods)" in text
    assert f"`grid-knn` on dblp ({len(WITH_KNN)} of {len(WITH_KNN)} methods)" in text


def test_runs_of_the_choice_are_no_results():
    searched = [replace(run, column=SEARCH) for run in whole()]
    assert rows(grid_table({"grid": searched})) == {}


def test_similar_nodes_stand_beside_those_without():
    near = [run for method in WITH_KNN for run in runs(method, lead=-0.01)]
    text = grid_table(dict(zip(GRIDS, (whole(), near))))
    found = rows(text)
    assert found["HyperSAGE"][2] == "69.5 ± 0.5"
    assert found["HyperSAGE, similar nodes"][2] == "70.5 ± 0.5"
    assert found["HGNN, similar nodes"][4] == "+0.0 ± 0.0"
    assert "citeseer" not in text.partition("Not run yet")[2]
