"""The table of faster ways is complete, and ``fast=False`` takes none of them, ever."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from products import product

from hypersage_dgl.nn import LSTM, Max, Mean, Sum
from hypersage_dgl.nn import fast as fast_paths

from .cases import (
    INF,
    INTERS,
    PLACES,
    WEIGHTS,
    WIDTH,
    by_channel,
    exists,
    features,
    layer,
    learned,
    place,
)

HERE = Path(__file__).parent
ROWS = re.findall(r"^\| :mod:`\.(\w+)` \|(?:.|\n)*?\| (\w+\.py) \|$", fast_paths.__doc__, re.M)


def test_the_table_names_every_path_and_its_test():
    modules = {path.stem for path in Path(fast_paths.__file__).parent.glob("*.py")} - {"__init__"}
    assert {name for name, _ in ROWS} == modules
    for name, proof in ROWS:
        assert proof == f"test_{name}.py"
        assert (HERE / proof).is_file()


class TakenError(Exception):
    """A faster way was taken."""


@pytest.fixture
def _forbidden(monkeypatch):
    def refuse(*args, **options):
        raise TakenError

    for name in fast_paths.__all__:
        monkeypatch.setattr(fast_paths, name, refuse)
    for name, function in (
        ("fused", "aggregate_fused"),
        ("sparse_features", "aggregate_sparse"),
        ("without_self", "inside_without_self"),
    ):
        monkeypatch.setattr(getattr(fast_paths, name), function, refuse)


def run_plainly(conv, graph, feat):
    """The layer with fast=False, and aggregate(fast=False) of a layer with fast=True."""
    for training in (True, False):
        conv.train(training)
        conv.fast = False
        out = conv(graph, feat)
        assert bool(torch.isfinite(out).all())
        assert bool(torch.isfinite(conv.aggregate(graph, feat)).all())
        conv.fast = True
        assert torch.equal(
            conv.aggregate(graph, feat, fast=False), conv.eval().aggregate(graph, feat, fast=False)
        )


@pytest.mark.usefixtures("_forbidden")
@product(
    {
        "p": [-20, 0, 0.01, 1, 2, 1000, INF, (1, 2), (INF, 1), learned, by_channel],
        "inter": INTERS,
        "include_self": [True, False],
        "weights": WEIGHTS,
        "layout": ["dense", "csr", "coo"],
        "where": PLACES,
        "dropout": [0.0, 0.5],
    },
    exists,
)
def test_fast_false_takes_none(p, inter, include_self, weights, layout, where, dropout):
    graph, nodes = place(weights, where, include_self)
    feat = features(torch.float64)[nodes]
    feat = {"dense": feat.clone, "csr": feat.to_sparse_csr, "coo": feat.to_sparse_coo}[layout]()
    others = {"feat_drop": 0.3, "normalize": False} if dropout else {}
    conv = layer(p, inter, include_self, torch.float64, dropout=dropout, **others)
    run_plainly(conv, graph, feat)


@pytest.mark.usefixtures("_forbidden")
@product(
    {
        "make": [Mean, Sum, Max, lambda: LSTM(WIDTH)],
        "level": ["intra_aggr", "inter_aggr"],
        "include_self": [True, False],
        "layout": ["dense", "csr"],
        "where": PLACES,
    }
)
def test_fast_false_takes_none_with_other_aggregators(make, level, include_self, layout, where):
    graph, nodes = place("none", where, include_self)
    feat = features(torch.float32)[nodes]
    feat = feat if layout == "dense" else feat.to_sparse_csr()
    conv = layer(1, "size", include_self, torch.float32, dropout=0.5, **{level: make()})
    run_plainly(conv, graph, feat)


@pytest.mark.usefixtures("_forbidden")
@pytest.mark.parametrize("include_self", [True, False])
def test_the_traps_are_there(include_self):
    graph, nodes = place("none", "graph", include_self)
    conv = layer(2, "size", include_self, torch.float32)
    with pytest.raises(TakenError):
        conv.aggregate(graph, features(torch.float32)[nodes])
    with pytest.raises(TakenError):
        conv.project(torch.rand(3, WIDTH))
