"""Scores of labels and of numbers as the command shows them; those of classes stand beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from torch import Tensor

from ..data import MULTILABEL, REGRESSION, LabelledHypergraph
from ..training import Prediction, evaluate_labels, evaluate_numbers
from .text import percent, table

# Heading of each score; what is no share of something is no percentage.
SHARES = {"micro_f1": "micro-F1", "macro_f1": "macro-F1", "mean_average_precision": "mAP"}
NUMBERS = {"mae": "MAE", "rmse": "RMSE", "r2": "R²"}


class Shown(NamedTuple):
    """Scores by name, the F1 of each label if there are labels, and how many nodes they are of."""

    scores: dict[str, float]
    per_label: Sequence[float]
    nodes: int

    @property
    def main(self) -> float:
        """The one that validation goes by."""
        return self.scores["r2"] if "r2" in self.scores else self.scores["micro_f1"]


def outputs_of(prediction: Prediction, task: str) -> Tensor:
    """What is scored of a prediction: probabilities, logits of labels, or numbers."""
    if task == REGRESSION:
        return prediction.label.cpu()
    if task == MULTILABEL:
        # In float32 a probability can be 1, whose logit is infinite.
        return prediction.probabilities.cpu().double().logit(eps=1e-12)
    return prediction.probabilities.cpu()


def score(outputs: Tensor, data: LabelledHypergraph, nodes: Tensor, task: str) -> Shown:
    """Score labels or numbers on some nodes."""
    if task == REGRESSION:
        found: dict[str, Any] = asdict(evaluate_numbers(outputs, data.require_numbers(), nodes))
    else:
        found = asdict(evaluate_labels(outputs, data.require_labels(), nodes))
    count, per_label = found.pop("nodes"), found.pop("per_label", ())
    return Shown(found, per_label, count)


def shown(value: float, name: str) -> str:
    """A score as text: shares in percent, others with four digits."""
    if name in NUMBERS:
        return f"{value:.4g}"
    return percent(value)


def score_table(first: str, rows: Mapping[str, Shown]) -> str:
    """A table of scores with a row for each set of nodes or kind of evaluation."""
    names = list(next(iter(rows.values())).scores)
    heading = (first, *((SHARES | NUMBERS)[name] for name in names), "nodes")
    return table(
        heading,
        [
            (row, *(shown(found.scores[n], n) for n in names), f"{found.nodes:,}")
            for row, found in rows.items()
        ],
    )


def named_scores(found: Mapping[str, Shown]) -> dict[str, float]:
    """All scores of all evaluations by name; without those that there was nothing to score for."""
    return {
        f"{(SHARES | NUMBERS)[key]} ({name})": value
        for name, each in found.items()
        for key, value in each.scores.items()
        if not math.isnan(value)
    }


def document(found: Shown, names: Sequence[str]) -> dict[str, Any]:
    """Scores as JSON holds them; it has no NaN, which stands for what cannot be scored."""
    scores = {key: _or_none(value) for key, value in found.scores.items()}
    labels = {name: _or_none(f1) for name, f1 in zip(names, found.per_label)}
    return {"nodes": found.nodes, **scores, **({"f1": labels} if labels else {})}


def main_score(value: float, task: str) -> str:
    """The score that validation goes by, as text.

    Examples
    --------
    >>> main_score(0.5, "multilabel"), main_score(0.5, "regression")
    ('50.00', '0.5')
    """
    return shown(value, "r2" if task == REGRESSION else "micro_f1")


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
