"""Train one model by a recipe and give the logits of all nodes."""

from __future__ import annotations

from typing import Any

import dgl
import torch
from torch import Tensor

from hypersage_dgl.nn import FirstLayer
from hypersage_dgl.training import (
    FullGraph,
    Minibatches,
    add_pseudo_labels,
    fit,
    sampler_for,
    seed_everything,
)

from ..protocol import BATCH_SIZE
from ..recipe import Recipe
from .data import Bench


def train_by_recipe(
    recipe: Recipe, bench: Bench, nodes: Tensor, seed: int, alpha: int | None = None
) -> Tensor:
    """Logits of all nodes of a bench, from a model trained on some of them.

    Parameters
    ----------
    recipe
        How to make and train the model.
    bench
        The data.
    nodes
        Ids of the labelled nodes; no other label is read.
    seed
        Decides initial weights and all that training draws.
    alpha
        Sample so many members of each hyperedge in training, by default as many as the recipe
        says; the logits come from the full neighbourhood all the same.
    """
    logits = _train_once(recipe, bench, bench.labels, nodes, seed, alpha)
    for _ in range(recipe.rounds):
        labels, known = add_pseudo_labels(logits, bench.labels, nodes, recipe.share)
        logits = _train_once(recipe, bench, labels, known, seed, alpha)
    return logits


def _train_once(
    recipe: Recipe, bench: Bench, labels: Tensor, nodes: Tensor, seed: int, alpha: int | None
) -> Tensor:
    graph = bench.structure(recipe.loops, recipe.knn)
    feat = bench.features(recipe.features)
    seed_everything(seed)
    model = recipe.build(feat.shape[1], bench.dataset.num_classes)
    first = bench.first(model, recipe)
    fit_by_recipe(recipe, model, (graph, feat, labels, nodes), seed, alpha, first)
    return all_logits(model, graph, feat, first)


def fit_by_recipe(
    recipe: Recipe,
    model: Any,
    data: tuple[dgl.DGLGraph, Tensor, Tensor, Tensor],
    seed: int,
    alpha: int | None = None,
    first: FirstLayer | None = None,
) -> None:
    """Train a model on a hypergraph, features, labels and nodes to train on."""
    batches: FullGraph | Minibatches
    epochs = recipe.epochs
    alpha = recipe.alpha if alpha is None else alpha
    if alpha is not None:
        batches = Minibatches(
            *data, sampler_for(model, data[0], alpha), batch_size=BATCH_SIZE, model=model
        )
        # As many steps of the optimizer as without sampling.
        epochs = -(-recipe.epochs // len(batches))
    else:
        batches = FullGraph(*data, model=model, first=first)
    history = fit(
        model,
        batches,
        epochs=epochs,
        lr=recipe.lr,
        weight_decay=recipe.weight_decay,
        seed=seed,
        progress=False,
    )
    if history.stopped == "interrupted":
        # Half a training is no result.
        raise KeyboardInterrupt


@torch.no_grad()
def all_logits(
    model: Any, graph: dgl.DGLGraph, feat: Tensor, first: FirstLayer | None = None
) -> Tensor:
    """Logits of all nodes in evaluation, from a kept first layer if there is one."""
    model.eval()
    return model(graph, feat if first is None else first)
