"""The table on hyperedge prediction: AUROC and AP by kind of negatives, over the five splits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Any

from ..hyperedges import (
    BATCHES,
    CANDIDATES,
    CHOICE,
    CHOSEN_ON,
    EPOCHS,
    SPLITS,
    WIDTH,
    choose,
)
from ..protocol import DATASETS
from .markdown import document, markdown_table

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "neighbours": "common neighbours",
        "mlp": "MLP on mean features",
        "hgnn": "HGNN",
        "hypersage": "HyperSAGE",
    }
)
KINDS = ("sized", "motif", "clique", "mean")
SCORES = ("AUROC", "AP")
HEADING = ("data set", "method", *(f"{score} {kind}" for score in SCORES for kind in KINDS))


def hyperedges_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """The block of ``hyperedge-prediction.md``: a row for each data set and method that is done."""
    rows = list(rows)
    done, cells = finished(rows), []
    for dataset, found in done.items():
        best = [max(fmean(column[i]) for column in found.values()) for i in range(2 * len(KINDS))]
        for method, columns in found.items():
            shown = [_cell(c, i % 4 == 3, fmean(c) == best[i]) for i, c in enumerate(columns)]
            cells.append((DATASETS.get(dataset, dataset), TITLES[method], *shown))
    parts = [_rules(rows), markdown_table(HEADING, cells, left=2)] if done else []
    left = [d for d in EPOCHS if d not in done]
    if left:
        parts.append(f"Not run yet: {', '.join(left)}; the command goes on where it stopped.")
    return document(parts)


def finished(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[list[float]]]]:
    """By data set and method the values over the splits: AUROC of each kind, then AP of each.

    Data sets of which a run is missing are left out.
    """
    scores: dict[tuple[str, str], dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for row in rows:
        if row["split"] in SPLITS:
            scores[row["dataset"], row["method"]].setdefault(row["split"], row["scores"])
    return {
        dataset: {
            method: [
                [scores[dataset, method][split][kind][k] for split in SPLITS]
                for k in range(len(SCORES))
                for kind in KINDS
            ]
            for method in CANDIDATES
        }
        for dataset in EPOCHS
        if all(len(scores[dataset, method]) == len(SPLITS) for method in CANDIDATES)
    }


def _cell(values: list[float], with_spread: bool, is_best: bool) -> str:
    text = f"{100 * fmean(values):.1f}"
    text += f" ± {100 * stdev(values):.1f}" if with_spread else ""
    return f"**{text}**" if is_best else text


def _rules(rows: Iterable[Mapping[str, Any]]) -> str:
    recipes = ", ".join(
        f"{TITLES[method]} {recipe.layers} layer{'s' if recipe.layers > 1 else ''} and rate "
        f"{recipe.lr:g}"
        for method, recipe in choose(rows).items()
        if recipe is not None
    )
    epochs = ", ".join(f"{dataset} {count}" for dataset, count in EPOCHS.items())
    first, last = SPLITS[0], SPLITS[-1]
    return f"""Means in percent over the splits {first} to {last}, which are also the seeds, and for
the mean of the kinds the standard deviation; the best of a column is bold. Training
hyperedges come in {BATCHES} batches an epoch with negatives of all three kinds in turn; the best
epoch on validation counts. Width {WIDTH}, Adam, neither dropout nor weight decay. Depth and
learning rate of a method were chosen among four on the validation hyperedges of split {CHOICE} of
{CHOSEN_ON}, which is none of the five: {recipes}. Epochs: {epochs}."""
