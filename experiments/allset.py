"""Labelled hypergraphs of AllSet (Chien et al., ICLR 2022), read from its public files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl._utils import IntArray, PathLike, read_text
from hypersage_dgl.data import LabelledHypergraph

# Of walmart-trips so many hyperedges, with their members: a run then takes seconds.
TRIPS = 4000
NOISE = 1.0


def read_allset(name: str, folder: PathLike) -> LabelledHypergraph:
    """Read a data set of ``READERS`` from the folder that has AllSet's folders."""
    place = Path(folder) / name
    if not place.is_dir():
        raise FileNotFoundError(
            f"{folder} has no folder {name}; name the folder with the raw data of AllSet by "
            "--data-dir"
        )
    return READERS[name](place)


def read_content(folder: Path) -> LabelledHypergraph:
    """Read ``NAME.content`` (id, features, class) and ``NAME.edges`` (node, hyperedge).

    Hyperedges are numbered after the nodes, and rows of the first file beyond the nodes are theirs.
    """
    pairs = np.loadtxt(_lines(folder / f"{folder.name}.edges"), dtype=np.int64)
    count = int(pairs[:, 1].min())
    rows = np.loadtxt(_lines(folder / f"{folder.name}.content"), ndmin=2)
    # Lines are in any order.
    rows = rows[np.argsort(rows[:, 0])][:count]
    if not np.array_equal(rows[:, 0], np.arange(count)):
        raise ValueError(f"{folder}: the ids of .content are not those of the {count} nodes")
    return LabelledHypergraph(
        hypergraph_from_incidence(pairs[:, 0], pairs[:, 1] - count, num_nodes=count),
        name=folder.name,
        feat=torch.from_numpy(rows[:, 1:-1]).float(),
        labels=torch.from_numpy(_classes(rows[:, -1])),
    )


def read_trips(folder: Path, trips: int = TRIPS, noise: float = NOISE) -> LabelledHypergraph:
    """Read lists of nodes and labels; features are the class as one-hot row plus Gaussian noise.

    So AllSet makes them. Of the hyperedges ``trips`` are drawn, with the nodes in them.
    """
    generator = np.random.default_rng(0)
    labels = np.array(_lines(folder / f"node-labels-{folder.name}.txt"), dtype=np.int64)
    lists = _lines(folder / f"hyperedges-{folder.name}.txt")
    kept = np.sort(generator.permutation(len(lists))[:trips])
    members = [np.array(lists[i].split(","), dtype=np.int64) - 1 for i in kept]
    nodes, node_ids = np.unique(np.concatenate(members), return_inverse=True)
    hyperedge_ids = np.repeat(np.arange(len(members)), [len(nodes) for nodes in members])
    classes = _classes(labels[nodes])
    rows = np.eye(classes.max() + 1)[classes] + noise * generator.normal(
        size=(len(nodes), classes.max() + 1)
    )
    return LabelledHypergraph(
        hypergraph_from_incidence(node_ids, hyperedge_ids),
        name=folder.name,
        feat=torch.from_numpy(rows).float(),
        labels=torch.from_numpy(classes),
    )


def _classes(given: np.ndarray[Any, Any]) -> IntArray:
    """Classes numbered from 0 on."""
    return np.unique(given, return_inverse=True)[1].astype(np.int64)


def _lines(path: Path) -> list[str]:
    return read_text(path).split("\n")[:-1]


READERS: Mapping[str, Callable[[Path], LabelledHypergraph]] = MappingProxyType(
    {"20newsW100": read_content, "Mushroom": read_content, "walmart-trips": read_trips}
)
