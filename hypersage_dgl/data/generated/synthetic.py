"""Generated hypergraphs with planted classes, of any size and of the shape of each benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from ..._utils import IntArray, require_count
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from ..splits import Split
from .planted import draw_features, draw_hyperedges, draw_sizes


def generate(
    num_nodes: int = 1000,
    num_hyperedges: int = 600,
    *,
    num_classes: int = 4,
    num_feats: int = 64,
    mean_size: float = 4.0,
    tail: float = 3.0,
    max_size: int = 50,
    homophily: float = 0.9,
    feature_noise: float = 0.7,
    feats_per_node: int = 8,
    isolated: float = 0.1,
    train_per_class: int = 20,
    num_splits: int = 10,
    seed: int = 0,
) -> LabelledHypergraph:
    """Generate a hypergraph whose hyperedges and features tell the classes, more or less clearly.

    Every hyperedge belongs to a class, and so does every word (feature), an equal share to each.
    A member of a hyperedge is a node of the hyperedge's class, or in ``1 - homophily`` of the
    cases a node of any class. A word of a node is one of its class, or in ``feature_noise`` of
    the cases one of any class.

    Parameters
    ----------
    num_nodes, num_hyperedges, num_classes, num_feats
        How many. Classes are about equally large.
    mean_size
        Mean number of members of a hyperedge, from 2 to halfway between 2 and ``max_size``.
    tail
        Pareto index of the sizes: the smaller, the heavier the tail; 0.1 to 1000.
    max_size
        No hyperedge is larger, and none is smaller than 2.
    homophily
        1 gives hyperedges of one class; 0 gives members that know nothing of classes.
    feature_noise
        0 gives words of one class only, so that a linear map tells the classes; 1 gives words that
        know nothing of classes.
    feats_per_node
        Number of words of each node; features are 0 or 1.
    isolated
        Share of nodes that are in no hyperedge, exact to rounding; all others are in one or more.
    train_per_class
        Number of training nodes of each class; there are no validation nodes, the rest is test.
    num_splits
        Number of splits.
    seed
        The same seed gives the same result. Hypergraph, features and splits have random streams of
        their own, so other noise leaves the hypergraph as it is.

    Examples
    --------
    >>> data = generate(500, 300, isolated=0.2, max_size=20, seed=1)
    >>> data.num_nodes, data.num_hyperedges, data.statistics()["isolated_nodes"]
    (500, 300, 100)
    """
    _check(
        {
            "num_nodes": num_nodes,
            "num_hyperedges": num_hyperedges,
            "num_classes": num_classes,
            "num_feats": num_feats,
            "max_size": max_size,
            "feats_per_node": feats_per_node,
            "train_per_class": train_per_class,
            "num_splits": num_splits,
        },
        {"homophily": homophily, "feature_noise": feature_noise, "isolated": isolated},
    )
    streams = np.random.SeedSequence(seed).spawn(3)
    for_structure, for_features, for_splits = (np.random.default_rng(s) for s in streams)
    sizes = draw_sizes(for_structure, num_hyperedges, mean_size, tail, max_size)
    num_connected = num_nodes - round(isolated * num_nodes)
    hyperedge_ids, node_ids, labels = draw_hyperedges(
        for_structure, sizes, num_nodes, num_connected, num_classes, homophily
    )
    return LabelledHypergraph(
        hypergraph_from_incidence(node_ids, hyperedge_ids, num_nodes, num_hyperedges),
        name="synthetic",
        feat=draw_features(
            for_features, labels, num_classes, num_feats, feats_per_node, feature_noise
        ),
        labels=torch.from_numpy(labels),
        class_names=tuple(f"class {k}" for k in range(num_classes)),
        splits=tuple(
            _draw_split(for_splits, labels, num_classes, train_per_class) for _ in range(num_splits)
        ),
    )


def preset(name: str, seed: int = 0) -> LabelledHypergraph:
    """Generate a hypergraph with the shape of a benchmark, or a large one for tests of scale.

    The five benchmarks' presets have their numbers of nodes, hyperedges, isolated nodes, features,
    classes, training nodes and splits, and nearly their incidences, sizes, non-zeros and homophily;
    the noise is such that a logistic regression on the features alone scores about as it does on
    the benchmark. Features are 0 or 1, those of ``pubmed`` too. ``100k``, ``1m`` and ``10m``
    have so many nodes, half as many hyperedges, 16 features and one split.

    Parameters
    ----------
    name
        A key of ``PRESETS``.
    seed
        As in :func:`generate`.

    Examples
    --------
    >>> citeseer = preset("citeseer")
    >>> citeseer.num_nodes, citeseer.num_hyperedges, citeseer.num_feats
    (3312, 1079, 3703)
    """
    if name not in PRESETS:
        raise ValueError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    return replace(generate(**PRESETS[name], seed=seed), name=f"synthetic:{name}")


def _draw_split(
    rng: np.random.Generator, labels: IntArray, num_classes: int, train_per_class: int
) -> Split:
    is_train = np.zeros(len(labels), dtype=bool)
    for k in range(num_classes):
        of_class = np.flatnonzero(labels == k)
        if len(of_class) < train_per_class:
            raise ValueError(
                f"train_per_class is {train_per_class}, but class {k} has only {len(of_class)} "
                "nodes; lower it or raise num_nodes"
            )
        is_train[rng.choice(of_class, train_per_class, replace=False)] = True
    train, test = (torch.from_numpy(np.flatnonzero(chosen)) for chosen in (is_train, ~is_train))
    return Split(train, torch.arange(0), test)


def _check(counts: Mapping[str, int], shares: Mapping[str, float]) -> None:
    for name, count in counts.items():
        require_count(count, name)
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is {share!r}; it must be from 0 to 1")


_COLUMNS = (
    *("num_nodes", "num_hyperedges", "num_classes", "num_feats", "mean_size", "tail", "max_size"),
    *("homophily", "feature_noise", "feats_per_node", "isolated", "train_per_class", "num_splits"),
)


def _shape(*values: float) -> Mapping[str, Any]:
    return MappingProxyType(dict(zip(_COLUMNS, values)))


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "dblp": _shape(
            *(41302, 22363, 6, 1425, 99561 / 22363, 2.5, 202), *(0.92, 0.8, 39, 0, 290, 10)
        ),
        "cora-coauthorship": _shape(
            *(2708, 1072, 7, 1433, 4585 / 1072, 2.0, 43), *(0.86, 0.65, 18, 320 / 2708, 20, 10)
        ),
        "cora-cocitation": _shape(
            *(2708, 1579, 7, 1433, 4786 / 1579, 10.0, 5), *(0.84, 0.65, 18, 1274 / 2708, 20, 10)
        ),
        "citeseer": _shape(
            *(3312, 1079, 6, 3703, 3453 / 1079, 4.7, 26), *(0.79, 0.67, 32, 1854 / 3312, 23, 10)
        ),
        "pubmed": _shape(
            *(19717, 7963, 3, 500, 34629 / 7963, 2.2, 171), *(0.82, 0.79, 50, 15877 / 19717, 26, 10)
        ),
        "100k": _shape(100_000, 50_000, 4, 16, 4.0, 2.5, 200, 0.9, 0.5, 2, 0.1, 250, 1),
        "1m": _shape(1_000_000, 500_000, 4, 16, 4.0, 2.5, 200, 0.9, 0.5, 2, 0.1, 2500, 1),
        "10m": _shape(10_000_000, 5_000_000, 4, 16, 4.0, 2.5, 200, 0.9, 0.5, 2, 0.1, 25_000, 1),
    }
)
