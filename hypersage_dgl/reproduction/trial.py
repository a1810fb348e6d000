"""One run of an experiment: what tells it from the others, and what comes out of it."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import asdict, dataclass
from typing import Any

import dgl
import torch

from .._utils import select_rows
from ..data import inductive_split
from ..training import Scores, evaluate, seed_everything
from .bench import Bench, open_bench
from .nodes import fold_split, ratio_split
from .recipe import Recipe
from .train import all_logits, fit_by_recipe, train_by_recipe
from .validation import mix_of_classes, weighted


@dataclass(frozen=True)
class Trial:
    """A run, by all that tells it from the other runs.

    Parameters
    ----------
    table
        The experiment: ``table1``, ``table2``, ``table3``, ``stability`` or ``search``.
    dataset, method, column
        The cell, with ``p``, ``alpha`` and ``ratio`` where they vary.
    split, init
        Number of the split, from 1 on, and of the initial weights, from 0 on.
    fold
        In the search: the part of the training nodes that validates.
    recipe
        What tells recipes of one cell apart: in the search the recipe as JSON, else its checksum.
    """

    table: str
    dataset: str
    method: str
    column: str
    split: int
    init: int = 0
    p: float | None = None
    alpha: int | None = None
    ratio: float | None = None
    fold: int | None = None
    recipe: str | None = None

    @property
    def seed(self) -> int:
        """Seed of the run: other methods on the same split have the same."""
        return 100 * self.split + self.init

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the node sets that it is scored on, one line of the results for each."""
        if self.table == "table3":
            return ("seen", "unseen")
        return ("test",) if self.fold is None else ("validation",)

    def identity(self, part: str) -> dict[str, Any]:
        """The fields of a line of the results that tell it from the other lines of its file."""
        fields = {**asdict(self), "part": part}
        fields.pop("table")
        return {key: v for key, v in fields.items() if v is not None or key in ("p", "alpha")}


def run_trial(
    trial: Trial, recipe: Recipe, data_dir: str | None, command: str
) -> list[dict[str, Any]]:
    """Run it and return the lines of the results, one for each part."""
    bench = open_bench(trial.dataset, data_dir)
    start = time.perf_counter()
    with warnings.catch_warnings():
        # What small powers do to weights that do not sum to one is what `literal` shows.
        warnings.filterwarnings("ignore", message=".*do not sum to one")
        run = _inductive if trial.table == "table3" else _transductive
        scores = run(trial, recipe, bench)
    seconds = round(time.perf_counter() - start, 3)
    return [
        {
            **trial.identity(part),
            "test_acc": _rounded(score.accuracy),
            "connected_acc": _rounded(score.connected_accuracy),
            "seconds": seconds,
            "command": command,
        }
        for part, score in zip(trial.parts, scores)
    ]


def _transductive(trial: Trial, recipe: Recipe, bench: Bench) -> list[Scores]:
    """Train with the whole hypergraph at hand, score the nodes held out."""
    labels = bench.dataset.labels.numpy()
    if trial.ratio is not None:
        split = ratio_split(labels, trial.ratio, trial.split)
    else:
        split = bench.dataset.data.splits[trial.split - 1]
    scored = split.test
    if trial.fold is not None:
        split = fold_split(split.train.numpy(), labels, trial.fold, trial.split)
        scored = split.val
    nodes = split.train
    logits = train_by_recipe(recipe, bench, nodes, trial.seed, trial.alpha)
    scores = evaluate(logits, bench.labels, scored, bench.graph)
    if trial.fold is not None:
        scores = weighted(scores, mix_of_classes(bench, nodes, trial.seed))
    return [scores]


def _inductive(trial: Trial, recipe: Recipe, bench: Bench) -> list[Scores]:
    """Train without the unseen nodes; score the seen ones so, and the unseen ones put back."""
    if recipe.loops or recipe.rounds or recipe.features == "idf":
        # Columns are weighed by all nodes, and so by those that are not to be seen.
        raise ValueError(
            "the inductive experiment takes a recipe without loops, self-training and idf features"
        )
    split = inductive_split(bench.graph, seed=trial.split)
    before, after = split.train_graph, split.full_graph
    kept = before.nodes["node"].data[dgl.NID].long()
    feat = bench.features(recipe.features)
    feat_before, labels = select_rows(feat, kept), bench.labels[kept]
    seed_everything(trial.seed)
    model = recipe.build(feat.shape[1], bench.dataset.num_classes)
    train, seen = (before.nodes["node"].data[f"{part}_mask"] for part in ("train", "seen"))
    fit_by_recipe(recipe, model, (before, feat_before, labels, train), trial.seed)
    on_seen = evaluate(all_logits(model, before, feat_before), labels, seen, before)
    unseen = split.unseen
    return [on_seen, evaluate(all_logits(model, after, feat), bench.labels, unseen, after)]


def _rounded(share: float) -> float | None:
    # JSON has no NaN, which stands where there was no node to score.
    return None if math.isnan(share) else round(share, 6)
