"""Do one run: train on its nodes, score the others."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import replace

import dgl
import torch
from torch import Tensor

from hypersage_dgl._utils import select_rows
from hypersage_dgl.data import inductive_split
from hypersage_dgl.training import Scores, evaluate, seed_everything

from ..protocol import HYPERSAGE, SEEN_AND_UNSEEN
from ..recipe import Recipe
from ..result import Result
from .data import Bench, open_bench
from .nodes import fold_split, ratio_split
from .train import all_logits, fit_by_recipe, train_by_recipe


def run_trial(run: Result, recipe: Recipe, data_dir: str | None, command: str) -> list[Result]:
    """Do a planned run and return what came out, a result for each of its parts."""
    bench = open_bench(run.dataset, data_dir)
    start = time.perf_counter()
    with warnings.catch_warnings():
        # What small powers do to weights that do not sum to one is what `literal` shows.
        warnings.filterwarnings("ignore", message=".*do not sum to one")
        do = _inductive if run.part in SEEN_AND_UNSEEN else _transductive
        scores, on_training = do(run, recipe, bench)
    seconds = round(time.perf_counter() - start, 3)
    return [
        replace(
            run,
            part=part,
            test_acc=round(score.accuracy, 6),
            connected_acc=_rounded(score.connected_accuracy),
            train_acc=round(on_training.accuracy, 6),
            seconds=seconds,
            command=command,
        )
        for part, score in zip(run.parts, scores)
    ]


def _transductive(run: Result, recipe: Recipe, bench: Bench) -> tuple[list[Scores], Scores]:
    """Train with the whole hypergraph at hand; score the nodes held out, and those trained on."""
    labels = bench.dataset.labels.numpy()
    if run.ratio is not None:
        split = ratio_split(labels, run.ratio, run.split)
    else:
        split = bench.dataset.data.splits[run.split - 1]
    scored = split.test
    if run.fold is not None:
        split = fold_split(split.train.numpy(), labels, run.fold, run.split)
        scored = split.val
    nodes = split.train
    logits = train_by_recipe(recipe, bench, nodes, run.seed, run.alpha)
    scores = evaluate(logits, bench.labels, scored, bench.graph)
    on_training = evaluate(logits, bench.labels, nodes, bench.graph)
    if run.fold is not None:
        scores = weighted(scores, mix_of_classes(bench, nodes, run.seed))
    return [scores], on_training


def _inductive(run: Result, recipe: Recipe, bench: Bench) -> tuple[list[Scores], Scores]:
    """Train without the unseen nodes; score the seen ones so, and the unseen ones put back."""
    if recipe.loops or recipe.rounds or recipe.knn or recipe.features == "idf":
        # Columns are weighed by all nodes, and so by those that are not to be seen.
        raise ValueError(
            "the inductive experiment takes a recipe without loops, self-training, knn and idf "
            "features"
        )
    split = inductive_split(bench.graph, seed=run.split)
    before, after = split.train_graph, split.full_graph
    kept = before.nodes["node"].data[dgl.NID].long()
    feat = bench.features(recipe.features)
    feat_before, labels = select_rows(feat, kept), bench.labels[kept]
    seed_everything(run.seed)
    model = recipe.build(feat.shape[1], bench.dataset.num_classes)
    train, seen = (before.nodes["node"].data[f"{part}_mask"] for part in ("train", "seen"))
    fit_by_recipe(recipe, model, (before, feat_before, labels, train), run.seed)
    logits = all_logits(model, before, feat_before)
    on_seen, on_training = (evaluate(logits, labels, part, before) for part in (seen, train))
    on_unseen = evaluate(all_logits(model, after, feat), bench.labels, split.unseen, after)
    return [on_seen, on_unseen], on_training


def mix_of_classes(bench: Bench, nodes: Tensor, seed: int) -> Tensor:
    """Share of each class among all nodes, as HyperSAGE predicts it by the paper's recipe.

    From the labels of some nodes alone; computed once for the same nodes.
    """
    key = (tuple(nodes.tolist()), seed)
    if key not in bench.mixes:
        logits = train_by_recipe(Recipe(HYPERSAGE), bench, nodes, seed)
        found = torch.bincount(logits.argmax(dim=1), minlength=logits.shape[1])
        bench.mixes[key] = found / len(logits)
    return bench.mixes[key]


def weighted(scores: Scores, mix: Tensor) -> Scores:
    """Scores of nodes drawn class by class, with each class weighed by its share.

    Folds have as many nodes of a rare class as of a frequent one, and test nodes do not: what helps
    rare classes would look better than it is.

    Examples
    --------
    >>> scores = Scores(0.5, 0.5, (1.0, 0.0), 2, 0.5, 0.5, (1.0, float("nan")), 1)
    >>> fair = weighted(scores, torch.tensor([0.9, 0.1]))
    >>> round(fair.accuracy, 3), round(fair.connected_accuracy, 3)
    (0.9, 1.0)
    """
    return replace(
        scores,
        accuracy=_mean(scores.per_class, mix),
        connected_accuracy=_mean(scores.connected_per_class, mix),
    )


def _rounded(share: float) -> float | None:
    # NaN stands where there was no node to score.
    return None if math.isnan(share) else round(share, 6)


def _mean(recalls: tuple[float, ...], mix: Tensor) -> float:
    """Mean over the classes that have a node."""
    known = [(r, share) for r, share in zip(recalls, mix.tolist()) if not math.isnan(r)]
    total = sum(share for _, share in known)
    return sum(r * share for r, share in known) / total if total > 0 else math.nan
