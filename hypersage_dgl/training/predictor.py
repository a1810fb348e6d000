"""Use a trained model: on a whole hypergraph, and on nodes that arrive later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import dgl
import torch
from torch import Tensor

from .._utils import PathLike, is_sparse
from ..data import MULTILABEL, REGRESSION
from ..hypergraphs import NODE, require_types
from ..nn import Baseline, HyperSAGE, in_evaluation
from .about import About
from .arrivals import NewNodes, Surroundings
from .checkpoint import load_checkpoint
from .checks import check_fits, require_device


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
    model, which they neither read nor change. What another thread changes in the weights or in the
    graph meanwhile is not guarded against.

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
        return cls(checkpoint.model.to(device), checkpoint.about)

    def predict(self, g: dgl.DGLGraph, feat: Tensor, batch_size: int | None = None) -> Prediction:
        """Predict every node by its full neighbourhood.

        ``batch_size`` streams in chunks of that many nodes, for hypergraphs that do not fit at
        once. The hypergraph and its features are brought to the device of the model.
        """
        require_types(g)
        check_fits(feat, self.model, g.num_nodes(NODE), finite=True)
        device = next(self.model.parameters()).device
        g, feat = g.to(device), feat.to(device)
        if batch_size is not None:
            if not isinstance(self.model, HyperSAGE):
                raise ValueError(
                    f"batch_size is {batch_size}, but a {type(self.model).__name__} predicts all "
                    "nodes at once; leave it out"
                )
            return self._prediction(self.model.inference(g, feat, batch_size))
        with torch.no_grad():
            return self._prediction(in_evaluation(self.model)(g, feat))

    def attach(self, g: dgl.DGLGraph, feat: Tensor) -> None:
        """Set the hypergraph that new nodes arrive at; it is indexed once, and stays as it is."""
        require_types(g)
        check_fits(feat, self.model, g.num_nodes(NODE), finite=True)
        self._around = Surroundings(g, feat.to_sparse_csr() if is_sparse(feat) else feat)

    @torch.no_grad()
    def predict_new(
        self,
        features: Tensor,
        memberships: Sequence[Iterable[int]],
        hyperedges: Sequence[Iterable[int]] = (),
    ) -> Prediction:
        """Predict nodes that arrive now, as if the attached hypergraph had grown by them.

        Only the receptive field of the new nodes is touched, so this costs milliseconds however
        large the hypergraph is. The attached hypergraph does not change.

        Parameters
        ----------
        features
            One row for each new node.
        memberships
            For each new node the existing hyperedges that it joins; may be empty.
        hyperedges
            Members of hyperedges that arrive with the nodes. New node ``i`` has the id
            ``g.num_nodes("node") + i``; existing nodes may be members too.

        Returns
        -------
        Prediction
            One row for each new node.
        """
        if not isinstance(self.model, HyperSAGE):
            raise ValueError(
                f"predict_new needs a HyperSAGE, not a {type(self.model).__name__}, whose layers "
                "depend on more than the neighbourhood; predict the grown hypergraph instead"
            )
        # Another thread may attach another one meanwhile.
        surroundings, model = self._around, in_evaluation(self.model)
        if surroundings is None:
            raise ValueError("no hypergraph is attached; call attach(g, feat) first")
        check_fits(features, self.model, finite=True)
        dense = features.to_dense() if is_sparse(features) else features
        new = NewNodes(dense, memberships, hyperedges)
        graph, feat = surroundings.around(new, depth=len(model.layers))
        # The new nodes come first in their field.
        return self._prediction(model(graph, feat)[: len(dense)])

    def _prediction(self, logits: Tensor) -> Prediction:
        is_wrong = ~torch.isfinite(logits).all(dim=1)
        if bool(is_wrong.any()):
            raise FloatingPointError(
                f"the logits of {int(is_wrong.sum())} nodes, first of node "
                f"{int(is_wrong.nonzero()[0])}, are NaN or infinite, so they have no class; look "
                "for extreme features there, and for NaN in the weights of the model"
            )
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
