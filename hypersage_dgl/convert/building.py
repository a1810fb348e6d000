"""What readers share: numbers for names, and hypergraphs that may have empty hyperedges."""

from __future__ import annotations

from collections.abc import Iterable

import dgl
import torch
from torch import Tensor

from ..hypergraphs import (
    HYPEREDGE,
    IN,
    NODE,
    Ids,
    Weights,
    as_ids,
    assemble,
    hypergraph_from_incidence,
    incidences,
)
from .named import Name, plain_names, require_distinct


class Numbering:
    """Ids for names, in the order of first sight; with ``known`` names, for those alone."""

    def __init__(self, what: str, known: Iterable[Name] | None = None) -> None:
        self.what, self.fixed = what, known is not None
        listed = () if known is None else plain_names(known)
        require_distinct(listed, f"{what} names")
        self.ids: dict[Name, int] = {name: position for position, name in enumerate(listed)}

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, name: Name) -> int:
        if self.fixed and name not in self.ids:
            raise ValueError(
                f"{self.what} {name!r} is unknown: it is not among the {len(self)} given "
                f"{self.what} names; correct it or add it to them"
            )
        return self.ids.setdefault(name, len(self.ids))

    @property
    def names(self) -> tuple[Name, ...]:
        """The names, in the order of their ids."""
        return tuple(self.ids)


def build(
    node_ids: Ids,
    hyperedge_ids: Ids,
    num_nodes: int,
    num_hyperedges: int,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
) -> dgl.DGLGraph:
    """Build a hypergraph that may have empty hyperedges, as a written cut has them."""
    nodes = as_ids(node_ids, NODE, num_nodes)
    edges = as_ids(hyperedge_ids, HYPEREDGE, num_hyperedges)
    empty = (torch.bincount(edges, minlength=num_hyperedges) == 0).nonzero().flatten()
    # One more node fills the empty hyperedges, so that all checks are those of the builder.
    filled = hypergraph_from_incidence(
        torch.cat((nodes, torch.full_like(empty, num_nodes))),
        torch.cat((edges, empty)),
        num_nodes + 1,
        num_hyperedges,
        hyperedge_weight=hyperedge_weight,
        incidence_weight=_with_ones(incidence_weight, len(empty)),
    )
    members, of = incidences(filled)
    count = len(members) - len(empty)
    graph = assemble(members[:count], of[:count], num_nodes, num_hyperedges, torch.int64)
    if "weight" in filled.edges[IN].data:
        graph.edges[IN].data["weight"] = filled.edges[IN].data["weight"][:count]
    if "weight" in filled.nodes[HYPEREDGE].data:
        graph.nodes[HYPEREDGE].data["weight"] = filled.nodes[HYPEREDGE].data["weight"]
    return graph


def _with_ones(weights: Weights | None, count: int) -> Tensor | None:
    if weights is None:
        return None
    # Weights meet float32 features in the layers, and DGL does not mix types.
    given = torch.as_tensor(weights).detach().cpu().float()
    return torch.cat((given, torch.ones(count)))


def refuse_weights(graph: dgl.DGLGraph, where: str, target: str) -> None:
    """Raise where weights on hyperedges or incidences would be lost without a word."""
    frame = graph.edges[IN].data if where == "incidence" else graph.nodes[HYPEREDGE].data
    if "weight" in frame:
        part = "edges['in']" if where == "incidence" else "nodes['hyperedge']"
        raise ValueError(
            f"the hypergraph has {where} weights, and {target} has no place for them; keep them "
            f"with write_hif or save_hypergraph, or drop them: graph.{part}.data.pop('weight')"
        )
