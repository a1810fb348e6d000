"""What an aggregator is, and the plain ones: mean, sum, max, min and LSTM.

A new one for everybody gets its name in :mod:`.named_aggregators`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Union

from torch import Tensor, nn

Reduce = Union[str, Callable[[Tensor], Tensor]]


class Aggregator(nn.Module):
    r"""Base class: lift every input, reduce a neighbourhood, take the root of the result.

    .. math:: F(x_1, \dots, x_n) = \mathrm{root}\,(\mathrm{reduce}_j\ \mathrm{lift}(x_j))

    One aggregator works at either level: on the members of a hyperedge (intra) and on the
    hyperedges of a node (inter). To plug in your own, subclass, override what differs, and pass an
    instance as ``intra_aggr`` or ``inter_aggr`` of :class:`~hypersage_dgl.nn.HyperSAGEConv`. One
    with learned parameters needs :meth:`reset_parameters`, too.

    Attributes
    ----------
    reduce : str or callable
        ``"mean"``, the default, is weighted: by incidence weights inside a hyperedge, by
        ``inter`` across hyperedges. ``"sum"`` counts incidence and hyperedge weights only,
        ``"max"`` and ``"min"`` no weights. These four run as DGL's built-in message passing. A
        callable gets the lifted inputs of equally large neighbourhoods as a tensor (groups,
        members, width) and returns (groups, width): any Python, but far slower, unweighted, and
        without ``include_self`` its cost grows with Σ|e|².

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import HyperSAGEConv
    >>> class LogSumExp(Aggregator):
    ...     reduce = "sum"
    ...     def lift(self, x):
    ...         return x.exp()
    ...     def root(self, y):
    ...         return y.log()
    >>> conv = HyperSAGEConv(1, 1, intra_aggr=LogSumExp())
    >>> conv.hyperedge_embed(hypergraph([[0, 1]]), torch.zeros(2, 1))
    tensor([[0.6931]])
    """

    reduce: Reduce = "mean"

    def lift(self, x: Tensor) -> Tensor:
        """Transform the inputs, element by element, before they are reduced."""
        return x

    def root(self, y: Tensor) -> Tensor:
        """Transform the reduced values back, usually the inverse of :meth:`lift`."""
        return y

    def reset_parameters(self) -> None:
        """Draw learned parameters again; the plain aggregators have none."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Mean(Aggregator):
    """Weighted arithmetic mean, without a floor: :class:`PowerMean` at a fixed p=1."""


class Sum(Aggregator):
    """Sum, weighted by incidence and hyperedge weights; not a mean, so it grows with size."""

    reduce = "sum"


class Max(Aggregator):
    """Largest input of each channel, without a floor."""

    reduce = "max"


class Min(Aggregator):
    """Smallest input of each channel, without a floor."""

    reduce = "min"


class LSTM(Aggregator):
    """Last hidden state of an LSTM that reads the neighbourhood in the order of its incidences.

    GraphSAGE offers it and the HyperSAGE paper names it; alone among the aggregators it is not
    invariant under permutation. It ignores weights.

    Parameters
    ----------
    feats
        Width of the features.
    """

    def __init__(self, feats: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(feats, feats, batch_first=True)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the LSTM's weights again."""
        gain = nn.init.calculate_gain("relu")
        self.lstm.reset_parameters()
        for name, weight in self.lstm.named_parameters():
            if name.startswith("weight"):
                nn.init.xavier_uniform_(weight, gain=gain)

    @property
    def width(self) -> int:
        """Width of the features."""
        return self.lstm.input_size

    def reduce(self, mailbox: Tensor) -> Tensor:
        """Read each group's members one after the other."""
        _, (hidden, _) = self.lstm(mailbox)
        return hidden.squeeze(0)

    def __repr__(self) -> str:
        return f"LSTM({self.lstm.input_size})"
