"""Sums over the edges of a relation by torch's own kernels, faster than DGL's and to the same bits.

A destination is a bag of rows: ``embedding_bag`` sums them in float32, torch's sparse product in
float64. The way back is the same over the turned relation, so derivatives of any order exist.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from ..._utils import csr_tensor
from ..aggregators import Aggregator
from ..large_powers import exceeds_floats
from ..message_passing import divided, pass_messages, root_of
from ..power_mean import is_identity
from ..stage import Stage

# What the kernels can count with; also so many rows are read by 32-bit ids.
LARGEST_INT32 = 2**31 - 1


class Bags(NamedTuple):
    """The rows that each bag sums: where its ids begin, the ids, and the edge of each."""

    starts: Tensor
    ids: Tensor
    edges: Tensor
    num_rows: int


def bags_of(stage: Stage) -> tuple[Bags, Bags]:
    """The bags of the destinations, and those of the sources for the way back.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> inside = Stage(hypergraph([[0, 1], [1, 2]]), ("node", "in", "hyperedge"))
    >>> bags_of(inside)[0].ids
    tensor([0, 1, 1, 2], dtype=torch.int32)
    """
    if stage.cache is None:
        return _made(stage)
    return stage.cache.get(stage.graph, ("bags", stage.etype), lambda: _made(stage))


def _made(stage: Stage) -> tuple[Bags, Bags]:
    sizes = (stage.num_sources, stage.num_destinations)
    is_small = max(*sizes, stage.num_edges) < LARGEST_INT32
    made = []
    for form, num_rows in (("csc", sizes[0]), ("csr", sizes[1])):
        starts, ids, edges = stage.graph.adj_tensors(form, stage.etype)
        if is_small:
            starts, ids = starts.int(), ids.int()
        made.append(Bags(starts, ids, edges.long(), num_rows))
    return made[0], made[1]


def applies(stage: Stage, x: Tensor) -> bool:
    """Whether the kernels can sum these rows: float32 or float64 on the CPU, no learned weights."""
    weight = stage.edge_weight
    is_learned = weight is not None and weight.requires_grad and torch.is_grad_enabled()
    is_known = x.dtype in (torch.float32, torch.float64) and x.device.type == "cpu"
    return is_known and not is_learned and stage.num_edges > 0 and x.numel() > 0


def summed(stage: Stage, x: Tensor) -> Tensor:
    """``stage.sum(x)``, by DGL where the kernels do not apply."""
    if not applies(stage, x):
        return stage.sum(x)
    into, out_of = bags_of(stage)
    weights: tuple[Tensor | None, Tensor | None] = (None, None)
    if stage.edge_weight is not None:
        weight = stage.edge_weight.detach().to(x.dtype)
        weights = (weight[into.edges], weight[out_of.edges] if x.requires_grad else None)
    return weighed(x, into, out_of, *weights)


def weighed(
    x: Tensor, into: Bags, out_of: Bags, weight: Tensor | None, weight_back: Tensor | None
) -> Tensor:
    """Sum of the rows of each bag, weighed; ``out_of`` and its weights are for the way back."""
    out: Tensor = _Sum.apply(x, into, out_of, weight, weight_back)  # type: ignore[no-untyped-call]
    return out


def sum_bags(table: Tensor, ids: Tensor, starts: Tensor, weight: Tensor | None = None) -> Tensor:
    """Weighted sums of the rows of a table that each bag picks, none of which is copied.

    Examples
    --------
    >>> table = torch.tensor([[1.0], [10.0], [100.0]])
    >>> sum_bags(table, torch.tensor([0, 2, 1]), torch.tensor([0, 2, 3]))
    tensor([[101.],
            [ 10.]])
    """
    return F.embedding_bag(
        ids, table, starts, mode="sum", per_sample_weights=weight, include_last_offset=True
    )


def are_plain_means(intra: Stage, inter: Stage, aggregators: tuple[Aggregator, Aggregator]) -> bool:
    """Whether both stages are weighted means of the rows as they are, with nothing added."""
    is_mean = all(is_identity(each) and each.reduce == "mean" for each in aggregators)
    return is_mean and intra.offset is None and intra.role is None and inter.role is None


class _Sum(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        into: Bags,
        out_of: Bags,
        weight: Tensor | None,
        weight_back: Tensor | None,
    ) -> Tensor:
        ctx.back = (out_of, into, weight_back, weight)
        rows = x.detach().contiguous()
        if x.dtype == torch.float32:
            return sum_bags(rows, into.ids, into.starts, weight)
        values = rows.new_ones(len(into.ids)) if weight is None else weight
        shape = (len(into.starts) - 1, into.num_rows)
        return torch.sparse.mm(csr_tensor(into.starts, into.ids, values, shape), rows, "sum")

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None, None]:
        return _Sum.apply(grad, *ctx.back), None, None, None, None  # type: ignore[no-untyped-call]


def mass(stage: Stage, like: Tensor) -> Tensor:
    """``stage.mass(like)``."""
    if stage.weight is None:
        return stage.mass(like)
    return summed(stage, stage.weight.to(like.dtype).unsqueeze(-1))


def pass_fast(stage: Stage, x: Tensor, aggregator: Aggregator) -> Tensor:
    """``pass_messages(stage, x, aggregator)``, with sums and means by bags."""
    is_sum = aggregator.reduce in ("mean", "sum") and stage.role is None
    if not is_sum or exceeds_floats(aggregator, x) or not applies(stage, x):
        return pass_messages(stage, x, aggregator)
    lifted = aggregator.lift(x)
    weighed = mass(stage, lifted)
    is_empty = weighed == 0
    if stage.weight is not None:
        lifted = lifted * stage.weight.to(lifted.dtype).unsqueeze(-1)
    total = summed(stage, lifted)
    if aggregator.reduce == "mean":
        total = divided(total, weighed.masked_fill(is_empty, 1))
    out = root_of(aggregator, total, is_empty).to(x.dtype)
    return out if stage.offset is None else out + stage.offset.to(out.dtype)
