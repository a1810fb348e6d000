"""One level of message passing against Python loops: lift, one update_all, root."""

from __future__ import annotations

import math
import statistics

import dgl
import pytest
import torch
from dgl.frame import Column
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import Aggregator, HyperSAGEConv, Max, Mean, Min, PowerMean, Sum
from hypersage_dgl.nn.message_passing import pass_messages
from hypersage_dgl.nn.stage import Stage

IN, CONTAINS = ("node", "in", "hyperedge"), ("hyperedge", "contains", "node")


class LogMeanExp(Aggregator):
    def lift(self, x):
        return x.exp()

    def root(self, y):
        return y.log()


class LogSumExp(LogMeanExp):
    reduce = "sum"


class Median(Aggregator):
    """By a Python reducer; it lifts and roots as well."""

    @staticmethod
    def reduce(mailbox):
        ordered = mailbox.sort(dim=1).values
        middle = ordered.shape[1] // 2
        return (ordered[:, middle] + ordered[:, -middle - 1]) / 2

    def lift(self, x):
        return 2 * x

    def root(self, y):
        return y / 2


def mean_of(values, weights):
    return math.fsum(w * x for w, x in zip(weights, values)) / math.fsum(weights)


def power(p):
    def mean(values, weights):
        return mean_of([max(x, 0.01) ** p for x in values], weights) ** (1 / p)

    return mean


# Values and weights of one neighbourhood in, one number out.
BY_LOOP = {
    "mean": (Mean, mean_of),
    "sum": (Sum, lambda x, w: math.fsum(a * b for a, b in zip(x, w))),
    "max": (Max, lambda x, w: max(x)),
    "min": (Min, lambda x, w: min(x)),
    "square": (lambda: PowerMean(2), power(2)),
    "harmonic": (lambda: PowerMean(-1), power(-1)),
    "geometric": (
        lambda: PowerMean(0),
        lambda x, w: math.exp(mean_of([math.log(max(v, 0.01)) for v in x], w)),
    ),
    "log mean exp": (LogMeanExp, lambda x, w: math.log(mean_of([math.exp(v) for v in x], w))),
    "log sum exp": (
        LogSumExp,
        lambda x, w: math.log(math.fsum(b * math.exp(a) for a, b in zip(x, w))),
    ),
    "median": (Median, lambda x, w: statistics.median(x)),
}


def loop(stage, x, reduce):
    """Every destination by itself, in Python's floats."""
    edges = list(zip(*(ids.tolist() for ids in stage.edges)))
    by_source = [1.0] * len(x) if stage.weight is None else stage.weight.tolist()
    by_edge = [1.0] * len(edges) if stage.edge_weight is None else stage.edge_weight.tolist()
    rows = []
    for v in range(stage.num_destinations):
        mine = [(u, by_source[u] * by_edge[i]) for i, (u, at) in enumerate(edges) if at == v]
        weights = [w for _, w in mine]
        rows.append(
            [reduce([x[u][c] for u, _ in mine], weights) if mine else 0.0 for c in range(WIDTH)]
        )
    return torch.tensor(rows, dtype=torch.float64).reshape(stage.num_destinations, WIDTH)


@pytest.mark.parametrize("name", BY_LOOP)
@given(h=hypergraphs(), weights=st.sampled_from(["none", "sources", "edges", "both"]))
def test_every_reduction_is_its_loop(h, weights, name):
    make, reduce = BY_LOOP[name]
    graph, x = h.graph(), h.features() / 10
    for etype in (IN, CONTAINS):
        stage = Stage(graph, etype)
        rows = x if etype == IN else h.positive(3 * stage.num_sources, 3).view(-1, 3).double() / 1e3
        weight = edge_weight = None
        if weights in ("sources", "both"):
            weight = h.positive(stage.num_sources, 5).double()
        if weights in ("edges", "both"):
            edge_weight = h.positive(stage.num_edges, 6).double()
        stage = Stage(graph, etype, weight, edge_weight)
        actual = pass_messages(stage, rows, make())
        torch.testing.assert_close(actual, loop(stage, rows.tolist(), reduce), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", BY_LOOP)
def test_empty_destinations_are_zero_with_a_finite_gradient(name):
    make, _ = BY_LOOP[name]
    # Nodes 3 and 4 are in no hyperedge.
    stage = Stage(hypergraph([[0, 1], [1, 2]], 5), CONTAINS)
    x = (torch.rand(2, WIDTH) + 0.1).requires_grad_()
    out = pass_messages(stage, x, make())
    assert torch.equal(out[3:], torch.zeros(2, WIDTH))
    assert float(out[:3].detach().abs().min()) > 0
    out.sum().backward()
    assert bool(torch.isfinite(x.grad).all())


@pytest.mark.parametrize("name", BY_LOOP)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_type_stays_and_no_edge_at_all_is_zero(name, dtype):
    make, _ = BY_LOOP[name]
    x = torch.rand(4, WIDTH, dtype=dtype) + 0.1
    weight = torch.rand(4, dtype=torch.float64) + 0.1
    stage = Stage(hypergraph([[0, 1], [2]], 4), IN, weight)
    assert pass_messages(stage, x, make()).dtype == dtype
    none = Stage(hypergraph([], 4), CONTAINS)
    assert torch.equal(
        pass_messages(none, torch.rand(0, WIDTH, dtype=dtype), make()),
        torch.zeros(4, WIDTH, dtype=dtype),
    )


def test_large_powers_in_float32_stay_float32():
    stage = Stage(hypergraph([[0, 1]]), IN)
    assert pass_messages(stage, torch.rand(2, WIDTH), PowerMean(20)).dtype == torch.float32


@pytest.mark.parametrize("name", ["mean", "sum", "square", "geometric", "log mean exp"])
def test_gradients_of_rows_and_of_both_weights(name):
    make, _ = BY_LOOP[name]
    graph = hypergraph([[0, 1, 2], [2, 3], [3]], 5)

    def run(x, weight, edge_weight):
        return pass_messages(Stage(graph, IN, weight, edge_weight), x, make())

    numbers = torch.Generator().manual_seed(0)
    arguments = [
        (torch.rand(shape, generator=numbers, dtype=torch.float64) + 0.2).requires_grad_()
        for shape in ((5, WIDTH), (5,), (6,))
    ]
    assert torch.autograd.gradcheck(run, arguments, fast_mode=True)


@pytest.mark.parametrize("name", BY_LOOP)
def test_is_one_update_all_on_the_relation_alone(name, monkeypatch):
    make, _ = BY_LOOP[name]
    calls, theirs = [], dgl.DGLGraph.update_all

    def noted(graph, message, reduce, apply=None, etype=None):
        calls.append((graph.canonical_etypes, apply is not None))
        return theirs(graph, message, reduce, apply, etype)

    monkeypatch.setattr(dgl.DGLGraph, "update_all", noted)
    pass_messages(Stage(hypergraph([[0, 1], [1, 2]]), IN), torch.rand(3, WIDTH), make())
    assert calls == [([IN], True)]


def with_lazy_data(include_self):
    """Blocks whose graph has much data: the sampler attaches it, and nobody has looked at it."""
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]], 6)
    for name in ("x", "y", "m", "w", "feat", "label"):
        graph.nodes["node"].data[name] = torch.rand(6, 4)
        graph.nodes["hyperedge"].data[name] = torch.rand(3, 4)
        graph.edges["in"].data[name] = torch.rand(8, 4)
        graph.edges["contains"].data[name] = torch.rand(8, 4)
    return HyperSAGESampler(1, 2, 2).sample(graph, [3, 0, 5])[2][0]


def waiting(block) -> set[tuple[str, int, str]]:
    """Columns that DGL has not fetched from the whole graph yet."""
    frames = [("node", f) for f in block._node_frames] + [("edge", f) for f in block._edge_frames]
    return {
        (kind, i, key)
        for i, (kind, frame) in enumerate(frames)
        for key, column in frame._columns.items()
        if isinstance(column, Column) and column.index is not None
    }


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("p", [1, 2, (1, 2), math.inf])
def test_data_of_blocks_stay_untouched_and_unfetched(p, include_self, fast):
    first, second = with_lazy_data(include_self)
    before = [waiting(block) for block in (first, second)]
    assert sum(key == "feat" for *_, key in before[0]) >= 2
    keys = [
        [list(frame) for frame in (*block._node_frames, *block._edge_frames)]
        for block in (first, second)
    ]
    conv = HyperSAGEConv(WIDTH, 2, p, include_self=include_self)
    conv.aggregate((first, second), torch.rand(first.num_src_nodes("node"), WIDTH), fast=fast)
    for block, was, names in zip((first, second), before, keys):
        # What the layer needs itself is fetched; of the rest nothing is.
        fetched = {key for *_, key in was - waiting(block)}
        assert fetched <= {"size", "degree", "weight", dgl.NID}
        assert [list(f) for f in (*block._node_frames, *block._edge_frames)] == names


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("aggregator", [Max(), Min(), PowerMean(math.inf)], ids=repr)
@pytest.mark.parametrize("fast", [True, False])
def test_what_is_no_number_is_not_passed_over(aggregator, value, fast):
    graph, x = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, 2) + 0.1
    x[0, 0] = value
    if value == -math.inf and isinstance(aggregator, PowerMean):
        return  # the floor raises it
    out = pass_messages(Stage(graph, IN), x, aggregator)
    assert out.isnan().tolist() == [[True, False], [False, False]]
    for include_self in (True, False):
        conv = HyperSAGEConv(2, 2, intra_aggr=aggregator, include_self=include_self)
        assert conv.aggregate(graph, x, fast=fast)[1:, 0].isnan().tolist() == [True, True, False]
