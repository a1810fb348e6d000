"""What a page says of a run: where the model errs, by class, by degree and by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from markupsafe import Markup
from torch import Tensor

from ..data import LabelledHypergraph
from ..hypergraphs import CONTAINS, IN
from ..training import Scores
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
    """A line of a table: how many nodes there are of a kind, and what share of them is right."""

    name: str
    nodes: int
    share: float


class Error(NamedTuple):
    """A node with a wrong prediction."""

    node: int
    name: str
    truth: str
    guess: str
    probability: float
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


def by_class(scores: Scores, target: Tensor, classes: Sequence[str]) -> list[Share]:
    """Nodes and recall (for several labels a node: F1) of each class."""
    if target.dim() == 2:
        counts = target.sum(0).tolist()
    else:
        counts = torch.bincount(target, minlength=len(classes)).tolist()
    rows = zip(classes, counts, scores.per_class)
    return [Share(name, int(count), score) for name, count, score in rows]


def by_degree(
    data: LabelledHypergraph, labels: Tensor, predicted: Tensor, nodes: Tensor
) -> list[Share]:
    """Nodes and accuracy by the number of their hyperedges, isolated nodes apart."""
    degree = data.graph.in_degrees(etype=CONTAINS)[nodes.to(data.graph.device)].cpu()
    is_right = (predicted[nodes] == labels[nodes]).cpu()
    rows = []
    for low, high in DEGREES:
        chosen = degree >= low
        if high is not None:
            chosen &= degree <= high
        if bool(chosen.any()):
            name = f"{low} or more" if high is None else f"{low} to {high}"
            if low == high:
                name = "none (isolated)" if low == 0 else f"{low}"
            rows.append(Share(name, int(chosen.sum()), float(is_right[chosen].double().mean())))
    return rows


def surest_errors(
    data: LabelledHypergraph,
    probabilities: Tensor,
    nodes: Tensor,
    predicted: Tensor,
    classes: Sequence[str],
) -> list[Error]:
    """The wrong predictions that the model is surest of, the surest first."""
    labels = data.require_labels()
    wrong = nodes[(predicted != labels)[nodes]]
    sureness = probabilities[wrong].amax(dim=1) if len(wrong) else torch.empty(0)
    order = sureness.argsort(descending=True, stable=True)[:MOST_ERRORS]
    return [
        Error(
            node,
            str(data.node_names[node]),
            classes[int(labels[node])],
            classes[int(predicted[node])],
            float(probabilities[node].max()),
            int(data.graph.in_degrees(node, etype=CONTAINS)),
        )
        for node in wrong[order].tolist()
    ]


def embedding_map(
    data: LabelledHypergraph, embedding: Tensor, nodes: Tensor, predicted: Tensor
) -> Markup | None:
    """Some nodes by their embeddings, on their two main axes; None if there is nothing to see."""
    if embedding.shape[1] < 2 or len(nodes) < 3:
        return None
    # Evenly over the ids, so that a page of the same run is the same page.
    places = torch.linspace(0, len(nodes) - 1, min(len(nodes), MOST_POINTS)).long()
    chosen = torch.unique(nodes[places])
    rows = embedding[chosen].detach().double().cpu()
    rows = rows - rows.mean(0)
    _, _, axes = torch.linalg.svd(rows, full_matrices=False)
    labels = data.require_labels()[chosen]
    names = [str(data.node_names[i]) for i in chosen.tolist()]
    points = [(x, y) for x, y in (rows @ axes[:2].T).tolist()]
    wrong = (predicted[chosen] != labels).tolist()
    return Markup(scatter_chart(points, labels.tolist(), names, wrong))


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
