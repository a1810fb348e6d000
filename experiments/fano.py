"""What two levels buy: Fano planes, which one level cannot tell apart, by the noise on the marks.

All methods have the same width, depth and training. The learning rate is the one of two with which
more methods learned planes of another seed. These tries were few and not the same for every method,
and their test accuracies were seen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from torch import nn
from tqdm import tqdm

from hypersage_dgl._utils import PathLike
from hypersage_dgl.data import LabelledHypergraph
from hypersage_dgl.data import fano as generated
from hypersage_dgl.nn import BASELINES

from .best_epoch import train_and_test
from .between import Between
from .defaults import on_one_thread
from .ledger import opened

FANO = "fano"
PLANES, NOISES, SPLITS = 200, (0.0, 0.1, 0.2, 0.3), (1, 2, 3)
WIDTH, LAYERS, LR, EPOCHS, PATIENCE = 32, 2, 0.003, 200, 60


def _hypersage(**options: Any) -> Callable[[], nn.Module]:
    return lambda: Between(1, WIDTH, 2, LAYERS, 0.0, **options)


def _baseline(name: str) -> Callable[[], nn.Module]:
    return lambda: BASELINES[name](1, WIDTH, 2, LAYERS, 0.0)


METHODS: Mapping[str, Callable[[], nn.Module]] = MappingProxyType(
    {
        **{n: _baseline(n) for n in ("clique-gcn", "hgnn", "unigcnii")},
        "hypersage p=1": _hypersage(),
        "hypersage p=3": _hypersage(p=3.0),
        "hypersage p=(3, 1)": _hypersage(p=(3.0, 1.0)),
        "hypersage max inside": _hypersage(intra="max"),
        "hypersage p learned inside": _hypersage(p=3.0, learn_p=True),
        **{n: _baseline(n) for n in ("alldeepsets", "allset-transformer", "ed-hnn")},
    }
)


def tell_planes(path: PathLike, command: str, progress: bool | None = None) -> int:
    """Do the runs that the file has no result of yet, on one thread; return how many."""
    show = sys.stderr.isatty() if progress is None else progress
    with opened(path) as ledger, on_one_thread():
        waiting = [run for run in runs() if run not in ledger]
        for run in tqdm(waiting, disable=not show):
            ledger.add([{**run, **one_run(run), "command": command}])
    return len(waiting)


def runs() -> Iterator[dict[str, Any]]:
    """All runs, a split at a time."""
    for split in SPLITS:
        for noise in NOISES:
            for method in METHODS:
                yield {"dataset": FANO, "noise": noise, "method": method, "split": split}


def one_run(run: Mapping[str, Any]) -> dict[str, float]:
    """Train on a split; score the epoch that is best on validation nodes."""
    start = time.perf_counter()
    data = _planes(run["noise"]).with_split(run["split"])
    found = train_and_test(
        METHODS[run["method"]],
        data,
        epochs=EPOCHS,
        lr=LR,
        weight_decay=0.0,
        seed=run["split"],
        patience=PATIENCE,
    )
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


@lru_cache(maxsize=1)
def _planes(noise: float) -> LabelledHypergraph:
    return generated(PLANES, noise)
