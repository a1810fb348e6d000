"""Attention: a mean whose weights are learned from what is averaged."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import torch
from dgl.nn.functional import edge_softmax
from torch import Tensor, nn

from .aggregators import Aggregator
from .stage import Stage


class Attention(Aggregator):
    r"""Mean of a neighbourhood, weighted by a softmax over a score of each input.

    .. math::
        F(x_1, \dots, x_n) = \sum_j \alpha_j x_j, \qquad
        \alpha_j = \frac{a_j \exp s(x_j)}{\sum_k a_k \exp s(x_k)}, \qquad
        s(x) = u^\top \tanh(V x + c)

    Inside a hyperedge :math:`a_j` are incidence weights, across hyperedges hyperedge weights; 1 if
    there are none. The attention stands in the place of the weighting ``inter``. On sampled blocks
    the softmax runs over the sample. Without ``include_self`` its cost inside grows with Σ|e|².
    For a score of your own, subclass and override :meth:`score`.

    Parameters
    ----------
    feats
        Width of the features.
    hidden
        Rows of V.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import HyperSAGE, HyperSAGEConv
    >>> conv = HyperSAGEConv(4, 2, intra_aggr=Attention(4), inter_aggr=Attention(4))
    >>> conv(hypergraph([[0, 1], [1, 2]]), torch.rand(3, 4)).shape
    torch.Size([3, 2])
    >>> HyperSAGE(4, 8, 2, intra_aggr=Attention).first.intra_aggr
    Attention(4)
    """

    reduce = "attention"

    def __init__(self, feats: int, hidden: int = 16) -> None:
        super().__init__()
        self.width = feats
        self.hidden, self.out = nn.Linear(feats, hidden), nn.Linear(hidden, 1, bias=False)

    def reset_parameters(self) -> None:
        """Draw the weights of the score again."""
        self.hidden.reset_parameters()
        self.out.reset_parameters()

    def score(self, x: Tensor) -> Tensor:
        """s(x), a column with a number for each row."""
        return self.out(torch.tanh(self.hidden(x)))

    def __repr__(self) -> str:
        hidden = self.hidden.out_features
        return f"Attention({self.width}{'' if hidden == 16 else f', hidden={hidden}'})"


def is_attention(aggregator: Aggregator) -> TypeGuard[Attention]:
    """Whether the weights of its mean come from the inputs themselves."""
    return isinstance(aggregator, Attention)


def attended(stage: Stage, score: Tensor) -> Stage:
    """The stage with attention in the place of its weights, which are part of it; it has edges."""
    sources, _ = stage.edges
    logits = score[sources]
    for weight in (None if stage.weight is None else stage.weight[sources], stage.edge_weight):
        if weight is not None:
            logits = logits + weight.to(logits.dtype).log().unsqueeze(-1)
    return replace(stage, weight=None, edge_weight=edge_softmax(stage.relation, logits).squeeze(-1))
