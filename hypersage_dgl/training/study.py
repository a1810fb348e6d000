"""The study of a search: optuna, its storage in a folder, and what tells it from others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from .digests import digests
from .full_graph import FullGraph
from .trials import Bench, Space

STUDY = "study.db"
CURE = 'the search needs optuna; get it with: pip install "hypersage_dgl[tune]"'
# On a trial that ran to its end, or to its pruning: one that was broken off does not count.
DONE = "done"


def require_optuna() -> ModuleType:
    """Import optuna, or say in one line how to get it."""
    try:
        import optuna
    except ImportError:
        raise ModuleNotFoundError(CURE) from None
    return optuna


@contextmanager
def quiet(optuna: Any) -> Iterator[None]:
    """Leave the terminal to the progress bar."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)


@contextmanager
def open_study(optuna: Any, folder: Path | None, identity: str) -> Iterator[Any]:
    """Open the study of a folder, or a new one; refuse that of another search."""
    storage = None
    if folder is not None:
        storage = optuna.storages.RDBStorage(f"sqlite:///{(folder / STUDY).resolve()}")
    try:
        study = optuna.create_study(
            storage=storage,
            study_name="hypersage",
            direction="maximize",
            pruner=optuna.pruners.MedianPruner(n_startup_trials=5),
            load_if_exists=True,
        )
        before = study.user_attrs.get("search")
        if before is None:
            study.set_user_attr("search", identity)
        elif before != identity:
            raise ValueError(
                f"{folder} holds a search on other data, or with another split, seed, number of "
                "epochs or option; continue it with the same, or name another folder"
            )
        running = optuna.trial.TrialState.RUNNING
        for trial in study.get_trials(deepcopy=False, states=(running,)):
            # Of a process that was killed.
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
        yield study
    finally:
        if storage is not None:
            storage.remove_session()
            storage.engine.dispose()


def identity_of(bench: Bench, space: Space) -> str:
    """What tells a search from others: data without the test, split, seed, epochs and space."""
    data = bench.data
    nodes = [data.part(part) for part in ("train", "val")]
    whole = FullGraph(data.graph, data.require_feat(), data.require_labels(), nodes[0])
    told = {
        "seed": bench.seed,
        "epochs": bench.epochs,
        "classes": bench.num_classes,
        "space": dict(space),
        "base": asdict(bench.base),
        "nodes": [zlib.crc32(ids.numpy().tobytes()) for ids in nodes],
        "labels": zlib.crc32(data.require_labels().numpy().tobytes()),
        **digests(whole),
    }
    return json.dumps(told, sort_keys=True)
