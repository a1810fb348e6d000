"""One run of training that other tests break off and resume, and what is to be the same after."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import torch
from small_hypergraph import NODES, model_for
from torch import nn

from hypersage_dgl.training import About, evaluate, fit, seed_everything

from .cases import full, sampled, small

EPOCHS = 6
ABOUT = About(classes=("a", "b", "c"), statistics={"nodes": NODES})
KINDS = ["full", "minibatches", "workers"]


def make(kind: str, **changes):
    """A new model and its batches, as a new process makes them: dropout, sampling, shuffling."""
    case = small()
    model = model_for(dropout=0.5, norm=nn.BatchNorm1d, **changes)
    nodes = torch.arange(0, NODES - 2)
    if kind == "full":
        return case, model, full(model, *case, nodes)
    options = {"alpha": 2, "beta": [-1, 2], "batch_size": 3}
    workers = 2 if kind == "workers" else 0
    return case, model, sampled(model, *case, nodes, num_workers=workers, **options)


def train(kind: str, folder: Path | None, epochs: int = EPOCHS, **options):
    """Train with validation; give the history and the model."""
    case, model, batches = make(kind)

    def validate(model):
        return evaluate(model(case.graph, case.feat), case.labels, torch.arange(NODES)).accuracy

    # A process does other things before, which must not matter.
    seed_everything(epochs)
    options = {"validate": validate, "seed": 8, "about": ABOUT, **options}
    return fit(model, batches, epochs=epochs, folder=folder, **options), model


def outcome(history, model) -> dict:
    """All of a run but the time it took."""
    return {
        "curve": [(e.epoch, e.loss, e.val) for e in history.epochs],
        "best": (history.best_epoch, history.best_val),
        "weights": {k: v.tolist() for k, v in model.state_dict().items()},
    }


def epochs_in(folder: Path) -> int:
    """Number of epochs that the checkpoint has."""
    return len(json.loads((folder / "checkpoint.json").read_text())["progress"]["epochs"])


def kinds_of_files(folder: Path) -> list[str]:
    """Names in a folder, without the random part."""
    return sorted(file.name.split("-")[0] for file in folder.iterdir() if file.name != ".lock")


WHOLE = ["checkpoint.json", "log.csv", "state", "weights"]


@functools.cache
def unbroken(kind: str) -> dict:
    return outcome(*train(kind, None))
