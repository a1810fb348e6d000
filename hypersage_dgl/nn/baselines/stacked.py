"""Baselines of hidden layers between two linear maps, on a hypergraph with a loop at each node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import dgl
import torch
from torch import Tensor, nn

from ...hypergraphs import HYPEREDGE, NODE, hypergraph_from_incidence, incidences
from ..fast import summed
from ..stage import Stage, split_stages
from .base import Baseline, Projection


@dataclass
class Structure:
    """Both stages of the hypergraph with loops, and what the first hidden layer was given."""

    inside: Stage
    across: Stage
    start: Tensor | None = None


class Perceptron(nn.Module):
    """So many linear maps; after each but the last come ReLU, LayerNorm and dropout."""

    def __init__(self, in_feats: int, out_feats: int, num_layers: int, dropout: float) -> None:
        super().__init__()
        parts: list[nn.Module] = []
        for i in range(num_layers):
            parts.append(nn.Linear(in_feats if i == 0 else out_feats, out_feats))
            if i < num_layers - 1:
                parts += [nn.ReLU(), nn.LayerNorm(out_feats), nn.Dropout(dropout)]
        self.parts = nn.Sequential(*parts)

    def forward(self, x: Tensor) -> Tensor:
        """Compute the map of every row."""
        return self.parts(x)


class Stacked(Baseline):
    """A linear map of the features, hidden layers that pass messages, and a linear map to logits.

    After the first map and each hidden layer comes ReLU; dropout acts on the input of every layer
    but the first, and inside of perceptrons. Each node has a further hyperedge {v}, as in the code
    of all these models' authors, so that one in no other hyperedge hears of itself. Weights of the
    hypergraph are not used.

    ``num_layers`` counts the hidden layers that pass messages.
    """

    # The options of a model besides those of all, with their defaults.
    own: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        dropout: float = 0.5,
        *,
        feat_drop: float = 0.0,
        **options: Any,
    ) -> None:
        unknown = sorted(set(options) - set(self.own))
        if unknown:
            raise TypeError(
                f"{type(self).__name__} has no option {unknown[0]!r}; it has "
                f"{', '.join(self.own) or 'none of its own'}"
            )
        self.options = {**self.own, **options}
        super().__init__(
            in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop=feat_drop
        )
        self.config.update(self.options)

    @property
    def reach(self) -> int | None:
        """The first and the last map look at no hyperedge."""
        return len(self.layers) - 2

    def reset_parameters(self) -> None:
        """Draw all parameters again."""
        # Those inside come first: what a layer draws itself it draws last.
        for part in reversed(list(self.layers.modules())):
            reset = getattr(part, "reset_parameters", None)
            if reset is not None:
                reset()

    def make_layers(
        self, in_feats: int, hidden_feats: int, out_feats: int, num_layers: int
    ) -> Iterable[nn.Module]:
        """The map, the hidden layers and the other map."""
        yield Projection(in_feats, hidden_feats)
        for _ in range(num_layers):
            yield self.make_layer(hidden_feats, hidden_feats)
        yield Projection(hidden_feats, out_feats)

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> Structure:
        """The stages of the hypergraph with loops, which are made at the first call for it."""
        looped = self.cache.get(graph, "looped", lambda: with_loops(graph))
        return Structure(*split_stages(looped, self.cache))

    def step(self, depth: int, structure: Structure, feat: Tensor, rate: float) -> Tensor:
        """One layer without its activation, after dropout at this rate."""
        layer = self.layers[depth]
        if isinstance(layer, Projection):
            return layer(feat, rate) + layer.linear.bias
        if depth == 1:
            structure.start = feat
        return self.pass_on(depth, structure, torch.dropout(feat, rate, train=rate > 0))

    def pass_on(self, depth: int, structure: Structure, feat: Tensor) -> Tensor:
        """A hidden layer of the hidden width."""
        raise NotImplementedError(f"{type(self).__name__} does not say how a layer passes on")


def with_loops(graph: dgl.DGLGraph) -> dgl.DGLGraph:
    """The hypergraph without data, with a hyperedge {v} for each node after its own hyperedges.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> with_loops(hypergraph([[0, 1]], num_nodes=3)).num_nodes("hyperedge")
    4
    """
    nodes, hyperedges = (ids.long() for ids in incidences(graph))
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    every = torch.arange(n, device=nodes.device)
    looped = hypergraph_from_incidence(
        torch.cat([nodes, every]), torch.cat([hyperedges, m + every]), n, m + n, allow_empty=True
    )
    return looped.to(graph.device)


def mean(stage: Stage, x: Tensor) -> Tensor:
    """Mean of the sources' rows at each destination; zeros where there is none."""
    return summed(stage, x) / stage.in_degrees.clamp_min(1).to(x.dtype).unsqueeze(-1)
