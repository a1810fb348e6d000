"""The protocol of AllSet: half of the nodes to train, a quarter to validate, ten random splits.

Every method has eight candidates, all of one budget. A candidate is scored on the validation nodes
of a split that is not among the ten, whose test nodes have no class there. The best of them then
runs on the ten, and its test accuracy is that of the epoch that is best on the validation nodes.
Sets that are too large for that have a smaller budget, walmart-trips five of the ten seeds too,
the same for every method.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, NamedTuple

from torch import nn
from tqdm import tqdm

from hypersage_dgl._utils import PathLike, parse_json
from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.nn import AGGREGATORS, BASELINES, HyperSAGE
from hypersage_dgl.training import without_test

from .best_epoch import train_and_test
from .between import Between
from .defaults import on_one_thread
from .ledger import opened, read_lines

PROTOCOL = "allset"
# Small ones first.
SETS = (
    *("cora-coauthorship", "cora-cocitation", "citeseer", "Mushroom", "20newsW100"),
    *("pubmed", "dblp", "walmart-trips", "walmart-trips:0.6"),
)
SEEDS, CHOICE = tuple(range(10)), (100,)
PRECOMPUTED = "hypersage precomputed"
Options = Mapping[str, Any]
# What the candidates of all methods share, and what is a method's own.
SHARED: tuple[Options, ...] = (
    {"num_layers": 1, "dropout": 0.5, "lr": 0.005, "weight_decay": 0.0},
    {"num_layers": 1, "dropout": 0.7, "lr": 0.005, "weight_decay": 5e-4},
    {"num_layers": 2, "dropout": 0.5, "lr": 0.005, "weight_decay": 0.0},
    {"num_layers": 2, "dropout": 0.7, "lr": 0.005, "weight_decay": 5e-4},
    {"num_layers": 2, "dropout": 0.5, "lr": 0.002, "weight_decay": 5e-4},
    {"num_layers": 1, "dropout": 0.5, "lr": 0.01, "weight_decay": 2e-3},
    # Perceptrons inside of a layer drop in several places, where half of all can be too much.
    {"num_layers": 1, "dropout": 0.2, "lr": 0.002, "weight_decay": 0.0},
    {"num_layers": 2, "dropout": 0.0, "lr": 0.002, "weight_decay": 5e-4},
)


class Budget(NamedTuple):
    """What every method has on a set: a hidden width, training, numbers of candidates, seeds."""

    width: int
    epochs: int
    patience: int
    candidates: tuple[int, ...]
    seeds: tuple[int, ...] = SEEDS


USUAL = Budget(128, 200, 30, tuple(range(len(SHARED))))
# So that all nine methods on all nine sets end in about six hours of two cores.
SMALLER = Budget(64, 100, 20, (0, 4, 6, 7))
SMALLEST = SMALLER._replace(seeds=SEEDS[:5])
LARGE: Mapping[str, Budget] = MappingProxyType(
    {"dblp": SMALLER, "walmart-trips": SMALLEST, "walmart-trips:0.6": SMALLEST}
)
_NONE: tuple[Options, ...] = ({},) * len(SHARED)
# Of a method whose layers look at no hyperedge, or smooth between two maps, one makes no sense.
_DEEPER = tuple({"num_layers": each["num_layers"] + 1} for each in SHARED)
OWN: Mapping[str, Sequence[Options]] = MappingProxyType(
    {
        "mlp": _DEEPER,
        "hgnn": _DEEPER,
        "unigcnii": tuple({"num_layers": n} for n in (2, 2, 4, 4, 8, 2, 2, 4)),
        "alldeepsets": _NONE,
        "allset-transformer": tuple({"heads": n} for n in (1, 4, 1, 4, 4, 1, 1, 4)),
        "ed-hnn": tuple({"maps": n} for n in (0, 2, 0, 2, 2, 0, 2, 2)),
        "tf-hnn": tuple({**d, "hops": n} for d, n in zip(_DEEPER, (1, 2, 2, 4, 4, 1, 1, 2))),
        "hypersage": (
            {},
            {"intra": "max"},
            {},
            {"intra": "max"},
            {"p": [3.0, 1.0]},
            {"p": 2.0, "learn_p": True},
            {"intra": "max"},
            {"intra": "max"},
        ),
        PRECOMPUTED: tuple(
            {**d, "hops": hops, "intra": intra}
            for d, hops, intra in zip(
                _DEEPER,
                (1, 2, 1, 2, 2, 1, 1, 2),
                (*("power", "power", "max", "max"), *("power", "power", "max", "max")),
            )
        ),
    }
)
METHODS = tuple(OWN)
Row = Mapping[str, Any]


def budget_of(name: str) -> Budget:
    """The budget that every method has on a set."""
    return LARGE.get(name, USUAL)


def candidates(method: str) -> list[dict[str, Any]]:
    """The options of each candidate, those of the training among them."""
    return [{**shared, **own} for shared, own in zip(SHARED, OWN[method])]


def run_protocol(
    path: PathLike,
    data_dir: str | None,
    command: str,
    sets: Sequence[str] = (),
    methods: Sequence[str] = (),
    progress: bool | None = None,
) -> int:
    """Do the runs that the file has no result of yet, on one thread; return how many.

    Each method on each set in a process of its own, so that its peak of memory is its own.
    """
    pairs = [(name, method) for name in sets or SETS for method in methods or METHODS]
    if len(pairs) == 1:
        return _run_pair(path, data_dir, command, *pairs[0], progress)
    before = len(read_lines(path))
    for name, method in pairs:
        words = ["-m", "experiments", PROTOCOL, "--set", name, "--model", method]
        words += ["--out", str(Path(path).parent), *(["--data-dir", data_dir] if data_dir else [])]
        subprocess.run([sys.executable, *words], check=True)
    return len(read_lines(path)) - before


def _run_pair(
    path: PathLike, data_dir: str | None, command: str, name: str, method: str, show: bool | None
) -> int:
    done, show = 0, sys.stderr.isatty() if show is None else show
    with opened(path) as ledger, on_one_thread():

        def do(runs: Iterable[Row]) -> None:
            nonlocal done
            for run in tqdm([run for run in runs if run not in ledger], disable=not show):
                ledger.add([{**run, **one_run(run, data_dir), "command": command}])
                done += 1

        do(_row(name, method, seed, i) for i in budget_of(name).candidates for seed in CHOICE)
        chosen = choose(read_rows(path), name, method)
        do(_row(name, method, seed, chosen) for seed in budget_of(name).seeds)
    return done


def _row(name: str, method: str, seed: int, candidate: int) -> dict[str, Any]:
    return {"dataset": name, "method": method, "seed": seed, "candidate": candidate}


def one_run(run: Row, data_dir: str | None, most: int | None = None) -> dict[str, Any]:
    """Train a candidate on the split of a seed; of a seed of the choice nothing is tested.

    ``most`` ends it after so many epochs, where only its seconds are asked for.
    """
    options = candidates(run["method"])[run["candidate"]]
    data = _loaded(run["dataset"], data_dir).with_split("random", seed=run["seed"])
    # Of the processor, not of the clock on the wall: a run may be paused or share its core.
    start = time.process_time()
    if run["seed"] in CHOICE:
        data = without_test(data)
    training = {name: options.pop(name) for name in ("lr", "weight_decay")}
    width, epochs, patience, *_ = budget_of(run["dataset"])
    data, make = prepared(run["method"], data, options, width)
    found = train_and_test(
        make, data, epochs=most or epochs, patience=patience, seed=run["seed"], **training
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {**found, "seconds": round(time.process_time() - start, 3), "peak_mib": peak}


def prepared(
    method: str, data: LabelledHypergraph, options: dict[str, Any], width: int
) -> tuple[LabelledHypergraph, Callable[[], nn.Module]]:
    """The data that a method trains on, and how its model is made."""
    if method == PRECOMPUTED:
        hops, intra = options.pop("hops"), AGGREGATORS[options.pop("intra")]
        rows = HyperSAGE.precompute(
            data.graph,
            data.require_feat(),
            hops,
            inter="mean",
            intra_aggr=None if intra is None else intra(),
        )
        data = replace(data, feat=rows, feature_names=())
    makes = {**BASELINES, "hypersage": Between, PRECOMPUTED: BASELINES["mlp"]}
    make = makes[method]
    return data, partial(make, data.num_feats, width, data.num_classes, **options)


@lru_cache(maxsize=1)
def _loaded(name: str, data_dir: str | None) -> LabelledHypergraph:
    return load(name, data_dir=data_dir)


def read_rows(path: PathLike) -> list[dict[str, Any]]:
    """The results of a file."""
    return [parse_json(line, place) for place, line in read_lines(path)]


def choose(rows: Iterable[Row], name: str, method: str) -> int:
    """The candidate with the best mean validation accuracy; the first of equal ones."""
    scores: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        if row["seed"] in CHOICE and (row["dataset"], row["method"]) == (name, method):
            scores[row["candidate"]].append(row["val_acc"])
    return max(sorted(scores), key=lambda i: fmean(scores[i]))


def finished(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Set, method and the rows of its seeds, where all candidates and all seeds are there."""
    found: dict[tuple[str, str], dict[tuple[int, int], Row]] = defaultdict(dict)
    for row in rows:
        found[row["dataset"], row["method"]].setdefault((row["candidate"], row["seed"]), row)
    for name in SETS:
        budget = budget_of(name)
        scored = {(i, seed) for i in budget.candidates for seed in CHOICE}
        for method in METHODS:
            there = found[name, method]
            if not scored <= there.keys():
                continue
            # Of a space that was smaller once, another may have run on the ten as well.
            chosen = choose(there.values(), name, method)
            if {(chosen, seed) for seed in budget.seeds} <= there.keys():
                yield name, method, [there[chosen, seed] for seed in budget.seeds]
