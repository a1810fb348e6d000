"""Use a trained model: on a whole hypergraph, and on nodes that arrive later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import dgl
import torch
from torch import Tensor

from ..._utils import PathLike, is_mapped, is_sparse
from ...convert import Hypergraph, as_named
from ...data import MULTILABEL, REGRESSION
from ...hypergraphs import NODE, Weights, one_thread
from ...nn import Baseline, HyperSAGE, in_evaluation
from ..checks import check_fits, require_device, require_finite
from ..saving import About, load_checkpoint
from ..tasks import EMBEDDING, PREDICTION
from .arrivals import Arrivals, names_or_ids
from .surroundings import Attached, Committed, Surroundings

# So few nodes are predicted on one thread: several wait for one another (benchmarks/arrivals.py
# measures one node; the number itself is a guess).
FEW = 32
# Nodes at once where features are read from disk.
CHUNK = 4096


class Prediction(NamedTuple):
    """Class and its probability for each node, and the probabilities of all classes.

    Of a multi-label model ``label`` is a 0/1 row for each node and ``probability`` all of them. Of
    a regression model ``label`` is the number of each node, or its row of numbers, in the unit of
    the training data, and both probabilities are tensors without columns.
    """

    label: Tensor
    probability: Tensor
    probabilities: Tensor


class Predictor:
    """A trained model with the names of its classes.

    Threads may share one: all methods give the results of evaluation mode whatever the mode of the
    model, which they neither read nor change. Commits and removals of other threads come before or
    after a prediction, never in the middle of it. What another thread changes in the weights or in
    a graph meanwhile is not guarded against.

    Parameters
    ----------
    model
        The model.
    about
        Classes, feature names and statistics of its training data.

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
            return self._prediction(self.model.inference(graph, feat, batch_size), called)
        with torch.no_grad():
            return self._prediction(in_evaluation(self.model)(graph, feat), called)

    def attach(self, g: Hypergraph, feat: Tensor) -> None:
        """Set the hypergraph that new nodes arrive at; it is indexed once.

        A :class:`~hypersage_dgl.convert.Named` one lets nodes and hyperedges go by their names.
        Your own graph and features stay as they are, whatever is committed or removed later.
        """
        named = as_named(g)
        check_fits(feat, self.model, named.graph.num_nodes(NODE), finite=True)
        self._around = Surroundings(
            named.graph,
            feat.to_sparse_csr() if is_sparse(feat) else feat,
            named.node_names,
            named.hyperedge_names,
        )

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
        large the hypergraph is. The attached hypergraph does not change; :meth:`commit` lets them
        stay, also with weights, which are 1 here. Few nodes are computed on one thread: the steps
        are so small that threads would wait for each other.

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

        Returns
        -------
        Prediction
            One row for each new node.
        """
        model, surroundings = self._hypersage("predict_new"), self._surroundings()
        with _few_threads(features):
            dense = self._dense(features)
            new = Arrivals(
                dense, memberships, hyperedges, names=names, hyperedge_features=hyperedge_features
            )
            graph, feat = surroundings.around(new, depth=model.reach)
            # The new nodes come first in their field.
            return self._prediction(model(graph, feat)[: len(dense)], names)

    @torch.no_grad()
    def predict_attached(self, nodes: Iterable[int | str]) -> Prediction:
        """Predict some nodes of the attached hypergraph as it is now, by name or id.

        Their receptive field alone is touched, as by :meth:`predict_new`.
        """
        model, surroundings = self._hypersage("predict_attached"), self._surroundings()
        listed = names_or_ids(nodes, "nodes")
        with one_thread() if len(listed) <= FEW else nullcontext():
            graph, feat, rows = surroundings.around_places(listed, depth=model.reach)
            return self._prediction(model(graph, feat)[rows.to(feat.device)], listed)

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
        """Take arrivals into the attached hypergraph; later ones see them.

        That costs a part of a millisecond, however large the hypergraph is. It is taken in as a
        whole, or, after an error, not at all; each prediction of another thread is one from before
        or from after it.

        Parameters
        ----------
        features, memberships, hyperedges
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
        hyperedge_features
            As in :meth:`predict_new`.

        Returns
        -------
        Committed
            Ids of the new nodes and hyperedges.

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
            given = surroundings.attached_rows
            features = torch.empty(0, given.shape[1], dtype=given.dtype, device=given.device)
        with _few_threads(features):
            dense = self._dense(features)
            arrive = (memberships, hyperedges, incidences, names, hyperedge_names)
            data = (hyperedge_weight, incidence_weight, hyperedge_features)
            return surroundings.commit(Arrivals(dense, *arrive, *data))

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

    def _prediction(self, logits: Tensor, called: Sequence[Any]) -> Prediction:
        require_finite(logits, called)
        if self.about.task == REGRESSION:
            numbers = self.about.scale.undo(logits)
            none = logits.new_empty(len(logits), 0)
            return Prediction(numbers[:, 0] if numbers.shape[1] == 1 else numbers, none, none)
        if self.about.task == MULTILABEL:
            probabilities = logits.sigmoid()
            return Prediction((probabilities > 0.5).long(), probabilities, probabilities)
        probabilities = logits.softmax(dim=1)
        probability, label = probabilities.max(dim=1)
        return Prediction(label, probability, probabilities)


def _few_threads(features: Any) -> AbstractContextManager[None]:
    """One thread for few nodes; what is no matrix is refused soon."""
    count = features.shape[0] if isinstance(features, Tensor) and features.dim() else 0
    return one_thread() if count <= FEW else nullcontext()
