"""One stage of message passing: lift every row, one ``update_all``, and the root of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dgl.function as fn
import torch
from torch import Tensor

from .aggregators import Aggregator
from .attention import attended, is_attention
from .large_powers import exceeds_floats, pass_large_powers
from .power_mean import is_identity, is_power_mean
from .roles import ByRole, is_by_role
from .stage import Stage

BUILT_IN = {"mean": fn.sum, "sum": fn.sum, "attention": fn.sum, "max": fn.max, "min": fn.min}


def pass_messages(stage: Stage, x: Tensor, aggregator: Aggregator) -> Tensor:
    """Aggregate the sources' rows at each destination; zeros where there is no source.

    The plain reading of F1 and of F2: a mean divides the weighted sum by the weights.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import PowerMean
    >>> inside = Stage(hypergraph([[0, 1], [1, 2]]), ("node", "in", "hyperedge"))
    >>> pass_messages(inside, torch.tensor([[1.0], [7.0], [1.0]]), PowerMean(2))
    tensor([[5.],
            [5.]])
    """
    out = _aggregated(stage, x, aggregator)
    return out if stage.offset is None else out + stage.offset.to(out.dtype)


def _aggregated(stage: Stage, x: Tensor, aggregator: Aggregator) -> Tensor:
    if stage.num_edges == 0:
        return stage.zeros(x)
    if is_by_role(aggregator):
        return _by_role(stage, x, aggregator)
    if exceeds_floats(aggregator, x):
        return pass_large_powers(stage, x, aggregator)
    if is_attention(aggregator):
        stage = attended(stage, aggregator.score(x).to(x.dtype))
    lifted, message = aggregator.lift(x), fn.copy_u("x", "m")
    has_weights = aggregator.reduce in ("mean", "sum", "attention")
    mass = stage.mass(lifted) if has_weights else stage.in_degrees.unsqueeze(-1)
    with stage.relation.local_scope():
        if has_weights and stage.weight is not None:
            lifted = lifted * stage.weight.to(lifted.dtype).unsqueeze(-1)
        if has_weights and stage.edge_weight is not None:
            message = fn.u_mul_e("x", "w", "m")
            stage.relation.edata["w"] = stage.edge_weight.to(lifted.dtype).unsqueeze(-1)
        stage.relation.srcdata["x"] = lifted

        def root(nodes: Any) -> dict[str, Tensor]:
            reduced = nodes.data["y"]
            if aggregator.reduce == "mean":
                reduced = divided(reduced, mass.masked_fill(mass == 0, 1))
            return {"y": root_of(aggregator, reduced, mass == 0)}

        stage.relation.update_all(message, _reducer(aggregator), root, etype=stage.etype)
        out: Tensor = stage.relation.dstdata["y"].to(x.dtype)
    if aggregator.reduce in ("max", "min"):
        met = not_finite(stage, lifted)
        return out if met is None else out + met.to(out.dtype)
    return out


def not_finite(stage: Stage, lifted: Tensor) -> Tensor | None:
    """NaN at each destination of a NaN or infinite row, else 0; None if all rows are finite.

    DGL's max and min pass over NaN and make 0 of infinity, so a fault would look like a number.
    """
    # The cheapest look at all of them; of finite ones that overflow, the second look finds none.
    if bool(torch.isfinite(lifted.detach().sum())):
        return None
    return stage.sum(torch.zeros_like(lifted).masked_fill(~lifted.detach().isfinite(), torch.nan))


def _by_role(stage: Stage, x: Tensor, aggregator: ByRole) -> Tensor:
    """Each role apart, joined in the shares of their weights."""
    total = stage.mass(x)
    out = stage.zeros(x)
    for role, each in enumerate(aggregator.aggregators):
        part = stage.of_role(role)
        share = part.mass(x) / total.masked_fill(total == 0, 1)
        out = out + share * aggregator.mapped(role, _aggregated(part, x, each))
    return out


def _reducer(aggregator: Aggregator) -> Callable[..., Any]:
    """DGL's built-in function, or the aggregator's own on mailboxes of equal length."""
    reduce = aggregator.reduce
    if callable(reduce):
        return lambda nodes: {"y": reduce(nodes.mailbox["m"])}
    return BUILT_IN[reduce]("m", "y")


def divided(total: Tensor, mass: Tensor) -> Tensor:
    """A sum by its weights: nobody else has the sum, so in place unless its weights are learned."""
    return total / mass if mass.requires_grad else total.div_(mass)


def root_of(aggregator: Aggregator, reduced: Tensor, is_empty: Tensor) -> Tensor:
    """The root of every row, over ``reduced``, which nobody else has; zero where it is empty."""
    if is_identity(aggregator) and aggregator.reduce in ("mean", "sum"):
        # An empty sum is zero already.
        return reduced
    has_empty = bool(is_empty.any())
    if has_empty:
        # An empty row passes through the root as if its only input were 1: no NaN in its gradient.
        one = aggregator.lift(reduced.new_ones(1, reduced.shape[1]))
        reduced = torch.where(is_empty, one, reduced)
    if is_power_mean(aggregator):
        out = aggregator.root(reduced, in_place=True)
    else:
        out = aggregator.root(reduced)
    return out.masked_fill(is_empty, 0) if has_empty else out
