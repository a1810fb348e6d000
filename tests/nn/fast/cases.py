"""One hypergraph, whole or sampled, weighted or not, and the two ways through a layer on it."""

from __future__ import annotations

import math
import warnings

import dgl
import torch

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv, PowerMean

INF, WIDTH = math.inf, 3
# Overlapping, equal and singleton hyperedges; nodes 8 and 9 are isolated.
HYPEREDGES = [[0, 1, 2, 3], [2, 3], [3, 2], [4], [0, 3, 4], [5, 6, 7, 1, 0], [7, 4], [6, 2, 5]]
NODES = 10
INTERS = ["size", "mean", "paper", "invariant"]
WEIGHTS = ["none", "hyperedges", "incidences", "both"]
PLACES = ["graph", "blocks"]
DTYPES = [torch.float32, torch.float64]
FORWARD = {torch.float32: 1e-4, torch.float64: 1e-8}


def place(weights: str, where: str, include_self: bool):
    """The graph or a pair of sampled blocks of it, always the same, and its input nodes."""
    numbers = torch.Generator().manual_seed(5)
    options = {}
    if weights in ("hyperedges", "both"):
        options["hyperedge_weight"] = torch.rand(len(HYPEREDGES), generator=numbers) + 0.3
    if weights in ("incidences", "both"):
        count = sum(map(len, HYPEREDGES))
        options["incidence_weight"] = torch.rand(count, generator=numbers) + 0.3
    graph = hypergraph(HYPEREDGES, NODES, **options)
    if where == "graph":
        return graph, torch.arange(NODES)
    dgl.seed(1)
    sampler = HyperSAGESampler(1, 2, 2, num_neighbors=num_neighbors(graph, include_self))
    found, _, [pair] = sampler.sample(graph, [3, 0, 9, 4, 2, 7])
    return pair, found["node"]


def features(dtype: torch.dtype, zeros: bool = True) -> torch.Tensor:
    """No two alike but the zeros, so that max and min have a slope."""
    numbers = torch.Generator().manual_seed(4)
    x = (torch.rand(NODES, WIDTH, generator=numbers, dtype=torch.float64) * 3 + 0.05).to(dtype)
    return x * (torch.rand(NODES, WIDTH, generator=numbers) > 0.4) if zeros else x


def layer(p, inter: str, include_self: bool, dtype: torch.dtype, **options) -> HyperSAGEConv:
    """A layer whose weights are always the same; ``p`` may be a function that makes one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(2)
        p = p() if callable(p) else p
        return HyperSAGEConv(WIDTH, 2, p, inter=inter, include_self=include_self, **options).to(
            dtype
        )


def exists(p, inter: str, **_) -> bool:
    """Whether weights that do not sum to one allow this p: neither 0 nor learned, nor small."""
    if inter in ("size", "mean"):
        return True
    across = p[1] if isinstance(p, tuple) else p
    return not callable(across) and abs(across) >= 0.1


def learned():
    return PowerMean(2.0, learn=True)


def by_channel():
    made = PowerMean(1.0, learn=True, channels=WIDTH)
    with torch.no_grad():
        made.p.copy_(torch.tensor([-2.0, 0.03, 3.0]))
    return made


def both_ways(conv: HyperSAGEConv, graph, feat: torch.Tensor):
    """Aggregate and layer by the fast and by the plain way, with the gradients of all there is."""
    results = []
    for fast in (True, False):
        conv.fast = fast
        x = feat.detach().clone()
        inputs = list(conv.parameters())
        if x.layout == torch.strided:
            inputs = [x.requires_grad_(), *inputs]
        aggregate, out = conv.aggregate(graph, x), conv(graph, x)
        slope = torch.linspace(0.5, 2, out.numel(), dtype=out.dtype).view_as(out)
        loss = (out * slope).sum()
        if aggregate.requires_grad:
            slope = torch.linspace(0.5, 2, aggregate.numel(), dtype=out.dtype)
            loss = loss + (aggregate * slope.view_as(aggregate)).sum()
        results.append((aggregate, out, torch.autograd.grad(loss, inputs)))
    return results


def assert_alike(conv: HyperSAGEConv, graph, feat: torch.Tensor) -> None:
    """Forward and gradient of the two ways agree."""
    (ours, out, slopes), (plain, plain_out, plain_slopes) = both_ways(conv, graph, feat)
    rtol = FORWARD[feat.dtype]
    assert ours.layout == plain.layout == torch.strided
    assert ours.dtype == plain.dtype == feat.dtype
    assert float(plain.detach().abs().max()) > 0
    torch.testing.assert_close(ours, plain, rtol=rtol, atol=1e-2 * rtol)
    torch.testing.assert_close(out, plain_out, rtol=rtol, atol=rtol)
    for slope, expected in zip(slopes, plain_slopes):
        scale = float(expected.abs().max())
        torch.testing.assert_close(slope, expected, rtol=10 * rtol, atol=10 * rtol * scale)
