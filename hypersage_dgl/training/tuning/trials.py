"""What a search tries, how a trial is scored, and optuna's study, which keeps them in a folder."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import torch

from ...data import LabelledHypergraph, Split
from ...nn import WEIGHTINGS
from ..evaluator import accuracy_on
from ..full_graph import FullGraph
from ..loop import fit
from ..saving import History, digests
from ..seed import seed_everything
from .recipe import DEFAULT, Recipe

Space = Mapping[str, "tuple[Any, ...]"]
Report = Callable[[int, float], None]
SPACE: Space = MappingProxyType(
    {
        "hidden_feats": (16, 32, 64, 128, 256),
        "num_layers": (1, 2, 3),
        "p": (-1.0, 0.5, 1.0, 2.0, 5.0),
        "inter": WEIGHTINGS,
        "dropout": (0.0, 0.2, 0.35, 0.5, 0.65),
        "weight_decay": (0.0, 1e-5, 5e-5, 5e-4, 5e-3),
        "normalize": (True, False),
    }
)


def without_test(data: LabelledHypergraph) -> LabelledHypergraph:
    """The same without a trace of the test: its nodes have no class and are in no part.

    Examples
    --------
    >>> from hypersage_dgl.data import generate
    >>> seen = without_test(generate(seed=0).with_split(1, val_fraction=0.25))
    >>> len(seen.part("test")), int((seen.labels >= 0).sum())
    (0, 80)
    """
    labels, split = data.require_labels(), data.split(1)
    known = torch.cat([split.train, split.val])
    # Rows of 0 and 1 have no -1; nobody reads those of other nodes.
    hidden = torch.full_like(labels, -1 if labels.dim() == 1 else 0)
    hidden[known] = labels[known]
    none = split.test[:0]
    return replace(data, labels=hidden, splits=(Split(split.train, split.val, none),))


def space_for(data: LabelledHypergraph) -> Space:
    """All of ``SPACE``; p stays 1 for negative features, which other power means cannot take."""
    feat = data.require_feat()
    values = feat.values() if feat.layout == torch.sparse_csr else feat
    if values.numel() and float(values.min()) < 0:
        return {**SPACE, "p": (1.0,)}
    return SPACE


@dataclass(frozen=True)
class Bench:
    """Trains recipes on one hypergraph, all with the same seed, as ``hypersage train`` does."""

    data: LabelledHypergraph
    num_classes: int
    epochs: int
    seed: int
    device: str = "cpu"
    base: Recipe = DEFAULT

    def train(self, recipe: Recipe, report: Report) -> History:
        """Train, and give ``report`` the number of each epoch and its validation accuracy."""
        data, done = self.data, 0
        seed_everything(self.seed)
        model = recipe.build(data.num_feats, self.num_classes).to(self.device)
        parts = (data.graph, data.require_feat(), data.require_labels())
        graph, feat, labels = (part.to(self.device) for part in parts)
        train, val = (data.part(part).to(self.device) for part in ("train", "val"))
        score = accuracy_on(graph, feat, labels, val, model=model)

        def validate(model: Any) -> float:
            nonlocal done
            accuracy = score(model)
            done += 1
            report(done, accuracy)
            return accuracy

        return fit(
            model,
            FullGraph(graph, feat, labels, train, model=model),
            epochs=self.epochs,
            lr=recipe.lr,
            weight_decay=recipe.weight_decay,
            validate=validate,
            seed=self.seed,
            progress=False,
        )


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
