"""Members with roles, such as head and tail, or author and venue: an aggregator for each role."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, TypeGuard

import torch
from torch import Tensor, nn

from .aggregators import LSTM, Aggregator, Max, Mean, Min, Sum
from .attention import Attention
from .power_mean import PowerMean
from .stage import Stage


class ByRole(Aggregator):
    r"""Aggregate the members of each role apart, and join the results by their weights.

    .. math::
        F_1(v,e) = \sum_r \frac{A_r}{\sum_s A_s}\, U_r\, F_r(\{x_j : \mathrm{role}(j,e) = r\}),
        \qquad A_r = \sum_{j:\, \mathrm{role}(j,e) = r} a_{je}

    So a role may have a p or an attention of its own and, with ``feats``, a matrix U of its own.
    With one mean for all and without U, roles change nothing. For the members inside hyperedges
    only, ``intra_aggr``.

    Parameters
    ----------
    aggregators
        One for each role, from role 0 on; for a model also callables that make one for a width.
    key
        Where the roles are: ``g.edges["in"].data[key]``, an integer for each incidence.
        ``"direction"`` is that of a HIF file: 0 not said, 1 tail, 2 head, 3 both.
    feats
        Width of the features, to learn the matrices U, which start as the identity; for a model
        any width will do. By default there are none.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import HyperSAGEConv, Max, Mean
    >>> g = hypergraph([[0, 1, 2]])
    >>> g.edges["in"].data["role"] = torch.tensor([0, 1, 1])
    >>> conv = HyperSAGEConv(1, 1, intra_aggr=ByRole([Mean(), Max()]))
    >>> conv.hyperedge_embed(g, torch.tensor([[3.0], [1.0], [9.0]]))
    tensor([[7.]])
    """

    reduce = "roles"

    def __init__(
        self, aggregators: Sequence[Any], *, key: str = "role", feats: int | None = None
    ) -> None:
        super().__init__()
        if not aggregators:
            raise ValueError("aggregators is empty; give one for each role")
        self.key, self.feats, self.count = key, feats, len(aggregators)
        objects = {str(i): a for i, a in enumerate(aggregators) if isinstance(a, Aggregator)}
        self.parts = nn.ModuleDict(objects)
        self._makers = {i: a for i, a in enumerate(aggregators) if str(i) not in objects}
        self.maps: nn.Parameter | None = None
        if feats is not None:
            self.maps = nn.Parameter(torch.empty(len(aggregators), feats, feats))
        self._reset_maps()

    def reset_parameters(self) -> None:
        """Set the matrices to the identity, and reset the aggregators."""
        self._reset_maps()
        for aggregator in self.aggregators:
            if isinstance(aggregator, Aggregator):
                aggregator.reset_parameters()

    def _reset_maps(self) -> None:
        if self.maps is not None:
            with torch.no_grad():
                self.maps.copy_(torch.eye(self.maps.shape[1]).expand_as(self.maps))

    @property
    def aggregators(self) -> list[Any]:
        """One for each role."""
        makers = self._makers
        return [makers[i] if i in makers else self.parts[str(i)] for i in range(self.count)]

    @property
    def is_made(self) -> bool:
        """Whether no callable waits for a width."""
        return not self._makers

    def for_width(self, width: int) -> ByRole:
        """Return a fresh one like this for so many features."""
        made = [
            a.for_width(width) if isinstance(a, (PowerMean, ByRole)) else a
            for a in self.aggregators
        ]
        made = [copy.deepcopy(a) if isinstance(a, Aggregator) else a(width) for a in made]
        return ByRole(made, key=self.key, feats=None if self.feats is None else width)

    @property
    def width(self) -> int | None:
        """Width of the features, None if any will do."""
        widths = (self.feats, *map(width_of, self.parts.values()))
        return next((width for width in widths if width is not None), None)

    def mapped(self, role: int, rows: Tensor) -> Tensor:
        """U of a role, times each row."""
        return rows if self.maps is None else rows @ self.maps[role].T.to(rows.dtype)

    def roles_of(self, intra: Stage) -> Tensor:
        """The role of each edge of the stage."""
        roles = intra.graph.edges[intra.etype].data.get(self.key)
        place = f"g.edges['in'].data[{self.key!r}]"
        if roles is None:
            raise ValueError(f"{self!r} needs the roles of members; set {place}")
        if roles.shape != (intra.num_edges,) or roles.is_floating_point():
            raise ValueError(f"{place} must hold an integer for each incidence")
        if bool(((roles < 0) | (roles >= self.count)).any()):
            raise ValueError(
                f"{place} has roles from {int(roles.min())} to {int(roles.max())}; {self!r} has "
                f"aggregators for 0 to {self.count - 1}"
            )
        return roles

    def __repr__(self) -> str:
        names = [a.__name__ if isinstance(a, type) else repr(a) for a in self.aggregators]
        options = [] if self.key == "role" else [f"key={self.key!r}"]
        options += [] if self.feats is None else [f"feats={self.feats}"]
        listed = f"[{', '.join(names)}]"
        return f"ByRole({', '.join([listed, *options])})"


def is_by_role(aggregator: Aggregator) -> TypeGuard[ByRole]:
    """Whether it aggregates the members of each role apart."""
    return isinstance(aggregator, ByRole)


def width_of(aggregator: object) -> int | None:
    """The width that one of our aggregators is made for; None if any will do.

    What somebody's own aggregator calls ``width`` may be anything.
    """
    if isinstance(aggregator, (LSTM, Attention, PowerMean, ByRole)):
        return aggregator.width
    return None


def is_ours(aggregator: Aggregator) -> bool:
    """Whether it and all its parts are classes of this library, none a subclass of them."""
    ours = (Mean, Sum, Max, Min, PowerMean, ByRole)
    return all(type(part) in ours for part in aggregator.modules() if isinstance(part, Aggregator))
