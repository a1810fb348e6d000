"""Hyperedge prediction: the choice sees no test, no run is done twice, counts are exact."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import pytest
import torch

from experiments import hyperedges
from experiments.hyperedges import CANDIDATES, CHOICE, SPLITS, CommonNeighbours, Recipe, build
from experiments.ledger import read_lines
from hypersage_dgl import hypergraph
from hypersage_dgl.data import generate, load, member_sets
from hypersage_dgl.nn import Question

RESULTS = Path(__file__).parents[2] / "experiments" / "results" / "hyperedges.jsonl.gz"
DATA = generate(400, 90, seed=3)


def test_common_neighbours_are_counted():
    sets = [[0, 1, 2], [1, 2, 3], [3, 4], [4, 5, 0], [6]]
    beside = {v: {u for s in sets if v in s for u in s} - {v} for v in range(7)}
    candidates = [list(c) for size in (2, 3) for c in combinations(range(7), size)]
    asked = Question(hypergraph(sets), hypergraph(candidates))
    found = CommonNeighbours()(asked, torch.empty(7, 0))[:, 0]
    for score, members in zip(found.tolist(), candidates):
        pairs = [len(beside[u] & beside[v]) for u, v in combinations(members, 2)]
        assert score == pytest.approx(-1 / (1 + sum(pairs) / len(pairs)))
    # What a sigmoid makes of it keeps the order.
    assert len(set(found.sigmoid().tolist())) == len(set(found.tolist()))


def test_mean_features_are_a_function_of_the_mean():
    model = build("mlp", Recipe(1, 0.01), 6).double().eval()
    feat = torch.rand(5, 6, dtype=torch.float64)
    feat[4] = feat[:3].mean(0)
    g = hypergraph([[0, 1, 2, 3, 4]])
    one, other = model(Question(g, hypergraph([[0, 1, 2], [4]], num_nodes=5)), feat)
    torch.testing.assert_close(one, other)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(hyperedges, "SPLITS", (1,))
    monkeypatch.setattr(hyperedges, "CHOSEN_ON", "small")
    monkeypatch.setattr(hyperedges, "EPOCHS", {"small": 1})
    monkeypatch.setattr(hyperedges, "_loaded", lambda dataset, data_dir: DATA)


@pytest.mark.exhaustive
def test_runs_are_kept_and_not_repeated(tmp_path, short):
    path = tmp_path / "hyperedges.jsonl.gz"
    choice = sum(map(len, CANDIDATES.values()))
    assert hyperedges.predict(path, None, "command") == choice + len(CANDIDATES)
    lines = read_lines(path)
    assert hyperedges.predict(path, None, "command") == 0
    assert read_lines(path) == lines
    rows = hyperedges.read_rows(path)
    assert all(("scores" in row) == (row["split"] != CHOICE) for row in rows)
    # The same run once more gives the same digits.
    row = rows[-1]
    run = {key: row[key] for key in ("dataset", "method", "split", "layers", "lr", "epochs")}
    assert hyperedges.one_run(DATA, run)["scores"] == row["scores"]


def test_the_choice_is_the_best_on_validation():
    rows = [
        {"method": method, "split": CHOICE, **recipe._asdict(), "val_auroc": 0.5 + 0.01 * number}
        for method, grid in CANDIDATES.items()
        for number, recipe in enumerate(grid)
    ]
    rows.append({**rows[0], "split": 1, "val_auroc": 0.99})
    found = hyperedges.choose(rows)
    assert found == {method: grid[-1] if grid else None for method, grid in CANDIDATES.items()}


def test_the_results_are_whole():
    rows = hyperedges.read_rows(RESULTS)
    chosen = hyperedges.choose(rows)
    for row in rows:
        if row["split"] == CHOICE:
            assert "scores" not in row
            continue
        assert row["split"] in SPLITS
        recipe = chosen[row["method"]]
        assert recipe is None or recipe == Recipe(row["layers"], row["lr"])
        *kinds, mean = row["scores"].values()
        assert len(kinds) == 3
        for k in (0, 1):
            assert mean[k] == pytest.approx(math.fsum(kind[k] for kind in kinds) / 3)
            assert all(0 <= kind[k] <= 1 for kind in kinds)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("dataset", "pairs", "by_size"),
    [("citeseer", "49 %", "74.3"), ("cora-cocitation", "38 %", "68.9")],
)
def test_what_size_alone_tells_from_sizes_without_two(dataset, pairs, by_size):
    page = (Path(__file__).parents[2] / "docs" / "hyperedge-prediction.md").read_text("utf-8")
    sets = {s for s in member_sets(load(dataset).graph) if len(s) > 1}
    sizes = torch.tensor([len(s) for s in sets])
    assert f"{100 * (sizes == 2).double().mean():.0f} %" == pairs
    others = sizes[sizes > 2]
    smaller, same = sizes[:, None] < others, sizes[:, None] == others
    assert f"{100 * (smaller.double() + same.double() / 2).mean():.1f}" == by_size
    assert pairs in page
    assert by_size in page
