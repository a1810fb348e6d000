"""What a model was trained for and on: names, its nodes, and what tells its data from others."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import dgl
import numpy as np
import torch
from torch import Tensor, nn

from ..._utils import check_schema, is_sparse, required
from ...convert import integer_names
from ...data import CLASSIFICATION, LabelledHypergraph, Split, as_mask
from ...hypergraphs import CONTAINS, HYPEREDGE, IN, summary
from ...nn import Baseline, HyperSAGE
from ..tasks import PREDICTION, Scale


@dataclass(frozen=True)
class About:
    """What a model was trained for, kept beside its weights.

    ``classes[k]`` names class ``k``, ``feature_names[i]`` feature ``i``; ``statistics`` measures
    the training data and ``training`` says how it was chosen: split, seed, names of columns, and
    the nodes themselves. All may be empty. ``task`` is what the model learns of a node, one of
    ``classification``, ``multilabel`` and ``regression``, and ``scale`` the unit of its numbers;
    :func:`~hypersage_dgl.training.fit` sets the task.
    """

    classes: Sequence[str] = ()
    feature_names: Sequence[str] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    task: str = CLASSIFICATION
    training: Mapping[str, Any] = field(default_factory=dict)
    scale: Scale = field(default_factory=Scale)

    @classmethod
    def of(cls, data: LabelledHypergraph) -> About:
        """Describe the data that a model is trained on, with the first split, if there is one.

        Examples
        --------
        >>> from hypersage_dgl.data import load
        >>> about = About.of(load("synthetic"))
        >>> about.classes, about.statistics["nodes"], about.statistics["train"]
        (('class 0', 'class 1', 'class 2', 'class 3'), 1000, 80)
        """
        split = data.splits[0]._asdict() if data.splits else {}
        measured = {
            **asdict(summary(data.graph)),
            "features": data.num_feats,
            **{part: len(ids) for part, ids in split.items()},
            "checksum": data.checksum(),
        }
        return cls(tuple(data.class_names), tuple(data.feature_names), measured)

    def check(self, model: nn.Module) -> None:
        """Raise ``ValueError`` unless there are as many names as a model of ours has ends.

        What ``training`` says of the command's options must be of their types; more may be in it.
        """
        try:
            check_schema(dict(self.training), _TRAINING)
        except ValueError as error:
            raise ValueError(f"training: {error}") from None
        if self.task == PREDICTION and isinstance(model, (HyperSAGE, Baseline)):
            raise ValueError(f"the task is {PREDICTION!r}, which needs a HyperedgePredictor")
        if isinstance(model, HyperSAGE):
            ends = (model.config.in_feats, model.config.out_feats)
        elif isinstance(model, Baseline):
            ends = (model.config["in_feats"], model.config["out_feats"])
        else:
            return
        for names, what, count in (
            (self.classes, "classes", ends[1]),
            (self.feature_names, "feature_names", ends[0]),
        ):
            if len(names) not in (0, count):
                raise ValueError(
                    f"{len(names)} {what} are named, the model has {count}; name all or none"
                )


_TYPES: dict[str, Any] = {
    "split": ["integer", "string"],
    "seed": "integer",
    "val_fraction": "number",
    **dict.fromkeys(("label", "separator", "node", "hyperedge"), "string"),
    **dict.fromkeys(("ranges", "hyperedge_columns", "nodes", "hyperedges"), "object"),
}
_TRAINING = {"properties": {name: {"type": kind} for name, kind in _TYPES.items()}}


def remember_nodes(node_names: Sequence[Any], degrees: Tensor, split: Split) -> dict[str, Any]:
    """The nodes of a split as JSON can hold them, found again by their names.

    Examples
    --------
    >>> split = Split(torch.tensor([0]), torch.arange(0), torch.tensor([2]))
    >>> noted = remember_nodes(("a", "b", "c"), torch.ones(3), split)
    >>> recall_nodes(noted, ("c", "b", "a"), torch.ones(3)).train
    tensor([2])
    >>> recall_nodes(noted, ("x", "b", "a"), torch.ones(3)) is None
    True
    """
    order, checksum = _identity(node_names, degrees)
    masks = {
        part: _pack(as_mask(ids.long(), len(order)).numpy()[order])
        for part, ids in split._asdict().items()
    }
    return {"nodes": len(order), "names": checksum, **masks}


def recall_nodes(
    noted: Mapping[str, Any], node_names: Sequence[Any], degrees: Tensor
) -> Split | None:
    """The split that was noted, by the ids of this hypergraph; None if it has other nodes."""
    if not noted:
        return None
    check_schema(dict(noted), _SCHEMA)
    order, checksum = _identity(node_names, degrees)
    if noted["nodes"] != len(order) or noted["names"] != checksum:
        return None
    parts = (_unpack(noted[part], len(order)) for part in Split._fields)
    return Split(*(torch.from_numpy(np.sort(order[mask])) for mask in parts))


def _identity(node_names: Sequence[Any], degrees: Tensor) -> tuple[np.ndarray[Any, Any], int]:
    """The order of the nodes by name, and a number that other nodes hardly have."""
    names = [str(name) for name in node_names]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    checksum = zlib.crc32("\0".join(names[i] for i in order).encode("utf-8", "surrogatepass"))
    if integer_names(node_names) is not None:
        # Any hypergraph of as many nodes has these names; few have their degrees.
        checksum = zlib.crc32(degrees.cpu().long().numpy()[order].tobytes(), checksum)
    return order, checksum


def _pack(mask: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes())).decode()


def _unpack(text: str, count: int) -> np.ndarray[Any, Any]:
    try:
        packer = zlib.decompressobj()
        content = packer.decompress(base64.b64decode(text), count // 8 + 1)
        if len(content) != (count + 7) // 8:
            raise ValueError(f"{len(content)} bytes for {count} nodes")
        return np.unpackbits(np.frombuffer(content, np.uint8), count=count).astype(bool)
    except (ValueError, zlib.error, binascii.Error) as error:
        raise ValueError(f"the checkpoint's note of trained nodes is damaged: {error}") from None


_SCHEMA = required(
    nodes={"type": "integer"},
    names={"type": "integer"},
    **{part: {"type": "string"} for part in Split._fields},
)


def digests(batches: Any) -> dict[str, str | None]:
    """SHA-256 of the features and of the hypergraph that batches hold; None where they do not say.

    What is learned beside the model, such as features that need a gradient, is another number
    after every epoch and left out.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.training import FullGraph
    >>> parts = hypergraph([[0, 1]]), torch.eye(2), torch.tensor([0, 1]), torch.tensor([0])
    >>> digests(FullGraph(*parts)) == digests(FullGraph(*parts))
    True
    """
    feat, graph = getattr(batches, "feat", None), getattr(batches, "graph", None)
    return {
        "features": _sha256(_parts(feat)) if isinstance(feat, Tensor) else None,
        "hypergraph": None if graph is None else _sha256(_structure(graph)),
    }


def _sha256(parts: Iterable[Tensor | None]) -> str:
    found = hashlib.sha256()
    for part in parts:
        if part is None or part.requires_grad:
            found.update(b"none")
            continue
        found.update(f"{part.dtype} {tuple(part.shape)}".encode())
        # The bytes, for numpy has no bfloat16.
        raw = part.detach().cpu().contiguous().view(-1).view(torch.uint8)
        found.update(raw.numpy().data)
    return found.hexdigest()


def _parts(feat: Tensor) -> Iterator[Tensor]:
    if not is_sparse(feat) or feat.requires_grad:
        yield feat
        return
    csr = feat.to_sparse_csr()
    yield from (csr.crow_indices(), csr.col_indices(), csr.values())


def _structure(graph: Any) -> Iterator[Tensor | None]:
    """Edges and weights of a hypergraph, or of pairs of blocks."""
    if not isinstance(graph, dgl.DGLGraph):
        for pair in graph:
            for block in pair:
                yield from _structure(block)
        return
    for etype in (IN, CONTAINS):
        yield from (ids.long() for ids in graph.edges(etype=etype, order="eid"))
    yield graph.edges[IN].data.get("weight")
    for key in ("role", "direction"):
        if key in graph.edges[IN].data:
            yield graph.edges[IN].data[key]
    of_hyperedges = graph.srcnodes[HYPEREDGE].data
    yield of_hyperedges.get("weight")
    if "feat" in of_hyperedges:
        yield of_hyperedges["feat"]
