"""The accuracies in the README are those of the committed results."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

from experiments.ledger import read_lines
from experiments.pages.fano import LOOKS, accuracies
from experiments.reading import read_results
from experiments.spread import Spread
from hypersage_dgl._utils import parse_json

ROOT = Path(__file__).parents[1]
NAMES = {
    "HyperSAGE": "hypersage",
    "HGNN": "hgnn",
    "HyperGCN": "hypergcn",
    "FastHyperGCN": "fasthypergcn",
    "GraphSAGE on the clique expansion": "clique-sage",
    "GCN on the clique expansion": "clique-gcn",
    "MLP": "mlp",
}


def shown():
    """Cells of the table: method, data set, text without marks."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("| | cora-coauthorship"))
    datasets = [cell.strip() for cell in lines[head].split("|")[2:-1]]
    for line in lines[head + 2 : head + 2 + len(NAMES)]:
        name, *cells = (cell.strip() for cell in line.split("|")[1:-1])
        for dataset, cell in zip(datasets, cells):
            yield NAMES[name], dataset, cell


@pytest.fixture(scope="module")
def runs():
    results = read_results(ROOT / "experiments" / "results" / "table1.jsonl.gz")
    # The table has one initial weight a split, whatever else has been run since.
    return [r for r in results if r.column == "best" and r.init == 0]


def test_every_cell_is_the_mean_of_its_runs_and_the_best_is_bold(runs):
    cells, means = list(shown()), {}
    for method, dataset, cell in cells:
        found = [r.test_acc for r in runs if (r.method, r.dataset) == (method, dataset)]
        assert len(found) == 10
        means[dataset, method] = Spread.of(found)
        assert cell.replace("**", "") == str(means[dataset, method]), (method, dataset)
    assert len(cells) == len(NAMES) * len({dataset for _, dataset, _ in cells})
    for method, dataset, cell in cells:
        best = max(spread.mean for (d, _), spread in means.items() if d == dataset)
        assert cell.startswith("**") is (means[dataset, method].mean == best)


def test_the_words_about_the_planes_are_those_of_the_committed_runs():
    lines = read_lines(ROOT / "experiments" / "results" / "fano.jsonl.gz")
    found, splits = accuracies(parse_json(line, place) for place, line in lines)
    means = {name: [mean(values) for values in by.values()] for name, by in found.items()}
    assert len(splits) == 3
    chance, apart = (
        {name for name, look in LOOKS.items() if (look.line == "--") is dashed}
        for dashed in (True, False)
    )
    assert chance == {"hgnn", "clique-gcn", "unigcnii", "hypersage p=1", "hypersage p=3"}
    assert all(abs(score - 50) < 6 for name in chance for score in means[name])
    assert all(score > 60 for name in apart for score in means[name])
    assert max(means, key=lambda name: means[name][-1]) == "ed-hnn"
