"""Tries on walmart-trips: options that reach the model, no run twice, no test node."""

from __future__ import annotations

from functools import partial

import pytest
import torch

from experiments import best_epoch, walmart
from experiments.allset import read_rows
from experiments.walmart import BASE, MOST, TRIES, one_try, try_all, with_degrees, with_sizes
from hypersage_dgl.data import LabelledHypergraph, generate
from hypersage_dgl.hypergraphs import HYPEREDGE, hypergraph
from hypersage_dgl.nn.baselines import MLP
from hypersage_dgl.training import without_test

DATA = generate(120, 90, max_size=6, seed=1)
SMALL = LabelledHypergraph(
    hypergraph([[0, 1, 2], [2, 3]], num_nodes=5), name="small", feat=torch.zeros(5, 2)
)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(walmart, "BASE", {**BASE, "epochs": 2, "width": 8})


@pytest.mark.parametrize("name", TRIES)
def test_every_try_trains(quick, name):
    found = one_try(name, without_test(DATA.with_split("random", seed=1)))
    assert 0 <= found["val_acc"] <= 1
    assert "test_acc" not in found


def test_tries_go_on_where_they_stopped(quick, monkeypatch, tmp_path):
    monkeypatch.setattr(walmart, "TRIES", {name: TRIES[name] for name in ("MLP", "HGNN")})
    monkeypatch.setattr(walmart, "load", lambda name, data_dir: DATA)
    path = tmp_path / "walmart.jsonl.gz"
    assert try_all(path, None, "command") == 2
    assert try_all(path, None, "command") == 0
    assert [row["try"] for row in read_rows(path)] == ["MLP", "HGNN"]


def test_degrees_are_a_column():
    feat = with_degrees(SMALL).require_feat()
    assert torch.equal(feat[:, :2], SMALL.require_feat())
    expected = torch.tensor([1.0, 1.0, 2.0, 1.0, 0.0]).log1p()
    torch.testing.assert_close(feat[:, 2], expected)


def test_sizes_are_rows_of_the_hyperedges():
    rows = with_sizes(SMALL).graph.nodes[HYPEREDGE].data["feat"]
    assert rows.shape == (2, MOST)
    assert rows.argmax(dim=1).tolist() == [2, 1]
    assert "feat" not in SMALL.graph.nodes[HYPEREDGE].data


def test_the_rate_falls_to_zero_by_half_a_wave(monkeypatch):
    given = {}
    real = best_epoch.fit

    def spied(model, batches, **options):
        given.update(options)
        return real(model, batches, **options)

    monkeypatch.setattr(best_epoch, "fit", spied)
    make = partial(MLP, DATA.num_feats, 8, DATA.num_classes)
    best_epoch.train_and_test(
        make,
        DATA.with_split("random", seed=1),
        **{"epochs": 4, "lr": 0.1, "weight_decay": 0.0, "seed": 0, "cosine": True},
    )
    assert given["scheduler"].get_last_lr()[0] == pytest.approx(0.0)
