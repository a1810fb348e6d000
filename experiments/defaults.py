"""Compare candidates for the defaults of ``hypersage train``, on validation nodes alone."""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl._utils import PathLike, parse_json
from hypersage_dgl.data import LabelledHypergraph, Split, load, noisy_labels
from hypersage_dgl.hypergraphs import incidences
from hypersage_dgl.training import (
    PAPER,
    FullGraph,
    Recipe,
    accuracy_on,
    fit,
    seed_everything,
    without_test,
)

from .ledger import opened, read_lines

DEFAULTS = "defaults"
GENERATED = ("synthetic", "synthetic:citeseer", "synthetic:pubmed")
WALMART = "walmart-trips"
ALLSET = ("20newsW100", "Mushroom", WALMART)
DATASETS = ("debian", *GENERATED, *ALLSET)
# Of walmart-trips so many hyperedges, with their members: a run then takes seconds.
TRIPS = 4000
SPLITS = (1, 2)
# Of generated data sets so many nodes at most validate, and their seeds begin here: the ones that
# users generate by the same name, with seed 0, are others.
VALIDATED, FIRST_SEED = 2000, 100
EPOCHS = 150
WIDE = replace(PAPER, hidden_feats=128)
FREE = replace(WIDE, dropout=0.2, weight_decay=0.0)
CANDIDATES: Mapping[str, Recipe] = MappingProxyType(
    {
        "the paper's": PAPER,
        "hidden 128": WIDE,
        "dropout 0.2, no decay": replace(FREE, hidden_feats=32),
        "hidden 128, dropout 0.2, no decay": FREE,
        "hidden 128, dropout 0.5, no decay": replace(FREE, dropout=0.5),
        "hidden 128, dropout 0.2, decay 5e-5": replace(FREE, weight_decay=5e-5),
        "hidden 128, dropout 0.2, no decay, not normalised": replace(FREE, normalize=False),
        # After a look at the validation nodes of those above.
        "hidden 128, dropout 0.2, not normalised": replace(WIDE, dropout=0.2, normalize=False),
        "hidden 128, not normalised": replace(WIDE, normalize=False),
    }
)


class UnfinishedComparisonError(ValueError):
    """The results do not tell yet which candidate is best."""


@dataclass(frozen=True)
class Comparison:
    """Mean validation accuracy by candidate and data set, and the best candidate."""

    means: Mapping[tuple[str, str], float]

    def overall(self, candidate: str) -> float:
        """Mean over the data sets, each counting once."""
        return math.fsum(self.means[candidate, name] for name in DATASETS) / len(DATASETS)

    @property
    def best(self) -> str:
        """The candidate with the best mean over the data sets; the first of equal ones."""
        return max(CANDIDATES, key=self.overall)


def compare(
    path: PathLike, data_dir: str | None, command: str, progress: bool | None = None
) -> int:
    """Do the runs that the file has no result of yet, on one thread; return how many."""
    show = sys.stderr.isatty() if progress is None else progress
    with opened(path) as ledger, on_one_thread():
        waiting = [run for run in _runs() if run not in ledger]
        for run in tqdm(waiting, unit="run", disable=not show):
            data = data_of(run["dataset"], run["split"], data_dir)
            ledger.add([{**run, **one_run(data, run), "command": command}])
    return len(waiting)


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Leave the other cores to others, and the digits to one order of sums."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def data_of(dataset: str, split: int, data_dir: str | None) -> LabelledHypergraph:
    """A data set with one split, without the classes of its test nodes.

    Of ``debian`` the given split. A generated one is made again for each, has the few training
    nodes of its first split, and of all others some validate. Of AllSet's half of the nodes are
    for training and a quarter for validation, at random.
    """
    if dataset in ALLSET:
        return without_test(_allset(dataset, data_dir).with_split("random", seed=split))
    if dataset not in GENERATED:
        return without_test(_loaded(dataset).with_split(split))
    data = load(dataset, seed=FIRST_SEED + split)
    train, _, others = data.split(1)
    val = others[torch.randperm(len(others), generator=torch.Generator().manual_seed(split))]
    return without_test(data.with_split(Split(train, val[:VALIDATED].sort().values, val[:0])))


@lru_cache(maxsize=1)
def _allset(dataset: str, data_dir: str | None) -> LabelledHypergraph:
    data = load(dataset, data_dir=data_dir)
    return few_trips(data) if dataset == WALMART else data


def few_trips(data: LabelledHypergraph, trips: int = TRIPS) -> LabelledHypergraph:
    """So many hyperedges at random, with the nodes in them, whose features are made again."""
    generator = np.random.default_rng(0)
    order = generator.permutation(data.num_hyperedges)
    members, hyperedges = (ids.numpy() for ids in incidences(data.graph))
    is_kept = np.isin(hyperedges, order[:trips])
    nodes, node_ids = np.unique(members[is_kept], return_inverse=True)
    _, hyperedge_ids = np.unique(hyperedges[is_kept], return_inverse=True)
    _, classes = np.unique(data.require_labels()[nodes].numpy(), return_inverse=True)
    rows = noisy_labels(classes, 1.0, generator)
    return LabelledHypergraph(
        hypergraph_from_incidence(node_ids, hyperedge_ids),
        name=data.name,
        feat=torch.from_numpy(rows).float(),
        labels=torch.from_numpy(classes),
    )


_loaded = lru_cache(maxsize=1)(load)


def one_run(data: LabelledHypergraph, run: Mapping[str, Any]) -> dict[str, float]:
    """Train a candidate and score its last epoch on training and validation nodes."""
    start = time.perf_counter()
    recipe, seed = CANDIDATES[run["recipe"]], run["split"]
    seed_everything(seed)
    model = recipe.build(data.num_feats, data.num_classes)
    parts = (data.graph, data.require_feat(), data.require_labels())
    batches = FullGraph(*parts, data.part("train"), model=model)
    scores = {part: accuracy_on(*parts, data.part(part), model=model) for part in ("train", "val")}
    fit(
        model,
        batches,
        epochs=EPOCHS,
        lr=recipe.lr,
        weight_decay=recipe.weight_decay,
        seed=seed,
        progress=False,
    )
    found = {f"{part}_acc": score(model) for part, score in scores.items()}
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


def read_comparison(path: PathLike) -> Comparison:
    """Means of all runs in a file."""
    rows = [parse_json(line, place) for place, line in read_lines(path)]
    return Comparison(_means(rows))


def _means(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    scores: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for row in rows:
        scores[row["recipe"], row["dataset"]].setdefault(row["split"], row["val_acc"])
    means = {}
    for run in _runs():
        found = scores[run["recipe"], run["dataset"]]
        if not found.keys() >= set(SPLITS):
            raise UnfinishedComparisonError(
                f"{len(found)} of {len(SPLITS)} runs of {run['recipe']!r} on {run['dataset']}; let "
                "`python -m experiments defaults` finish"
            )
        means[run["recipe"], run["dataset"]] = math.fsum(found[s] for s in SPLITS) / len(SPLITS)
    return means


def _runs() -> Iterator[dict[str, Any]]:
    for dataset in DATASETS:
        for split in SPLITS:
            for recipe in CANDIDATES:
                yield {"dataset": dataset, "recipe": recipe, "split": split}
