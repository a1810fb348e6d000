"""The one labelled hypergraph: structure, features, classes, names and splits, checked together."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import dgl
import torch
from torch import Tensor

from .._utils import PathLike, is_sparse, replacing
from ..convert import Hypergraph, Named, as_named
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, incidences, summary
from .checked import as_feat, as_feature_names, as_labels, as_numbers, as_splits
from .splits import PARTS, Split, SplitLike, choose_split, known_nodes
from .stored import put_in, taken_out, write_npz


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LabelledHypergraph(Named):
    """A hypergraph with features, classes and splits, as far as it has them.

    It is a :class:`~hypersage_dgl.convert.Named`, so every function of ``convert`` takes it.

    Parameters
    ----------
    graph
        The hypergraph alone: a DGL heterograph, whose features and labels are not in its data.
    node_names, hyperedge_names, class_names, attributes
        As in :class:`~hypersage_dgl.convert.Named`.
    name
        What it is called, in messages too.
    feat
        float32, a row for each node: a dense or sparse (CSR) tensor, made of whatever array or
        matrix of numpy or scipy is given. None if there are no features.
    feature_names
        Names of the columns of ``feat``; empty if they are not known.
    labels
        Class of each node, -1 where it has none; or, for several classes a node, rows of 0 and 1
        with a column for each class, of -1 where nothing is known. None if there are no classes.
    numbers
        A number to learn for each node, float32, NaN where it is not known. None without any.
    splits
        Any number of given splits; ids become int64 tensors.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> data = LabelledHypergraph(
    ...     hypergraph([[0, 1], [1, 2]]),
    ...     name="tiny",
    ...     feat=torch.eye(3),
    ...     labels=torch.tensor([0, 1, 1]),
    ...     class_names=("red", "blue"),
    ...     splits=[Split([0, 1], [], [2])],
    ... )
    >>> data
    LabelledHypergraph("tiny", nodes=3, hyperedges=2, features=3, classes=2, splits=1)
    >>> data.split(1).train, data.part("test")
    (tensor([0, 1]), tensor([2]))
    """

    name: str = "hypergraph"
    feat: Tensor | None = None
    feature_names: Sequence[str] = ()
    labels: Tensor | None = None
    numbers: Tensor | None = None
    splits: Sequence[Split] = ()

    def __post_init__(self) -> None:
        count, name = self.num_nodes, self.name
        feat = as_feat(self.feat, count, name)
        made = {
            "labels": as_labels(self.labels, count, self.class_names, name),
            "numbers": as_numbers(self.numbers, count, name),
            "feat": feat,
            "feature_names": as_feature_names(self.feature_names, feat),
            "splits": as_splits(self.splits, count, name),
        }
        for field, value in made.items():
            # The dataclass is frozen for its users, not for what it makes of their values.
            object.__setattr__(self, field, value)
        super().__post_init__()

    @classmethod
    def from_named(cls, named: Hypergraph, name: str = "hypergraph") -> LabelledHypergraph:
        """Take ``feat``, ``label`` and the masks of a split out of the data of a graph.

        Examples
        --------
        >>> from hypersage_dgl import hypergraph
        >>> graph = hypergraph([[0, 1], [1, 2]])
        >>> graph.nodes["node"].data["label"] = torch.tensor([0, 1, 1])
        >>> LabelledHypergraph.from_named(graph, "tiny").labels
        tensor([0, 1, 1])
        """
        named = as_named(named)
        if isinstance(named, LabelledHypergraph):
            return replace(named, name=name)
        graph, found = taken_out(named.graph)
        names = (named.node_names, named.hyperedge_names, named.class_names)
        return cls(graph, *names, named.attributes, name=name, **found)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, isolated ones included."""
        return int(self.graph.num_nodes(NODE))

    @property
    def num_hyperedges(self) -> int:
        """Number of hyperedges."""
        return int(self.graph.num_nodes(HYPEREDGE))

    @property
    def num_feats(self) -> int:
        """Number of features, 0 without any."""
        return 0 if self.feat is None else self.feat.shape[1]

    @property
    def num_classes(self) -> int:
        """Number of classes: as many as are named or, without names, occur."""
        if self.class_names or self.labels is None:
            return len(self.class_names)
        if self.labels.dim() == 2:
            return self.labels.shape[1]
        return int(self.labels.max()) + 1 if len(self.labels) else 0

    def require_feat(self) -> Tensor:
        """The features; ``ValueError`` without any."""
        if self.feat is None:
            raise ValueError(f"{self.name} has no features; data.with_features adds them")
        return self.feat

    def require_labels(self) -> Tensor:
        """The labels; ``ValueError`` without any."""
        if self.labels is None:
            raise ValueError(f"{self.name} has no classes; data.with_labels adds them")
        return self.labels

    def require_numbers(self) -> Tensor:
        """The numbers; ``ValueError`` without any."""
        if self.numbers is None:
            raise ValueError(f"{self.name} has no numbers to learn; data.with_targets adds them")
        return self.numbers

    @property
    def _split_labels(self) -> Tensor | None:
        """The classes; of numbers one class of all that are known."""
        if self.labels is None and self.numbers is not None:
            return self.numbers.isnan().long().neg()
        return self.labels

    def split(self, wanted: SplitLike = 1, *, val_fraction: float = 0.0, seed: int = 0) -> Split:
        """Choose a split: a given one, ``"random"`` or your own; see :func:`choose_split`."""
        return choose_split(
            wanted,
            self.splits,
            self._split_labels,
            num_nodes=self.num_nodes,
            name=self.name,
            node_names=self.node_names,
            val_fraction=val_fraction,
            seed=seed,
        )

    def with_split(
        self, wanted: SplitLike = 1, *, val_fraction: float = 0.0, seed: int = 0
    ) -> LabelledHypergraph:
        """The same with one split alone, chosen as by :meth:`split`."""
        return replace(self, splits=(self.split(wanted, val_fraction=val_fraction, seed=seed),))

    def part(self, name: str) -> Tensor:
        """Ids of ``train``, ``val`` or ``test`` of the first split, or of ``all`` with a class.

        Where there are numbers and no classes, ``all`` are those with a number.
        """
        if name == "all":
            labels = self._split_labels
            return torch.arange(0) if labels is None else known_nodes(labels)
        if name not in PARTS:
            raise ValueError(f"part is {name!r}; it must be one of {(*PARTS, 'all')}")
        return getattr(self.split(1), name)

    def to_dgl(self, split: Split | None = None) -> dgl.DGLGraph:
        """The hypergraph with ``feat`` (dense), ``label`` and masks as node data, where they are.

        The graph is a new one; ``split`` is by default the first.
        """
        first = self.splits[0] if self.splits else None
        return put_in(self, split or first)

    def with_tensors(self) -> Named:
        """All that a folder holds: features, classes and the first split as data of the graph."""
        names = (self.node_names, self.hyperedge_names, self.class_names)
        return Named(self.to_dgl(), *names, self.attributes)

    def statistics(self, split: Split | None = None) -> dict[str, float]:
        """Measure the hypergraph, its features, classes and a split, by default the first.

        The fields of :class:`hypersage_dgl.Summary`, then ``features``, ``nonzeros``, ``classes``,
        the size of each part, as ``train``, and its isolated nodes, as ``isolated_train``.
        """
        if split is None:
            split = self.splits[0] if self.splits else Split(*[torch.arange(0)] * 3)
        parts = split._asdict()
        is_isolated = self.graph.in_degrees(etype=CONTAINS) == 0
        return {
            **asdict(summary(self.graph)),
            "features": self.num_feats,
            "nonzeros": self.nonzeros,
            "classes": self.num_classes,
            **{part: len(ids) for part, ids in parts.items()},
            **{f"isolated_{part}": int(is_isolated[ids].sum()) for part, ids in parts.items()},
        }

    @property
    def nonzeros(self) -> int:
        """Number of features that are not zero."""
        if self.feat is None:
            return 0
        return int(((self.feat.values() if is_sparse(self.feat) else self.feat) != 0).sum())

    def checksum(self) -> int:
        """A number that other hypergraphs, features, labels or first splits hardly have."""
        frames = (self.graph.nodes[HYPEREDGE].data, self.graph.edges[IN].data)
        parts = [*incidences(self.graph), *(f["weight"] for f in frames if "weight" in f)]
        if self.feat is not None and is_sparse(self.feat):
            parts += [self.feat.col_indices(), self.feat.values()]
        elif self.feat is not None:
            parts += [torch.arange(self.num_feats), self.feat]
        parts += [values for values in (self.labels, self.numbers) if values is not None]
        checksum = 0
        for part in (*parts, *(self.splits[0] if self.splits else ())):
            checksum = zlib.crc32(part.cpu().numpy().tobytes(), checksum)
        return checksum

    def save(self, path: PathLike) -> None:
        """Write an npz file, without pickle, that :func:`hypersage_dgl.data.load` reads.

        Examples
        --------
        >>> import tempfile
        >>> from hypersage_dgl import hypergraph
        >>> from hypersage_dgl.data import load
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     LabelledHypergraph(hypergraph([[0, 1]])).save(f"{folder}/tiny.npz")
        ...     load(f"{folder}/tiny.npz")
        LabelledHypergraph("tiny.npz", nodes=2, hyperedges=1, features=0, classes=0, splits=0)
        """
        with replacing(Path(path)) as file:
            write_npz(file, self)

    def __repr__(self) -> str:
        return (
            f'LabelledHypergraph("{self.name}", nodes={self.num_nodes}, '
            f"hyperedges={self.num_hyperedges}, features={self.num_feats}, "
            f"classes={self.num_classes}, splits={len(self.splits)})"
        )

    def __str__(self) -> str:
        text = (
            f"{self.name}: {self.num_nodes:,} nodes, {self.num_hyperedges:,} hyperedges, "
            f"{self.num_feats:,} features, {self.num_classes} classes"
        )
        if not self.splits:
            return text
        sizes = (f"{part} {len(ids):,}" for part, ids in zip(PARTS, self.splits[0]))
        return f"{text}; {', '.join(sizes)}"
