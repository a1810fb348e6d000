"""Features for hypergraphs that come without any."""

from __future__ import annotations

import torch
from scipy import sparse
from torch import Tensor

from ..hypergraphs import CONTAINS, NODE
from .named import Hypergraph, as_named


def degree_features(graph: Hypergraph, width: int = 16) -> Tensor:
    """Tell each node's degree as a one-hot row over doubling intervals.

    The columns stand for 0, 1, 2-3, 4-7, 8-15, ... hyperedges, the last one for all above. They
    mean the same in every hypergraph, so a model carries over to unseen ones. (The bare number
    would not do: HyperSAGE scales each row to length one, which makes every number a 1.)

    Parameters
    ----------
    graph
        A hypergraph, or a :class:`Named`.
    width
        Number of columns, at least 2.

    Returns
    -------
    Tensor
        nodes × ``width``, float32.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> degree_features(hypergraph([[0, 1], [1], [1]], num_nodes=3), width=3)
    tensor([[0., 1., 0.],
            [0., 0., 1.],
            [1., 0., 0.]])
    """
    graph = as_named(graph).graph
    if isinstance(width, bool) or not isinstance(width, int) or width < 2:
        raise ValueError(f"width is {width!r}; it must be an integer, at least 2")
    degrees = graph.in_degrees(etype=CONTAINS).long()
    # frexp's exponent is the number of binary digits, exact where a float logarithm may not be.
    digits = torch.frexp(degrees.double()).exponent.long()
    return torch.nn.functional.one_hot(digits.clamp(max=width - 1), width).float()


def one_hot_features(graph: Hypergraph) -> sparse.csr_matrix:
    """Give each node a column of its own: the identity, sparse as ``dataset.features`` are.

    A model on such features knows nodes, not properties: it does not carry over to unseen ones.

    Returns
    -------
    scipy.sparse.csr_matrix
        nodes × nodes, float32. Where that is small, ``torch.from_numpy(matrix.toarray())`` is the
        dense tensor.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> one_hot_features(hypergraph([[0, 1]])).toarray()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    graph = as_named(graph).graph
    return sparse.identity(graph.num_nodes(NODE), dtype="float32", format="csr")
