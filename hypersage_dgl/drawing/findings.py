"""Where a model errs: by class, by degree and by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from markupsafe import Markup
from torch import Tensor

from ..data import LabelledHypergraph
from ..hypergraphs import CONTAINS, IN
from .charts import scatter_chart

if TYPE_CHECKING:
    import dgl

# Nodes on the map, rows of errors, members of a picture: more cannot be looked at.
MOST_POINTS, MOST_ERRORS, MOST_MEMBERS = 1500, 15, 40
FEWEST_MEMBERS = 5
# How many nodes without an error are tried for the picture.
CANDIDATES = 200
DEGREES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, None))


class Share(NamedTuple):
    """A line of a table: how many nodes there are of a kind, and what share of them is right.

    Of numbers, the third part is the mean error.
    """

    name: str
    nodes: int
    share: float


class Error(NamedTuple):
    """A node with a wrong prediction; ``size`` is how sure it was, or how far off a number."""

    node: int
    name: str
    truth: str
    guess: str
    size: float
    degree: int


def confusion(target: Tensor, predicted: Tensor, count: int) -> list[list[int]]:
    """Count nodes by class: rows are true classes, columns predicted ones.

    Examples
    --------
    >>> confusion(torch.tensor([0, 0, 1]), torch.tensor([0, 1, 1]), 2)
    [[1, 1], [0, 1]]
    """
    table = torch.bincount(target.cpu() * count + predicted.cpu(), minlength=count * count)
    found: list[list[int]] = table.view(count, count).tolist()
    return found


def by_class(scores: Sequence[float], target: Tensor, classes: Sequence[str]) -> list[Share]:
    """Nodes and recall (for several labels a node: F1) of each class."""
    if target.dim() == 2:
        counts = target.sum(0).tolist()
    else:
        counts = torch.bincount(target, minlength=len(classes)).tolist()
    rows = zip(classes, counts, scores)
    return [Share(name, int(count), score) for name, count, score in rows]


def by_degree(
    data: LabelledHypergraph, nodes: Tensor, score: Callable[[Tensor], float]
) -> list[Share]:
    """Nodes and their score by the number of their hyperedges, isolated nodes apart."""
    degree = data.graph.in_degrees(etype=CONTAINS)[nodes.to(data.graph.device)].cpu()
    rows = []
    for low, high in DEGREES:
        chosen = degree >= low
        if high is not None:
            chosen &= degree <= high
        if bool(chosen.any()):
            name = "none (isolated)" if high == 0 else range_name(low, high)
            rows.append(Share(name, int(chosen.sum()), score(nodes[chosen])))
    return rows


def range_name(low: int, high: int | None) -> str:
    """A range of counts in words.

    Examples
    --------
    >>> range_name(2, 2), range_name(3, 5), range_name(11, None)
    ('2', '3 to 5', '11 or more')
    """
    if high is None:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low} to {high}"


def largest_errors(
    data: LabelledHypergraph, nodes: Tensor, sizes: Tensor, say: Callable[[int], tuple[str, str]]
) -> list[Error]:
    """Errors by their size, the largest first: of each the node, and truth and guess in words.

    ``say`` gets the place of an error among ``nodes``, in which a node may be more than once.
    """
    order = sizes.argsort(descending=True, stable=True)[:MOST_ERRORS].tolist()
    found = ((place, int(nodes[place])) for place in order)
    return [
        Error(
            node,
            str(data.node_names[node]),
            *say(place),
            float(sizes[place]),
            int(data.graph.in_degrees(node, etype=CONTAINS)),
        )
        for place, node in found
    ]


def some_of(nodes: Tensor) -> Tensor:
    """As many nodes as can be looked at, evenly over the ids: the same run has the same page."""
    places = torch.linspace(0, len(nodes) - 1, min(len(nodes), MOST_POINTS)).long()
    return torch.unique(nodes[places])


def embedding_map(
    data: LabelledHypergraph, embedding: Tensor, nodes: Tensor, groups: Tensor, wrong: Tensor
) -> Markup | None:
    """Some nodes by their embeddings, on their two main axes; None if there is nothing to see.

    ``groups`` decides the colour of each node, ``wrong`` which have a ring.
    """
    if embedding.shape[1] < 2 or len(nodes) < 3:
        return None
    chosen = some_of(nodes)
    rows = embedding[chosen].detach().double().cpu()
    rows = rows - rows.mean(0)
    _, _, axes = torch.linalg.svd(rows, full_matrices=False)
    names = [str(data.node_names[i]) for i in chosen.tolist()]
    points = [(x, y) for x, y in (rows @ axes[:2].T).tolist()]
    return Markup(scatter_chart(points, groups[chosen].tolist(), names, wrong[chosen].tolist()))


def node_to_show(graph: dgl.DGLGraph, errors: Sequence[Error]) -> int | None:
    """The surest error with a neighbourhood that is worth a look, or else the first such node."""
    connected = (graph.in_degrees(etype=CONTAINS) > 0).nonzero().flatten()[:CANDIDATES].tolist()
    candidates = dict.fromkeys([*(e.node for e in errors if e.degree), *connected])
    alone = None
    for node in candidates:
        joined = graph.successors(node, etype=IN)
        size = len(torch.unique(graph.in_edges(joined, etype=IN)[0]))
        if FEWEST_MEMBERS <= size <= MOST_MEMBERS:
            return node
        if alone is None and size <= MOST_MEMBERS:
            alone = node
    return alone
