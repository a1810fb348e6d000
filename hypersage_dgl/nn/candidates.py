"""Score sets of nodes: how likely each is a hyperedge."""

from __future__ import annotations

from typing import NamedTuple

import dgl
from torch import Tensor, nn

from .._utils import require_count, require_rate
from ..hypergraphs import IN
from .aggregators import Aggregator, Max, Min
from .message_passing import pass_messages
from .stage import Stage


class Question(NamedTuple):
    """What messages pass on, and the candidates: a hypergraph whose hyperedges they are.

    ``graph`` is a hypergraph or pairs of blocks, as the encoder takes it; node i of ``candidates``
    is row i of the encoder's output.
    """

    graph: dgl.DGLGraph
    candidates: dgl.DGLGraph


class CandidateScorer(nn.Module):
    r"""Head that scores sets of nodes of any size by an aggregate of their embeddings.

    .. math:: s(c) = \mathrm{MLP}\left(F(\{z_v : v \in c\})\right)

    Candidates are a hypergraph, and F is the layer's first stage on it: each aggregator of
    :mod:`hypersage_dgl.nn` serves. By default it is max-min, the largest minus the smallest value
    of each channel, which is 0 where all members agree.

    Parameters
    ----------
    in_feats
        Width of the embeddings.
    hidden_feats
        Width of the MLP's one hidden layer.
    aggr
        An :class:`~hypersage_dgl.nn.Aggregator`, such as ``PowerMean(2)``, which raises negative
        embeddings to its floor; None for max-min.
    dropout
        Rate before the last linear map.
    out_feats
        Outputs of each set: 1 to tell hyperedges, or as many as hyperedges have classes, see
        :class:`~hypersage_dgl.training.HyperedgeLabels`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> scorer = CandidateScorer(4)
    >>> scorer(hypergraph([[0, 1], [1, 2, 3]]), torch.rand(4, 4)).shape
    torch.Size([2, 1])
    """

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int = 64,
        aggr: Aggregator | None = None,
        dropout: float = 0.0,
        out_feats: int = 1,
    ) -> None:
        super().__init__()
        self.in_feats = require_count(in_feats, "in_feats")
        hidden = require_count(hidden_feats, "hidden_feats")
        if aggr is not None and not isinstance(aggr, Aggregator):
            raise TypeError(
                f"aggr is {aggr!r:.60}; it must be an Aggregator, such as hypersage_dgl.nn.Max(), "
                "or None for max-min"
            )
        self.aggr = aggr
        self.hidden = nn.Linear(self.in_feats, hidden)
        self.dropout = nn.Dropout(require_rate(dropout, "dropout"))
        self.out = nn.Linear(hidden, require_count(out_feats, "out_feats"))

    def reset_parameters(self) -> None:
        """Draw all weights again."""
        self.hidden.reset_parameters()
        self.out.reset_parameters()
        if self.aggr is not None:
            self.aggr.reset_parameters()

    def pool(self, candidates: dgl.DGLGraph, embed: Tensor) -> Tensor:
        """The aggregate of the members of each candidate."""
        if embed.shape[1] != self.in_feats:
            raise ValueError(
                f"the embeddings have {embed.shape[1]} columns and the head takes {self.in_feats}; "
                "its in_feats are the outputs of the encoder"
            )
        inside = Stage(candidates, IN)
        if self.aggr is not None:
            return pass_messages(inside, embed, self.aggr)
        largest, smallest = (pass_messages(inside, embed, aggr) for aggr in (Max(), Min()))
        return largest - smallest

    def forward(self, candidates: dgl.DGLGraph, embed: Tensor) -> Tensor:
        """Logits (candidates, out_feats); of one, above 0 a hyperedge is likelier than not."""
        return self.out(self.dropout(self.hidden(self.pool(candidates, embed)).relu()))

    def extra_repr(self) -> str:
        """What pools."""
        return "max-min" if self.aggr is None else ""


class HyperedgePredictor(nn.Module):
    """An encoder of nodes and a head that scores sets of them, trained together.

    Parameters
    ----------
    encoder
        Any module that is called as ``encoder(graph, feat)`` and gives a row for each node:
        :class:`~hypersage_dgl.nn.HyperSAGE`, or a baseline.
    head
        Scores the sets; its ``in_feats`` are the outputs of the encoder.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import HyperSAGE
    >>> model = HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4))
    >>> g, candidates = hypergraph([[0, 1], [1, 2]]), hypergraph([[0, 2]], num_nodes=3)
    >>> model(Question(g, candidates), torch.rand(3, 5)).shape
    torch.Size([1, 1])
    """

    def __init__(self, encoder: nn.Module, head: CandidateScorer) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, graph: Question, feat: Tensor) -> Tensor:
        """Logits (candidates, out_feats of the head)."""
        return self.head(graph.candidates, self.encoder(graph.graph, feat))
