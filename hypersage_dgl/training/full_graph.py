"""Exact full-graph training: one batch an epoch."""

from __future__ import annotations

from collections.abc import Iterator

import dgl
import torch
from torch import Tensor, nn

from .._utils import check_feat, is_mapped, select_rows
from ..hypergraphs import HYPEREDGE, IN, NODE, require_types
from ..nn import FirstLayer, HyperSAGE
from .batches import Batch, Pairs
from .checks import TRAIN, as_labels, check_fits, node_ids
from .receptive_field import Sight, receptive_field, sight_of, within_reach


class FullGraph:
    """The whole hypergraph, or all of it that a model's logits of some nodes depend on.

    Without ``model`` it is the whole, for any ``nn.Module`` that is called as
    ``model(graph, feat)``. With it, it is cut once and exactly: to pairs of blocks for a
    :class:`~hypersage_dgl.nn.HyperSAGE`, to the nodes within its ``reach`` for a
    :class:`~hypersage_dgl.nn.baselines.Baseline`. The cut changes no logit, but which entries
    dropout meets, so runs with dropout differ from those on the whole as those of two seeds do. Any
    other module, and a baseline with a ``penalty`` on all nodes, gets the whole.

    Parameters
    ----------
    graph, feat, labels
        The hypergraph, and features (dense or sparse) and labels of all its nodes: classes, 0/1
        rows of labels, or numbers; on the device of the model to train.
    nodes
        Ids of the nodes to train on, or a boolean mask.
    model
        The model to cut for. It is not kept: others that see no further can be trained on the cut.
        A baseline that keeps what it derives from a graph derives it again whenever the graph
        changes, as between the cut and a validation on all nodes: with a large clique expansion
        and a score after each epoch, do not cut.
    keep_first
        Whether to compute the part of a HyperSAGE's first layer that no epoch changes only once;
        it depends on ``model``. Where epochs do change it (a learned p, ``feat_drop``, a gradient
        to features or weights) it is not kept.
    first
        ``model.first_layer(graph, feat)`` of all nodes, if you have it: models that differ in
        their weights alone can share it.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn.baselines import HGNN
    >>> from hypersage_dgl.training import fit
    >>> g, labels = hypergraph([[0, 1], [2, 3]]), torch.tensor([0, 0, 1, 1])
    >>> model = HGNN(4, 8, 2)
    >>> batches = FullGraph(g, torch.eye(4), labels, torch.tensor([0, 2]), model=model)
    >>> history = fit(model, batches, epochs=50)
    >>> model(g, torch.eye(4)).argmax(dim=1)
    tensor([0, 0, 1, 1])
    """

    def __init__(
        self,
        graph: dgl.DGLGraph,
        feat: Tensor,
        labels: Tensor,
        nodes: Tensor,
        *,
        model: nn.Module | None = None,
        keep_first: bool = True,
        first: FirstLayer | None = None,
    ) -> None:
        require_types(graph)
        count = graph.num_nodes(NODE)
        check_feat(feat, rows=count, finite=True)
        if model is not None:
            check_fits(feat, model, stored=True)
        if is_mapped(feat) and not isinstance(model, HyperSAGE):
            feat = feat.float()
        if first is not None and len(first) != count:
            raise ValueError(
                f"first has {len(first)} rows for {count} nodes; give that of the whole graph"
            )
        self.nodes = node_ids(nodes, count, TRAIN)
        self.targets = as_labels(labels, count)[self.nodes]
        self.graph: dgl.DGLGraph | Pairs = graph
        self.feat, self.first = feat, first
        # Where the nodes to train on are among the rows of the logits.
        self.rows: Tensor | slice = self.nodes
        # What the cut is for, None without one.
        self.sight: Sight | None = None
        # A gradient must find its way to all features in every epoch again.
        self._taken: Tensor | None = None
        if isinstance(model, HyperSAGE):
            self._cut_blocks(graph, model)
        elif model is not None:
            self._cut_within_reach(graph, model)
        if self.first is None and keep_first and isinstance(model, HyperSAGE):
            self._keep_first(graph, model)
        elif self.first is not None:
            # The plain reading knows no sparse rows.
            is_plain = isinstance(model, HyperSAGE) and not model.first.fast
            self.first = self.first if is_plain else self.first.compact()

    @property
    def options(self) -> dict[str, object]:
        """What decides the curve besides nodes and labels."""
        is_kept = self.first is not None
        return {"batches": "FullGraph", "cut": self.sight is not None, "keep_first": is_kept}

    def check(self, model: nn.Module) -> None:
        """Refuse a model that the features do not fit, or that sees more than was cut out."""
        check_fits(self.feat, model)
        if self.sight is not None:
            self.sight.check(model)
        if self.first is not None and isinstance(model, HyperSAGE):
            self.first.check(model.first)

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        feat: Tensor | FirstLayer = self.feat
        if self.first is not None:
            feat = self.first
        elif self._taken is not None:
            feat = select_rows(self.feat, self._taken)
        yield Batch(self.graph, feat, self.targets, self.rows)

    def _cut_blocks(self, graph: dgl.DGLGraph, model: HyperSAGE) -> None:
        rows, pairs = receptive_field(graph, self.nodes, model)
        if self.first is not None:
            self.first = self.first.select(pairs[0][1].dstnodes[NODE].data[dgl.NID].long())
        self._take(rows, pairs)
        self.sight, self.rows = sight_of(model), slice(None)

    def _cut_within_reach(self, graph: dgl.DGLGraph, model: nn.Module) -> None:
        sight = sight_of(model)
        # Learned weights change after the cut.
        if sight is None or any(w.requires_grad for w in _weights(graph)):
            return
        rows, cut = within_reach(graph, self.nodes, sight.steps)
        if len(rows) < graph.num_nodes(NODE):
            self._take(rows, cut)
            self.sight = sight
            self.rows = torch.searchsorted(rows, self.nodes.to(rows.device))

    def _take(self, rows: Tensor, cut: dgl.DGLGraph | Pairs) -> None:
        self.graph = cut
        if self.feat.requires_grad:
            self._taken = rows
        else:
            taken = select_rows(self.feat, rows)
            self.feat = taken.float() if is_mapped(self.feat) else taken

    def _keep_first(self, graph: dgl.DGLGraph, model: HyperSAGE) -> None:
        is_learned = any(t.requires_grad for t in (self.feat, *_weights(graph)))
        if model.first.is_constant and not is_learned:
            self.first = model.lean_first_layer(self.graph, self.feat)


def _weights(graph: dgl.DGLGraph) -> list[Tensor]:
    given = (graph.edges[IN].data.get("weight"), graph.nodes[HYPEREDGE].data.get("weight"))
    return [weight for weight in given if weight is not None]
