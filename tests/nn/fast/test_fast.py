"""The table of faster ways is complete, and ``fast=False`` takes none of them, ever."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from products import product
from small_hypergraph import CLASSES, model_for, small
from small_hypergraph import NODES as NODES_OF_SMALL

from hypersage_dgl.nn import LSTM, Attention, ByRole, Max, Mean, Sum
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.training import (
    FullGraph,
    Minibatches,
    Predictor,
    fit,
    sampled_logits,
    sampler_for,
)

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


@contextmanager
def taken():
    """Functions of the faster ways that run meanwhile, as ``file.name``, in any thread."""
    found, folder = set(), str(Path(fast_paths.__file__).parent)

    def note(frame, event, _):
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        if event == "call" and path.startswith(folder):
            found.add(f"{Path(path).stem}.{name}")

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def run_plainly(conv, graph, feat):
    """The layer with fast=False, and aggregate(fast=False) of a layer with fast=True."""
    with taken() as found:
        for training in (True, False):
            conv.train(training)
            conv.fast = False
            out = conv(graph, feat)
            assert bool(torch.isfinite(out).all())
            assert bool(torch.isfinite(conv.aggregate(graph, feat)).all())
            conv.fast = True
            assert torch.equal(
                conv.aggregate(graph, feat, fast=False),
                conv.eval().aggregate(graph, feat, fast=False),
            )
    assert found == set()


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


def forward(model, case):
    model.train()(case.graph, case.feat).sum().backward()
    model.eval().embed(case.graph, case.feat)


def on_blocks(model, case):
    sampled_logits(model, case.graph, case.feat, TRAIN, alpha=2, beta=2, batch_size=3)


def in_chunks(model, case):
    model.inference(case.graph, case.feat, 4)


def cached(model, case):
    model.first.cached = True
    for _ in range(2):
        model(case.graph, case.feat)


def kept(model, case):
    if model.first.is_constant:
        model(case.graph, model.first_layer(case.graph, case.feat))
        model(case.graph, model.lean_first_layer(case.graph, case.feat))


def on_full_graph(model, case):
    for options in ({}, {"model": model}, {"model": model, "keep_first": False}):
        fit(model, FullGraph(case.graph, case.feat, LABELS, TRAIN, **options), epochs=1)


@contextmanager
def several_threads():
    """Without these, batches are made by the thread that asks for them."""
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def on_minibatches(model, case):
    sampler = sampler_for(model, case.graph, alpha=2)
    for options in ({}, {"model": model}):
        batches = Minibatches(
            case.graph, case.feat, LABELS, TRAIN, sampler, batch_size=3, **options
        )
        with several_threads():
            fit(model, batches, epochs=1)


def predicted(model, case):
    predictor = Predictor(model)
    for size in (None, 4):
        predictor.predict(case.graph, case.feat, size)
    predictor.attach(case.graph, case.feat)
    predictor.predict_new(case.feat.to_dense()[:2], [[0], []], [[NODES_OF_SMALL, 1]])
    predictor.predict_attached([0, 3])


LABELS, TRAIN = torch.arange(NODES_OF_SMALL) % CLASSES, torch.arange(0, NODES_OF_SMALL, 2)
# What a model is used for, and a faster way of its own that this may take.
USES = {
    forward: "fused.aggregate_fused",
    on_blocks: "fused.aggregate_fused",
    in_chunks: "chunks.aggregate_chunks",
    cached: "linear_first.project",
    kept: "linear_first.project",
    on_full_graph: "linear_first.project",
    on_minibatches: "picked.sum_picked",
    predicted: "chunks.aggregate_chunks",
}
# Aggregators and weights beyond those of the products above.
SPECIAL = {
    "plain": {},
    "attention": {"intra_aggr": Attention, "inter_aggr": Attention},
    "roles": {"intra_aggr": ByRole([Mean(), Max()])},
    "hypermsg": {"node_weight": "hypermsg"},
    "features of hyperedges": {"hyperedge_feats": 2},
    "dropout": {"dropout": 0.5, "feat_drop": 0.3},
    "sums": {"intra_aggr": Sum(), "inter_aggr": Mean()},
}


def case_of(layout="dense", dtype=torch.float64):
    case = small(dtype=dtype)
    case.graph.edges["in"].data["role"] = torch.arange(case.graph.num_edges("in")) % 2
    count = case.graph.num_nodes("hyperedge")
    case.graph.nodes["hyperedge"].data["feat"] = torch.rand(count, 2, dtype=dtype)
    return case if layout == "dense" else case._replace(feat=case.feat.to_sparse_csr())


@pytest.mark.filterwarnings("ignore:PowerMean.* got negative inputs")
@product(
    {
        "use": list(USES),
        "p": [1, 2, INF, (1, 2)],
        "inter": ["size", "paper"],
        "include_self": [True, False],
        "special": list(SPECIAL),
        "layout": ["dense", "csr"],
    }
)
def test_no_use_of_a_model_with_fast_false_takes_one(use, p, inter, include_self, special, layout):
    if special == "hypermsg" and p == INF:
        p = 2
    options = {"inter": inter, "include_self": include_self, **SPECIAL[special]}
    model = model_for(p, fast=False, **options)
    with taken() as found:
        use(model, case_of(layout))
    assert found == set()


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_each_use_with_fast_true_is_seen_to_take_its_own(use):
    # Rows are picked of float32 alone.
    model = model_for(1, dtype=torch.float32)
    with taken() as found:
        use(model, case_of(dtype=torch.float32))
    assert USES[use] in found


@pytest.mark.parametrize(
    ("name", "options", "layout"),
    [
        ("bags.pass_fast", {"p": (1, 2)}, "dense"),
        ("fused.aggregate_fused", {"p": 2}, "dense"),
        ("sparse_features.sum_sparse", {"p": 2}, "csr"),
        ("sparse_features.aggregate_sparse", {"p": 2, "inter": "paper"}, "csr"),
        ("others.aggregate_others", {"p": 2, "include_self": False}, "dense"),
        ("without_self.inside_without_self", {"p": INF, "include_self": False}, "dense"),
        ("dropped_linear.dropped_linear", {}, "dense"),
    ],
)
def test_a_layer_with_fast_true_is_seen_to_take_each(name, options, layout):
    case = case_of(layout)
    with taken() as found:
        model_for(**options)(case.graph, case.feat)
    assert name in found


def test_every_way_is_among_those_that_are_seen():
    seen = {name.partition(".")[0] for name in USES.values()}
    seen |= {"bags", "sparse_features", "others", "without_self", "dropped_linear"}
    assert seen == {name for name, _ in ROWS}
