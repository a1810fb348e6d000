"""Use a trained model: on a whole hypergraph, and on nodes that arrive later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import dgl
import torch
from torch import Tensor

from ..._utils import PathLike, is_mapped, is_sparse
from ...convert import Hypergraph, as_named
from ...hypergraphs import NODE, Weights, one_thread
from ...nn import Baseline, HyperSAGE, in_evaluation
from ..checks import check_fits, require_device
from ..saving import About, load_checkpoint
from ..tasks import EMBEDDING, PREDICTION
from .arrivals import Arrivals, Attached, Committed, names_or_ids
from .outputs import Prediction, prediction_of
from .surroundings import Surroundings

# So few nodes are predicted on one thread (benchmarks/arrivals.py measures one; this is a guess).
FEW = 32
# Nodes at once where features are read from disk.
CHUNK = 4096


class Predictor:
    """A trained model with the names of its classes.

    Threads may share one: all methods give the results of evaluation mode whatever the mode of the
    model, which they neither read nor change. Commits and removals of other threads come before or
    after a prediction, never in the middle of it. What another thread changes in the weights or in
    a graph meanwhile is not guarded against.

    Outputs that are no finite numbers, as of features beyond 1e37, are a ``FloatingPointError``.
    ``about`` has the names of classes and features, and the task that ``model`` learned.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> predictor = Predictor(HyperSAGE(4, 8, 2), About(classes=("red", "blue")))
    >>> g, feat = hypergraph([[0, 1], [1, 2]]), torch.rand(3, 4)
    >>> predictor.predict(g, feat).label.shape
    torch.Size([3])
    >>> predictor.attach(g, feat)
    >>> new = predictor.predict_new(torch.rand(1, 4), memberships=[[0]], hyperedges=[[2, 3]])
    >>> new.probability.shape
    torch.Size([1])
    """

    def __init__(self, model: HyperSAGE | Baseline, about: About | None = None) -> None:
        self.model, self.about = model, about or About()
        self._around: Surroundings | None = None

    @classmethod
    def load(cls, folder: PathLike, device: str | torch.device = "cpu") -> Predictor:
        """Load from the folder of a checkpoint."""
        require_device(device)
        checkpoint = load_checkpoint(folder)
        if checkpoint.about.task in (PREDICTION, EMBEDDING):
            cure = "score_candidates" if checkpoint.about.task == PREDICTION else "embed"
            raise ValueError(f"{folder} does not predict nodes; use {cure}")
        return cls(checkpoint.model.to(device), checkpoint.about)

    def predict(self, g: Hypergraph, feat: Tensor, batch_size: int | None = None) -> Prediction:
        """Predict every node by its full neighbourhood.

        ``batch_size`` streams in chunks of that many nodes, for hypergraphs that do not fit at
        once; those with features of a mapped file are streamed by default. The hypergraph and its
        features are brought to the device of the model. Of a
        :class:`~hypersage_dgl.convert.Named` one, errors name the nodes.
        """
        called = as_named(g).node_names
        graph: dgl.DGLGraph = as_named(g).graph
        check_fits(feat, self.model, graph.num_nodes(NODE), finite=True, stored=True)
        if batch_size is None and is_mapped(feat) and isinstance(self.model, HyperSAGE):
            batch_size = CHUNK
        device = next(self.model.parameters()).device
        graph, feat = graph.to(device), feat.to(device)
        if batch_size is not None:
            if not isinstance(self.model, HyperSAGE):
                raise ValueError(
                    f"batch_size is {batch_size}, but a {type(self.model).__name__} predicts all "
                    "nodes at once; leave it out"
                )
            logits = self.model.inference(graph, feat, batch_size)
            return prediction_of(logits, self.about, called)
        with torch.no_grad():
            return prediction_of(in_evaluation(self.model)(graph, feat), self.about, called)

    def attach(self, g: Hypergraph, feat: Tensor) -> None:
        """Set the hypergraph that new nodes arrive at; it is indexed once.

        A :class:`~hypersage_dgl.convert.Named` one lets nodes and hyperedges go by their names.
        Your own graph and features stay as they are, whatever is committed or removed later.
        """
        named = as_named(g)
        check_fits(feat, self.model, named.graph.num_nodes(NODE), finite=True)
        self._around = Surroundings(named, feat.to_sparse_csr() if is_sparse(feat) else feat)

    @torch.no_grad()
    def predict_new(
        self,
        features: Tensor,
        memberships: Sequence[Iterable[int | str]],
        hyperedges: Sequence[Iterable[int | str]] = (),
        *,
        names: Sequence[str] = (),
        hyperedge_features: Tensor | None = None,
    ) -> Prediction:
        """Predict nodes that arrive now, as if the attached hypergraph had grown by them.

        Only the receptive field of the new nodes is touched, so this costs milliseconds however
        large the hypergraph is. It does not change; :meth:`commit` lets nodes stay, also with
        weights, which are 1 here.

        Parameters
        ----------
        features
            One row for each new node.
        memberships
            For each new node the existing hyperedges that it joins, by name or id; may be empty.
        hyperedges
            Members of hyperedges that arrive with the nodes. New node ``i`` has the id
            ``g.num_nodes("node") + i``; existing nodes may be members too.
        names
            What ``hyperedges`` call the new nodes; may be left out.
        hyperedge_features
            A row for each of ``hyperedges``, where the hypergraph has features of hyperedges; by
            default zeros.
        """
        model, surroundings = self._hypersage("predict_new"), self._surroundings()
        with _few_threads(features):
            dense = self._dense(features)
            new = Arrivals(
                dense, memberships, hyperedges, names=names, hyperedge_features=hyperedge_features
            )
            graph, feat = surroundings.around(new, depth=model.reach)
            # The new nodes come first in their field.
            return prediction_of(model(graph, feat)[: len(dense)], self.about, names)

    @torch.no_grad()
    def predict_attached(self, nodes: Iterable[int | str]) -> Prediction:
        """Predict nodes of the attached hypergraph as it is now, by name or id, as cheaply."""
        model, surroundings = self._hypersage("predict_attached"), self._surroundings()
        listed = names_or_ids(nodes, "nodes")
        with _few_threads(listed):
            graph, feat, rows = surroundings.around_places(listed, depth=model.reach)
            logits = model(graph, feat)[rows.to(feat.device)]
            return prediction_of(logits, self.about, listed)

    def commit(
        self,
        features: Tensor | None = None,
        memberships: Sequence[Iterable[int | str]] = (),
        hyperedges: Sequence[Iterable[int | str]] = (),
        *,
        incidences: Iterable[tuple[int | str, int | str]] = (),
        names: Sequence[str] = (),
        hyperedge_names: Sequence[str] = (),
        hyperedge_weight: Weights | None = None,
        incidence_weight: Weights | None = None,
        hyperedge_features: Tensor | None = None,
    ) -> Committed:
        """Take arrivals into the attached hypergraph, all or, after an error, none.

        That costs a part of a millisecond, however large the hypergraph is. Gives the ids of the
        new nodes and hyperedges.

        Parameters
        ----------
        features, memberships, hyperedges, hyperedge_features
            As in :meth:`predict_new`; without ``features`` no node arrives.
        incidences
            Pairs of a node and a hyperedge that it joins, existing or new ones; a pair that is
            there already is merged.
        names, hyperedge_names
            Names of the new nodes and hyperedges, which a hypergraph with names needs.
        hyperedge_weight
            One for each new hyperedge; by default 1. For a hypergraph that has such weights.
        incidence_weight
            One for each incidence, in the order in which ``memberships``, ``hyperedges`` and
            ``incidences`` list them; by default 1. One that is there already keeps its own.

        Examples
        --------
        >>> from hypersage_dgl import hypergraph
        >>> from hypersage_dgl.convert import Named
        >>> predictor = Predictor(HyperSAGE(4, 8, 2))
        >>> named = Named(hypergraph([[0, 1], [1, 2]]), ("ann", "bob", "cy"), ("x", "y"))
        >>> predictor.attach(named, torch.rand(3, 4))
        >>> predictor.commit(torch.rand(1, 4), [["x"]], names=["dora"])
        Committed(nodes=range(3, 4), hyperedges=range(2, 2))
        >>> predictor.remove(nodes=["ann"])
        >>> predictor.attached().node_names
        ['bob', 'cy', 'dora']
        """
        surroundings = self._surroundings()
        if features is None:
            given = surroundings.rows.given
            features = torch.empty(0, given.shape[1], dtype=given.dtype, device=given.device)
        arrive = (memberships, hyperedges, incidences, names, hyperedge_names)
        data = (hyperedge_weight, incidence_weight, hyperedge_features)
        with _few_threads(features):
            return surroundings.commit(Arrivals(self._dense(features), *arrive, *data))

    def remove(
        self,
        *,
        nodes: Iterable[int | str] = (),
        hyperedges: Iterable[int | str] = (),
        incidences: Iterable[tuple[int | str, int | str]] = (),
    ) -> None:
        """Remove nodes, hyperedges and single incidences, by name or id, as :meth:`commit` adds.

        The ids of the others close ranks, in their order. A hyperedge that loses all members
        stays, empty.
        """
        self._surroundings().remove(nodes, hyperedges, incidences)

    def attached(self) -> Attached:
        """The attached hypergraph as it is now: a new graph, with features, weights and names."""
        return self._surroundings().attached()

    def _surroundings(self) -> Surroundings:
        # Once a call: another thread may attach another one meanwhile.
        if self._around is None:
            raise ValueError("no hypergraph is attached; call attach(g, feat) first")
        return self._around

    def _hypersage(self, method: str) -> HyperSAGE:
        if not isinstance(self.model, HyperSAGE):
            raise ValueError(
                f"{method} needs a HyperSAGE, not a {type(self.model).__name__}, whose layers "
                "depend on more than the neighbourhood; predict the grown hypergraph instead"
            )
        return in_evaluation(self.model)

    def _dense(self, features: Tensor) -> Tensor:
        check_fits(features, self.model, finite=True)
        return features.to_dense() if is_sparse(features) else features


def _few_threads(rows: Any) -> AbstractContextManager[None]:
    """One thread for few nodes: the steps are so small that threads would wait for each other."""
    is_some = isinstance(rows, list) or (isinstance(rows, Tensor) and rows.dim() > 0)
    return one_thread() if not is_some or len(rows) <= FEW else nullcontext()
