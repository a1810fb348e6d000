"""What helps on walmart-trips, whose features say little: one change at a time, small and short.

Of every try only the accuracy on the validation nodes of AllSet's seed 100 is known; its test
nodes have no class. No try has the budget of :mod:`.allset`, so the scores compare tries alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import torch
from torch.nn import functional as F
from tqdm import tqdm

from hypersage_dgl._utils import PathLike
from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.hypergraphs import CONTAINS, HYPEREDGE, IN
from hypersage_dgl.nn import BASELINES
from hypersage_dgl.training import without_test

from .best_epoch import train_and_test
from .between import Between
from .defaults import on_one_thread
from .ledger import opened

WALMART = "walmart"
DATASET, SEED = "walmart-trips", 100
# Hyperedges of as many members or more have one column together.
MOST = 25
BASE: Mapping[str, Any] = MappingProxyType(
    {
        **{"width": 32, "num_layers": 2, "dropout": 0.2},
        **{"epochs": 40, "lr": 0.01, "weight_decay": 0.0, "cosine": False},
        **{"degrees": False, "sizes": False},
    }
)
HYPERSAGE, BY_MAX = {"model": "hypersage"}, {"model": "hypersage", "intra": "max"}
TRIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "mean inside and across": HYPERSAGE,
        "max inside": BY_MAX,
        "max inside, learning rate falls": {**BY_MAX, "cosine": True},
        "max inside, one layer": {**BY_MAX, "num_layers": 1},
        "max inside, three layers": {**BY_MAX, "num_layers": 3},
        "max inside, no dropout": {**BY_MAX, "dropout": 0.0},
        "max inside, dropout 0.5": {**BY_MAX, "dropout": 0.5},
        "max inside, degrees as features": {**BY_MAX, "degrees": True},
        "max inside, sizes of hyperedges": {**BY_MAX, "sizes": True},
        "max inside, hyperedges by size": {**BY_MAX, "inter": "size"},
        "max inside, sum across": {**BY_MAX, "across": "sum"},
        "max inside, max across": {**BY_MAX, "across": "max"},
        "p (3, 1)": {**HYPERSAGE, "p": [3.0, 1.0]},
        "p (1, 3)": {**HYPERSAGE, "p": [1.0, 3.0]},
        "p learned inside": {**HYPERSAGE, "p": 2.0, "learn_p": True},
        "mean, sum across": {**HYPERSAGE, "across": "sum"},
        "max inside, weight decay 5e-4": {**BY_MAX, "weight_decay": 5e-4},
        "max inside, width 64": {**BY_MAX, "width": 64},
        "MLP": {"model": "mlp"},
        "HGNN": {"model": "hgnn"},
        "UniGCNII": {"model": "unigcnii"},
        "ED-HNN": {"model": "ed-hnn", "maps": 2},
        "AllSetTransformer": {"model": "allset-transformer"},
        "AllDeepSets": {"model": "alldeepsets"},
    }
)


def try_all(
    path: PathLike, data_dir: str | None, command: str, progress: bool | None = None
) -> int:
    """Do the tries that the file has no result of yet, on one thread; return how many."""
    show = sys.stderr.isatty() if progress is None else progress
    with opened(path) as ledger, on_one_thread():
        runs = [{"dataset": DATASET, "seed": SEED, "try": name} for name in TRIES]
        waiting = [run for run in runs if run not in ledger]
        if waiting:
            data = without_test(load(DATASET, data_dir=data_dir).with_split("random", seed=SEED))
        for run in tqdm(waiting, disable=not show):
            ledger.add([{**run, **one_try(run["try"], data), "command": command}])
    return len(waiting)


def one_try(name: str, data: LabelledHypergraph) -> dict[str, float]:
    """Train by the options of a try and score the best epoch."""
    start, options = time.perf_counter(), {**BASE, **TRIES[name]}
    names = ("epochs", "lr", "weight_decay", "cosine")
    training = {name: options.pop(name) for name in names}
    if options.pop("degrees"):
        data = with_degrees(data)
    if options.pop("sizes"):
        data, options["hyperedge_feats"] = with_sizes(data), MOST
    make = {**BASELINES, "hypersage": Between}[options.pop("model")]
    width = options.pop("width")
    model = partial(make, data.num_feats, width, data.num_classes, **options)
    found = train_and_test(model, data, seed=SEED, **training)
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


def with_degrees(data: LabelledHypergraph) -> LabelledHypergraph:
    """The data with a further feature: the logarithm of a node's number of hyperedges and one."""
    degrees = data.graph.in_degrees(etype=CONTAINS).float().log1p().unsqueeze(1)
    feat = data.require_feat().to_dense()
    return replace(data, feat=torch.cat([feat, degrees], dim=1), feature_names=())


def with_sizes(data: LabelledHypergraph) -> LabelledHypergraph:
    """The data with a one-hot row for the size of each hyperedge, the largest sizes as one."""
    sizes = data.graph.in_degrees(etype=IN)
    graph = data.graph.clone()
    rows = F.one_hot((sizes - 1).clamp(0, MOST - 1), MOST)
    graph.nodes[HYPEREDGE].data["feat"] = rows.float()
    return replace(data, graph=graph)
