"""The layer: forward and backward of its aggregation alone.

``HyperSAGEConv.aggregate`` on a random hypergraph of dblp's shape (41,302 nodes, 22,363 hyperedges,
99,561 incidences) against two bare ``dgl.ops.copy_u_mean`` calls, which compute p=1, against PyG's
``PowerMeanAggregation`` in two stages, and against Python reducers in DGL, what public HyperSAGE
code does. With one p at both levels the layer is one lift, two sparse products and one root. There
is no dropout inside an aggregation. Powers above 5 are taken in float64, where a power and its root
take longer than both sums: that is what p=20 costs.
Without self the sums are in float64 too, so that what a node's own row takes from them leaves the
digits of the others: at few columns that is more than the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.nn import HyperSAGEConv

import dgl
import dgl.function as fn
import numpy as np
import torch
from torch import Tensor

from .measure import Case, Comparison, Settings, Step
from .peers import present

SHAPE = (41_302, 22_363, 99_561)
# Powers, and the largest ratio to the bare operations that we allow ourselves.
POWERS = {1.0: 1.3, 2.0: 3.0, -1.0: 3.0, 0.01: 6.0, 0.0: 3.0, 20.0: 5.0, float("inf"): None}
Shape = tuple[int, int, int]
Power = float | tuple[float, float]


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """One for each width."""
    shape = (400, 200, 1000) if settings.quick else SHAPE
    _, missing = present()
    for width in (32, 256):
        cases = [Case("two copy_u_mean", partial(bare, shape, width), is_reference=True)]
        if "PyG HypergraphConv" not in missing:
            cases.append(Case("PyG PowerMeanAggregation, p=2", partial(of_pyg, shape, width), True))
        if width == 32:
            cases.append(Case("DGL with Python reducers", partial(reducers, shape, width), True))
        for p, goal in POWERS.items():
            cases.append(Case(f"ours, p={p:g}", partial(ours, shape, width, p), goal=goal))
        alone = partial(ours, shape, width, 1.0, include_self=False)
        cases.append(Case("ours, p=1, without self", alone, goal=4.0))
        both = partial(ours, shape, width, (1.0, 2.0))
        cases.append(Case("ours, p=1 inside and 2 across", both))
        yield Comparison(f"width {width}", cases, settings.repeats(4), {}, weighed=width == 256)


def random_hypergraph(shape: Shape, seed: int = 0) -> dgl.DGLGraph:
    """Nodes, hyperedges, incidences: heavy-tailed sizes, and every node has a hyperedge."""
    num_nodes, num_hyperedges, num_incidences = shape
    rng = np.random.default_rng(seed)
    share = rng.pareto(2.0, num_hyperedges) + 0.5
    hyperedges = rng.choice(num_hyperedges, num_incidences, p=share / share.sum())
    hyperedges[:num_hyperedges] = np.arange(num_hyperedges)
    nodes = rng.permutation(np.arange(num_incidences) % num_nodes)
    return hypergraph_from_incidence(nodes, hyperedges, num_nodes, num_hyperedges)


def both_ways(run: Callable[[Tensor], Tensor], num_nodes: int, width: int) -> Step:
    """Forward and backward."""
    torch.manual_seed(0)
    x = (torch.rand(num_nodes, width) + 0.05).requires_grad_()

    def step() -> None:
        x.grad = None
        run(x).sum().backward()  # type: ignore[no-untyped-call]

    return step


def ours(shape: Shape, width: int, p: Power, include_self: bool = True) -> Step:
    """The layer's aggregation."""
    g, conv = random_hypergraph(shape), HyperSAGEConv(width, 1, p, include_self=include_self)
    return both_ways(lambda x: conv.aggregate(g, x), shape[0], width)


def bare(shape: Shape, width: int) -> Step:
    """What any two stages of means cost in DGL."""
    g = random_hypergraph(shape)
    into, out_of = g["in"], g["contains"]
    mean = dgl.ops.copy_u_mean
    return both_ways(lambda x: mean(out_of, mean(into, x)), shape[0], width)


def of_pyg(shape: Shape, width: int) -> Step:
    """PyG's power mean; it clamps to [1e-4, 100] before and after the power."""
    aggregate = import_module("torch_geometric.nn.aggr").PowerMeanAggregation(2.0)
    nodes, edges = random_hypergraph(shape).edges(etype="in")
    # In ascending order, as its sums want them.
    order = edges.argsort(stable=True)
    nodes, edges = nodes[order], edges[order]
    back = nodes.argsort(stable=True)

    def run(x: Tensor) -> Tensor:
        inside = aggregate(x[nodes], edges, dim_size=shape[1])
        return aggregate(inside[edges[back]], nodes[back], dim_size=shape[0])

    return both_ways(run, shape[0], width)


def reducers(shape: Shape, width: int) -> Step:
    """Two stages by Python reducers."""
    g = random_hypergraph(shape)

    def run(x: Tensor) -> Tensor:
        with g.local_scope():
            g.nodes["node"].data["x"] = x
            for relation in ("in", "contains"):
                mean = {"reduce_func": lambda nodes: {"x": nodes.mailbox["m"].mean(1)}}
                g.update_all(fn.copy_u("x", "m"), **mean, etype=relation)
            return g.nodes["node"].data["x"]

    return both_ways(run, shape[0], width)
