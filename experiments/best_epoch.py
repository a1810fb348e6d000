"""Train on one split and score the epoch that is best on the validation nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from hypersage_dgl.data import LabelledHypergraph
from hypersage_dgl.training import FullGraph, accuracy_on, fit, seed_everything


def train_and_test(
    make: Callable[[], nn.Module],
    data: LabelledHypergraph,
    *,
    epochs: int,
    lr: float,
    weight_decay: float,
    seed: int,
    patience: int | None = None,
    cosine: bool = False,
) -> dict[str, float]:
    """Accuracy on the parts of the one split of the data; a part without nodes is left out.

    ``cosine`` lets the learning rate fall to zero by half a wave.
    """
    seed_everything(seed)
    model = make()
    parts = (data.graph, data.require_feat(), data.require_labels())
    nodes = {part: data.part(part) for part in ("train", "val", "test")}
    scores = {
        part: accuracy_on(*parts, ids, model=model) for part, ids in nodes.items() if len(ids)
    }
    steps: dict[str, Any] = {"lr": lr, "weight_decay": weight_decay}
    if cosine:
        adam = torch.optim.Adam(model.parameters(), lr, weight_decay=weight_decay)
        falls = torch.optim.lr_scheduler.CosineAnnealingLR(adam, epochs)
        steps = {"optimizer": adam, "scheduler": falls}
    history = fit(
        model,
        FullGraph(*parts, nodes["train"], model=model),
        epochs=epochs,
        validate=scores["val"],
        patience=patience,
        seed=seed,
        progress=False,
        **steps,
    )
    found = {f"{part}_acc": score(model) for part, score in scores.items()}
    return {**found, "best_epoch": history.best_epoch, "epochs_run": len(history.epochs)}
