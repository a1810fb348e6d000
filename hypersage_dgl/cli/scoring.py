"""Run a model on a task and score what it says, for all and for connected nodes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from ..hypergraphs import NODE
from ..nn import HyperSAGE
from ..training import FullGraph, Minibatches, Scores, evaluate
from .task import Task


class Report(NamedTuple):
    """Scores on all nodes, and on those that are in a hyperedge, if there are any."""

    all: Scores
    connected: Scores | None

    def rows(self) -> dict[str, Scores]:
        """The scores that there are, by name."""
        rows = {"all": self.all, "connected": self.connected}
        return {name: scores for name, scores in rows.items() if scores is not None}


def full_logits(model: HyperSAGE, task: Task, device: str, batch_size: int | None = None) -> Tensor:
    """Logits of every node by its full neighbourhood, streamed in chunks on request."""
    graph, feat = task.graph.to(device), task.features.feat.to(device)
    if batch_size is not None:
        return model.inference(graph, feat, batch_size)
    model.eval()
    with torch.no_grad():
        return model(graph, feat)


@torch.no_grad()
def sampled_logits(
    model: HyperSAGE, task: Task, nodes: Tensor, sampling: Mapping[str, Any]
) -> Tensor:
    """Logits of some nodes by sampled neighbourhoods, in a row for each node of the hypergraph."""
    model.eval()
    feat, labels = task.features.feat, task.labels
    batches = Minibatches(model, task.graph, feat, labels, nodes, shuffle=False, **sampling)
    logits = torch.cat([batch.logits for batch in batches]).cpu()
    return logits.new_zeros(len(labels), logits.shape[1]).index_copy(0, nodes, logits)


def validator(model: HyperSAGE, task: Task, device: str) -> Callable[[HyperSAGE], float]:
    """Accuracy on the validation nodes, whose receptive field is cut only once."""
    nodes = task.part("val")
    if len(nodes) == 0:
        raise ValueError(f"{task.name} has no validation nodes; --val-fraction 0.2 makes some")
    parts = (task.graph, task.features.feat, task.labels, nodes)
    batches = FullGraph(model, *(part.to(device) for part in parts))

    @torch.no_grad()
    def accuracy(model: HyperSAGE) -> float:
        model.eval()
        ((logits, labels),) = batches
        return float((logits.argmax(dim=1) == labels).double().mean())

    return accuracy


def score(logits: Tensor, task: Task, nodes: Tensor) -> Report:
    """Score logits on some nodes."""
    connected = nodes[task.graph.nodes[NODE].data["degree"][nodes] > 0]
    return Report(
        evaluate(logits, task.labels, nodes, task.graph),
        evaluate(logits, task.labels, connected, task.graph) if len(connected) else None,
    )


def percent(share: float) -> str:
    """A share in percent, or a dash where there was nothing to score.

    Examples
    --------
    >>> percent(0.88414), percent(float("nan"))
    ('88.41', '-')
    """
    return "-" if math.isnan(share) else f"{100 * share:.2f}"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first and words to the left, numbers to the right.

    Examples
    --------
    >>> print(table(("class", "nodes"), [("red", "3"), ("dark blue", "12")]))
    class      nodes
    red            3
    dark blue     12
    """
    columns = list(zip(heading, *rows))
    widths = [max(map(len, column)) for column in columns]
    to_right = [
        i > 0 and all(_is_number(c) for c in column[1:]) for i, column in enumerate(columns)
    ]
    lines = []
    for row in (heading, *rows):
        cells = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, to_right))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(",", "").replace(".", "").isdigit()
