"""What the page on a run shows of its predictions: of classes, of several labels, or of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from markupsafe import Markup
from torch import Tensor

from ..data import LabelledHypergraph
from ..training import evaluate, evaluate_labels, evaluate_numbers
from .charts import parity_chart
from .findings import (
    Error,
    Share,
    by_class,
    by_degree,
    confusion,
    embedding_map,
    largest_errors,
    some_of,
)
from .page import percent, shown

GROUPS = 5


@dataclass(frozen=True, kw_only=True)
class Content:
    """The parts of a page that depend on the task; empty ones are left out."""

    scores: Sequence[tuple[str, str]]
    say: Callable[[int], str]
    errors: Sequence[Error]
    by_degree: Sequence[Share]
    measure: str
    map: Markup | None
    legend: Sequence[str]
    ring: str = ""
    confusion: Sequence[Sequence[int]] = ()
    by_class: Sequence[Share] = ()
    parity: Markup | None = None
    is_number: bool = False


def content_of(
    data: LabelledHypergraph, outputs: Tensor, nodes: Tensor, embedding: Tensor | None
) -> Content:
    """Look at predictions on some nodes; what is learned is what the data have."""
    if data.labels is None:
        return _numbers(data, outputs, nodes, embedding)
    if embedding is None:
        embedding = outputs.clamp(min=1e-9).log()
    return (_classes if data.labels.dim() == 1 else _labels)(data, outputs, nodes, embedding)


def names_of(data: LabelledHypergraph) -> list[str]:
    """Names of classes or labels; their numbers where they have none."""
    return [str(n) for n in data.class_names] or [str(k) for k in range(data.num_classes)]


def _classes(
    data: LabelledHypergraph, outputs: Tensor, nodes: Tensor, embedding: Tensor
) -> Content:
    labels, classes, predicted = data.require_labels(), names_of(data), outputs.argmax(dim=1)
    scores = evaluate(_logits(outputs), labels, nodes, data.graph)
    is_wrong = predicted != labels
    wrong = nodes[is_wrong[nodes]]

    def say(node: int) -> str:
        truth = f"Its class is {classes[labels[node]]}" if labels[node] >= 0 else "It has no class"
        sure = percent(float(outputs[node].max()))
        return f"{truth}, the prediction is {classes[predicted[node]]} ({sure} %)."

    return Content(
        scores=(
            (percent(scores.accuracy), "accuracy, %"),
            (percent(scores.macro_f1), "macro-F1, %"),
            (percent(scores.connected_accuracy), "accuracy of connected nodes, %"),
        ),
        say=say,
        errors=largest_errors(
            data,
            wrong,
            outputs[wrong].amax(dim=1),
            lambda i: (classes[labels[wrong[i]]], classes[predicted[wrong[i]]]),
        ),
        confusion=confusion(labels[nodes], predicted[nodes], len(classes)),
        by_class=by_class(scores.per_class, labels[nodes], classes),
        by_degree=by_degree(data, nodes, lambda ids: 1 - float(is_wrong[ids].double().mean())),
        measure="accuracy, %",
        map=embedding_map(data, embedding, nodes, labels, is_wrong),
        legend=classes,
        ring="a ring marks a wrong prediction, ",
    )


def _labels(data: LabelledHypergraph, outputs: Tensor, nodes: Tensor, embedding: Tensor) -> Content:
    labels, names, logits = data.require_labels(), names_of(data), _logits(outputs)
    scores = evaluate_labels(logits, labels, nodes)
    predicted = (outputs > 0.5).long()
    is_wrong = predicted != labels
    # A pair of node and label is an error: one line may be right of a node, another one wrong.
    places, wrong = is_wrong[nodes].nonzero().unbind(1)
    sure = torch.maximum(outputs, 1 - outputs)[nodes[places], wrong]

    def words(place: int) -> tuple[str, str]:
        name = names[wrong[place]]
        has = bool(labels[nodes[places[place]], wrong[place]])
        return (name, f"not {name}") if has else (f"not {name}", name)

    def say(node: int) -> str:
        truth, guess = (
            ", ".join(name for name, on in zip(names, row.tolist()) if on == 1) or "none"
            for row in (labels[node], predicted[node])
        )
        known = f"Its labels are {truth}" if labels[node].min() >= 0 else "Its labels are not known"
        return f"{known}; the prediction is {guess}."

    found = {"micro-F1": scores.micro_f1, "macro-F1": scores.macro_f1}
    return Content(
        scores=[
            (percent(value), f"{name}, %")
            for name, value in {**found, "mAP": scores.mean_average_precision}.items()
        ],
        say=say,
        errors=largest_errors(data, nodes[places], sure, words),
        by_class=by_class(scores.per_label, labels[nodes], names),
        by_degree=by_degree(data, nodes, lambda ids: evaluate_labels(logits, labels, ids).micro_f1),
        measure="micro-F1, %",
        map=embedding_map(data, embedding, nodes, outputs.argmax(dim=1), is_wrong.any(dim=1)),
        legend=names,
        ring="the colour is the likeliest label, a ring marks a node with a wrong one, ",
    )


def _numbers(
    data: LabelledHypergraph, outputs: Tensor, nodes: Tensor, embedding: Tensor | None
) -> Content:
    numbers, guesses = data.require_numbers().double(), outputs.double()
    scores = evaluate_numbers(guesses, numbers, nodes)
    off = (guesses - numbers).abs()
    chosen = some_of(nodes)
    known = torch.unique(numbers[nodes])
    # Fifths of the numbers that occur, fewer where fewer occur.
    bounds = known[torch.linspace(0, len(known), min(GROUPS, len(known)) + 1).long()[1:-1]]
    groups = torch.bucketize(numbers, bounds, right=True)
    edges = [shown(float(bound)) for bound in (known[0], *bounds, known[-1])]

    def words(node: int) -> tuple[str, str]:
        return shown(float(numbers[node])), shown(float(guesses[node]))

    def say(node: int) -> str:
        truth, guess = words(node)
        is_known = bool(numbers[node].isfinite())
        known = f"Its number is {truth}" if is_known else "Its number is not known"
        return f"{known}, the prediction is {guess}."

    return Content(
        scores=(
            (shown(scores.r2), "R²"),
            (shown(scores.mae), "mean absolute error"),
            (shown(scores.rmse), "root of the mean squared error"),
        ),
        say=say,
        errors=largest_errors(data, nodes, off[nodes], lambda i: words(int(nodes[i]))),
        by_degree=by_degree(data, nodes, lambda ids: float(off[ids].mean())),
        measure="mean absolute error",
        map=None
        if embedding is None
        else embedding_map(data, embedding, nodes, groups, torch.zeros_like(off, dtype=torch.bool)),
        legend=[f"{low} to {high}" for low, high in pairwise(edges)],
        ring="the colour is the true number, ",
        parity=Markup(
            parity_chart(
                list(zip(numbers[chosen].tolist(), guesses[chosen].tolist())),
                [str(data.node_names[i]) for i in chosen.tolist()],
            )
        ),
        is_number=True,
    )


def _logits(probabilities: Tensor) -> Tensor:
    # In float32 a probability can be 1, whose logit is infinite.
    return probabilities.double().logit(eps=1e-9)
