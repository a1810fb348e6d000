"""Node data for training: classes from attributes, and features where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch
from scipy import sparse
from torch import Tensor

from .._utils import JSON_TYPES
from ..hypergraphs import CONTAINS, NODE
from .named import Hypergraph, Named, as_named


def encode_labels(
    named: Named, key: str = "label", class_names: Sequence[str] | None = None
) -> Named:
    """Turn a node attribute into the node data ``label``, as training needs it.

    Parameters
    ----------
    named
        A hypergraph read from HIF, networkx or XGI, whose nodes have the attribute. It stays as
        it is.
    key
        The attribute that names each node's class.
    class_names
        All classes, in the order of their numbers; by default those that occur, sorted, numbers
        before words.

    Returns
    -------
    Named
        With int64 ``label`` in the node data, -1 on nodes without the attribute or with None, with
        ``class_names``, and without the attribute.

    Examples
    --------
    >>> from hypersage_dgl.convert import from_hif_dict
    >>> named = from_hif_dict({
    ...     "incidences": [{"node": "a", "edge": 0}, {"node": "b", "edge": 0}],
    ...     "nodes": [{"node": "a", "attrs": {"field": "physics"}}, {"node": "b"}],
    ... })
    >>> named = encode_labels(named, "field")
    >>> named.graph.nodes["node"].data["label"], named.class_names
    (tensor([ 0, -1]), ('physics',))
    """
    nodes = named.attributes.nodes
    given = {i: attributes.get(key) for i, attributes in nodes.items()}
    values = {i: value for i, value in given.items() if value is not None}
    if not values:
        known = sorted({k for attributes in nodes.values() for k in attributes})
        raise ValueError(f"no node has the attribute {key!r}; the nodes have {known}")
    for i, value in values.items():
        if isinstance(value, (list, dict)):
            raise ValueError(
                f"attribute {key!r} of node {named.node_names[i]!r} is {value!r:.40}; a node has "
                "one class, a word or a number (for several classes a node give rows of 0 and 1 as "
                "labels of a LabelledHypergraph)"
            )
    found = {i: _class_name(value) for i, value in values.items()}
    names = tuple(_sorted_names(values.values()) if class_names is None else class_names)
    numbers = {name: number for number, name in enumerate(names)}
    for i, name in found.items():
        if name not in numbers:
            raise ValueError(
                f"node {named.node_names[i]!r} is of class {name!r}, which is not among the given "
                f"class names {names}"
            )
    graph = named.graph.local_var()
    labels = torch.full((graph.num_nodes(NODE),), -1, dtype=torch.int64)
    labels[list(found)] = torch.tensor([numbers[name] for name in found.values()])
    graph.nodes[NODE].data["label"] = labels.to(graph.device)
    rest = {i: {k: v for k, v in item.items() if k != key} for i, item in nodes.items()}
    attributes = replace(named.attributes, nodes={i: item for i, item in rest.items() if item})
    return replace(named, graph=graph, class_names=names, attributes=attributes)


def _class_name(value: Any) -> str:
    # JSON does not tell 1.0 from 1.
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def _sorted_names(values: Iterable[Any]) -> list[str]:
    """Give the distinct names in order; as words, class 10 would come before class 2."""
    distinct = {_class_name(value): value for value in values}
    is_number = JSON_TYPES["number"]
    numbers = [name for name, value in distinct.items() if is_number(value)]
    words = [name for name, value in distinct.items() if not is_number(value)]
    # As they are: an integer may be too large for a float, and Python compares the two exactly.
    return [*sorted(numbers, key=lambda name: distinct[name]), *sorted(words)]


def node_attributes(named: Named) -> dict[int, dict[str, Any]]:
    """Give the attributes of each node that has any, the name of its class as ``label``.

    An attribute ``label`` that is there already stays.
    """
    attributes = {i: dict(item) for i, item in named.attributes.nodes.items()}
    labels = named.labels
    if named.class_names and labels is not None and labels.dim() == 1:
        for i, label in enumerate(labels.tolist()):
            if label >= 0:
                attributes.setdefault(i, {}).setdefault("label", named.class_names[label])
    return attributes


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
