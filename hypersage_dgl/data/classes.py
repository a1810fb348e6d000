"""Classes of the nodes: the stored ones, or an attribute that names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from ..convert import Attributes, Named, encode_labels
from ..hypergraphs import incidences
from .labelled import LabelledHypergraph


def with_labels(
    data: LabelledHypergraph, key: str | None = None, known: Sequence[str] = ()
) -> LabelledHypergraph:
    """Give a hypergraph one class for each node, -1 without one, and the names of all classes.

    Parameters
    ----------
    data
        The hypergraph. Classes without names are called by their numbers.
    key
        An attribute of the nodes that names the class, or a further column of a CSV file that says
        the same in all lines of a node. By default the stored labels, and without any the
        attribute ``label``.
    known
        The classes that a model knows; theirs are then the numbers.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.convert import Attributes
    >>> attributes = Attributes(nodes={0: {"field": "maths"}, 1: {"field": "art"}})
    >>> data = LabelledHypergraph(hypergraph([[0, 1, 2]]), attributes=attributes)
    >>> data = with_labels(data, "field")
    >>> data.labels, data.class_names
    (tensor([ 1,  0, -1]), ('art', 'maths'))
    """
    if key is not None or data.labels is None:
        try:
            attributes = of_nodes(data, key or "label")
            plain = Named(data.graph, data.node_names, attributes=attributes)
            made = encode_labels(plain, key or "label", known or None)
        except ValueError as error:
            raise ValueError(f"{data.name}: {error}; label=KEY names another") from None
        data = replace(
            data, labels=made.labels, class_names=made.class_names, attributes=made.attributes
        )
    labels = data.labels
    if labels is None or labels.dim() != 1:
        return data
    classes = tuple(data.class_names) or tuple(str(k) for k in range(data.num_classes))
    if not known or classes == tuple(known):
        return replace(data, class_names=classes)
    strange = sorted(set(classes) - set(known))
    if strange:
        raise ValueError(
            f"{data.name} has the classes {', '.join(strange)}, which the model does not know; it "
            f"knows {', '.join(known)}"
        )
    # The last entry is found by label -1, which stays so.
    numbers = torch.tensor([*(known.index(name) for name in classes), -1])
    return replace(data, labels=numbers[labels], class_names=tuple(known))


def of_nodes(data: LabelledHypergraph, key: str) -> Attributes:
    """The attributes, where a node has the one that all of its incidences agree on."""
    given = data.attributes
    is_there = any(key in item for item in given.nodes.values())
    if is_there or not any(key in item for item in given.incidences.values()):
        return given
    nodes = {i: dict(item) for i, item in given.nodes.items()}
    members = incidences(data.graph)[0].tolist()
    for i, item in given.incidences.items():
        if key in item:
            known = nodes.setdefault(members[i], {}).setdefault(key, item[key])
            if known != item[key]:
                raise ValueError(
                    f"column {key!r} says both {known!r:.40} and {item[key]!r:.40} of node "
                    f"{data.node_names[members[i]]!r}, so it names no class; give a table of nodes"
                )
    return replace(given, nodes=nodes)
