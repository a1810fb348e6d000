"""What is to be learned of each node: its class, its labels, or a number."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from ...convert import Attributes, Named, encode_labels
from ...hypergraphs import incidences
from ..labelled import LabelledHypergraph
from .columns import MARKS, as_number, as_text, few, is_blank, natural

CLASSIFICATION, MULTILABEL, REGRESSION = TASKS = ("classification", "multilabel", "regression")
SEPARATOR = ";"


def with_targets(
    data: LabelledHypergraph,
    key: str | None = None,
    task: str = CLASSIFICATION,
    known: Sequence[str] = (),
    *,
    separator: str = SEPARATOR,
) -> LabelledHypergraph:
    """Give a hypergraph what a task learns of its nodes.

    Parameters
    ----------
    data
        The hypergraph.
    key
        The attribute of the nodes that says it, as in :func:`with_labels`; by default what is
        stored, and else the attribute ``label``.
    task
        ``"classification"``: as :func:`with_labels` does. ``"multilabel"``: the attribute is a
        list, or a text with ``separator`` between labels; the ``labels`` become rows of 0 and 1,
        of -1 where the attribute is missing or blank. ``"regression"``: the attribute is a number;
        they become ``numbers``, NaN where it is missing or blank.
    known
        Classes or labels that a model knows; theirs are then the numbers of columns.
    separator
        What stands between the labels of a text.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> attributes = Attributes(nodes={0: {"tags": "b; a", "age": 7}, 1: {"tags": ["b"]}})
    >>> data = LabelledHypergraph(hypergraph([[0, 1, 2]]), attributes=attributes)
    >>> rows = with_targets(data, "tags", "multilabel")
    >>> rows.class_names, rows.labels.tolist()
    (('a', 'b'), [[1, 1], [0, 1], [-1, -1]])
    >>> with_targets(data, "age", "regression").numbers
    tensor([7., nan, nan])
    """
    if task not in TASKS:
        raise ValueError(f"task is {task!r:.40}; it must be one of {', '.join(TASKS)}")
    if task == CLASSIFICATION:
        return with_labels(data, key, known)
    if task == MULTILABEL:
        is_stored = data.labels is not None and data.labels.dim() == 2
        return (
            _in_order(data, known)
            if key is None and is_stored
            else _rows(data, key or "label", known, separator)
        )
    if key is None and data.numbers is not None:
        return replace(data, labels=None, class_names=())
    return _numbers(data, key or "label")


def _cells(data: LabelledHypergraph, key: str) -> tuple[dict[int, Any], Attributes]:
    """The attribute of each node that has it, and the attributes without it."""
    try:
        attributes = of_nodes(data, key)
    except ValueError as error:
        raise ValueError(f"{data.name}: {error}; label=KEY names another") from None
    nodes = attributes.nodes
    cells = {i: item[key] for i, item in nodes.items() if not is_blank(item.get(key))}
    if not cells:
        known = sorted({k for item in nodes.values() for k in item})
        raise ValueError(
            f"{data.name}: no node has the attribute {key!r}; the nodes have {known}; label=KEY "
            "names another"
        )
    rest = {i: {k: v for k, v in item.items() if k != key} for i, item in nodes.items()}
    return cells, replace(attributes, nodes={i: item for i, item in rest.items() if item})


def _rows(
    data: LabelledHypergraph, key: str, known: Sequence[str], separator: str
) -> LabelledHypergraph:
    cells, attributes = _cells(data, key)
    found = {i: labels_of(cell, separator) for i, cell in cells.items()}
    occurring = {name for names in found.values() for name in names}
    names = tuple(known) or tuple(sorted(occurring, key=natural))
    _refuse_strange(data, occurring, names)
    columns = {name: k for k, name in enumerate(names)}
    labels = torch.full((data.num_nodes, len(names)), -1, dtype=torch.int64)
    labels[list(found)] = 0
    for i, each in found.items():
        labels[i, [columns[name] for name in each]] = 1
    return replace(data, labels=labels, class_names=names, attributes=attributes)


def classes_in(column: str, cells: Sequence[Any]) -> list[str]:
    """The classes that a column names, sorted; a warning of those that read like a missing one.

    Examples
    --------
    >>> classes_in("shelf", ["novel", "", "essay", "novel"])
    ['essay', 'novel']
    """
    names = sorted({as_text(cell) for cell in cells if not is_blank(cell)}, key=natural)
    for mark in (name for name in names if name.lower() in MARKS):
        warnings.warn(
            f"{mark!r} in column {column!r} is learned as a class like any other; leave a cell "
            "blank where the class is not known",
            stacklevel=3,
        )
    return names


def labels_of(cell: Any, separator: str = SEPARATOR) -> list[str]:
    """The labels of a cell, each once: a list, or a text with a separator.

    Examples
    --------
    >>> labels_of("red; dark blue;"), labels_of(["red", 3])
    (['red', 'dark blue'], ['red', '3'])
    """
    if isinstance(cell, Mapping):
        raise ValueError(f"{cell!r:.40} is no list of labels")
    if isinstance(cell, (list, tuple, set, frozenset, np.ndarray)):
        parts = [as_text(part) for part in cell if not is_blank(part)]
    else:
        parts = [part.strip() for part in as_text(cell).split(separator)]
    return list(dict.fromkeys(part for part in parts if part))


def _in_order(data: LabelledHypergraph, known: Sequence[str]) -> LabelledHypergraph:
    """Stored classes, or rows with a column for each label, in the order that a model knows."""
    labels = data.require_labels()
    names = tuple(data.class_names) or tuple(str(k) for k in range(data.num_classes))
    if not known or names == tuple(known):
        return replace(data, class_names=names)
    _refuse_strange(data, set(names), known, "classes" if labels.dim() == 1 else "labels")
    order = [list(known).index(name) for name in names]
    if labels.dim() == 1:
        # The last entry is found by label -1, which stays so.
        made = torch.tensor([*order, -1])[labels]
    else:
        made = labels.new_zeros(data.num_nodes, len(known))
        made[:, order] = labels
        made[(labels < 0).any(dim=1)] = -1
    return replace(data, labels=made, class_names=tuple(known))


def _refuse_strange(
    data: LabelledHypergraph, names: set[str], known: Sequence[str], what: str = "labels"
) -> None:
    strange = sorted(names - set(known))
    if strange:
        raise ValueError(
            f"{data.name} has the {what} {few(strange)}, which the model does not know; it knows "
            f"{', '.join(known)}"
        )


def _numbers(data: LabelledHypergraph, key: str) -> LabelledHypergraph:
    cells, attributes = _cells(data, key)
    numbers = torch.full((data.num_nodes,), torch.nan, dtype=torch.float32)
    for i, cell in cells.items():
        number = None if isinstance(cell, bool) else as_number(cell)
        if number is None or not abs(number) < 3.4e38:
            raise ValueError(
                f"{data.name}: {key!r} of node {data.node_names[i]!r} is {cell!r:.40}; regression "
                "learns finite numbers, and words are classes"
            )
        numbers[i] = number
    return replace(data, numbers=numbers, labels=None, class_names=(), attributes=attributes)


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
    return data if data.labels is None or data.labels.dim() != 1 else _in_order(data, known)


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
