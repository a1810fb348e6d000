"""Classify nodes: a hypergraph with features, classes and the nodes that are for what."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import is_sparse
from ..convert import encode_labels
from ..data import Split, carve_validation, random_split
from ..data.arrays import check_split
from ..hypergraphs import HYPEREDGE, IN, NODE, incidences, summary
from ..training import About
from .errors import UsageError
from .features import Features, features_of
from .options import DEFAULT_DATASET
from .source import Source, open_dataset, open_file

PARTS = ("train", "val", "test")


@dataclass(frozen=True)
class Task:
    """All that training and scoring need; the label of a node without a class is -1."""

    name: str
    graph: dgl.DGLGraph
    features: Features
    labels: Tensor
    classes: tuple[str, ...]
    split: Split

    def part(self, name: str) -> Tensor:
        """Ids of the nodes for ``train``, ``val`` or ``test``, or of ``all`` with a class."""
        if name == "all":
            return (self.labels >= 0).nonzero().flatten()
        return torch.from_numpy(getattr(self.split, name))

    def about(self) -> About:
        """What a checkpoint says of the data that it was trained on."""
        measured = {
            **asdict(summary(self.graph)),
            "features": self.features.feat.shape[1],
            **{part: len(self.part(part)) for part in PARTS},
            "checksum": self._checksum(),
        }
        return About(self.classes, self.features.names, measured)

    def _checksum(self) -> int:
        """A number that other hypergraphs, features, labels or splits hardly have."""
        feat = self.features.feat
        values = feat.values() if is_sparse(feat) else feat
        columns = feat.col_indices() if is_sparse(feat) else torch.arange(feat.shape[1])
        frames = (self.graph.nodes[HYPEREDGE].data, self.graph.edges[IN].data)
        weights = (frame["weight"] for frame in frames if "weight" in frame)
        structure = (*incidences(self.graph), *weights)
        checksum = 0
        for part in (*structure, columns, values, self.labels, *map(self.part, PARTS)):
            checksum = zlib.crc32(part.numpy().tobytes(), checksum)
        return checksum

    def __str__(self) -> str:
        parts = ", ".join(f"{part} {len(self.part(part)):,}" for part in PARTS)
        return (
            f"{self.name}: {self.graph.num_nodes(NODE):,} nodes, "
            f"{self.graph.num_nodes(HYPEREDGE):,} hyperedges, "
            f"{self.features.feat.shape[1]:,} features, {len(self.classes)} classes; {parts}"
        )


def open_source(args: argparse.Namespace) -> Source:
    """Open what the options name; needs those of ``add_source_options``."""
    if args.hypergraph is None:
        if args.features is not None:
            raise UsageError("--features needs --hypergraph: data sets have features of their own")
        return open_dataset(args.dataset or DEFAULT_DATASET, args.data_dir, args.seed)
    if args.data_dir is not None:
        raise UsageError("--data-dir needs --dataset: it has the files of the benchmarks")
    return open_file(Path(args.hypergraph))


def make_task(
    args: argparse.Namespace, about: About | None = None, needs_split: bool = True
) -> Task:
    """Make a task of the options; needs those of ``add_source_options`` and ``add_split_options``.

    ``about`` is that of a trained model, whose classes and features must then be found.
    """
    source = open_source(args)
    labels, classes = labels_of(source, args.label, about.classes if about else ())
    names = about.feature_names if about else None
    features = features_of(source, args.features, names, args.label)
    none = np.empty(0, np.int64)
    split = choose_split(source, labels, args) if needs_split else Split(none, none, none)
    return Task(source.name, source.named.graph, features, labels, classes, split)


def labels_of(
    source: Source, key: str | None, known: Sequence[str] = ()
) -> tuple[Tensor, tuple[str, ...]]:
    """Number of each node's class, -1 without one, and the names of the classes.

    The node data ``label`` go before the attribute ``label``; a ``key`` names another attribute.
    With ``known`` classes, theirs are the numbers.
    """
    named = source.named
    if key is not None or "label" not in named.graph.nodes[NODE].data:
        try:
            named = encode_labels(named, key or "label", known or None)
        except ValueError as error:
            raise ValueError(f"{source.name}: {error}; --label KEY names another") from None
    labels = named.graph.nodes[NODE].data["label"].long()
    if labels.dim() != 1:
        raise ValueError(
            f"the labels of {source.name} have the shape {tuple(labels.shape)}; this command takes "
            "one class a node: use hypersage_dgl.training for more"
        )
    count = int(labels.max()) + 1 if len(labels) else 0
    classes = tuple(named.class_names) or tuple(str(k) for k in range(count))
    if not known or classes == tuple(known):
        return labels, classes
    strange = sorted(set(classes) - set(known))
    if strange:
        raise ValueError(
            f"{source.name} has the classes {', '.join(strange)}, which the model does not know; "
            f"it knows {', '.join(known)}"
        )
    # The last entry is found by label -1, which stays so.
    numbers = torch.tensor([*(known.index(name) for name in classes), -1])
    return numbers[labels], tuple(known)


def choose_split(source: Source, labels: Tensor, args: argparse.Namespace) -> Split:
    """Choose a given split, or draw one among the nodes that have a class."""
    wanted, count = args.split, len(source.splits)
    if wanted == "random":
        labelled = np.flatnonzero(labels.numpy() >= 0)
        split = Split(*(labelled[ids] for ids in random_split(len(labelled), args.seed)))
    elif wanted <= count:
        split = source.splits[wanted - 1]
    else:
        given = f"has the splits 1 to {count}" if count else "has no split of its own"
        raise ValueError(f"--split is {wanted}, but {source.name} {given}; try --split random")
    check_split(split, len(labels), f"the split of {source.name}")
    without = [i for i in np.concatenate(split) if labels[i] < 0]
    if without:
        raise ValueError(
            f"node {source.named.node_names[without[0]]!r} is in the split of {source.name} but "
            "has no class; leave such nodes out of the split"
        )
    return carve_validation(split, labels.numpy(), args.val_fraction, args.seed)
