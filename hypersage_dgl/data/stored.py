"""A labelled hypergraph in other forms: as node data of its graph, and as arrays of an npz file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import dgl
import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import (
    LimitError,
    check_id_count,
    check_matrix,
    encoded,
    is_sparse,
    parse_json,
    read_arrays,
    refusing_damage,
    to_json,
)
from ..convert import Attributes, json_names
from ..hypergraphs import CONTAINS, DERIVED, HYPEREDGE, IN, NODE, hypergraph_from_incidence
from ..hypergraphs import incidences as incidences_of
from .splits import PARTS, Split, as_mask

# A LabelledHypergraph, whose own module imports this one.
Labelled = Any
Made = TypeVar("Made")
MASKS = tuple(f"{part}_mask" for part in PARTS)
Arrays = Mapping[str, np.ndarray[Any, Any]]
# Besides these a file may have features (sparse or dense), labels, names, and data of the graph,
# each under a name such as "node/weight". Whatever else it has is not read.
REQUIRED = (
    "node_ids",
    "hyperedge_ids",
    "num_hyperedges",
    "class_names",
    "split_ids",
    "split_sizes",
)
SPARSE = tuple(f"feature_{part}" for part in ("values", "indices", "indptr", "shape"))
OPTIONAL = ("num_nodes", "labels", "numbers", "names", "feat", *SPARSE)


def taken_out(graph: dgl.DGLGraph) -> tuple[dgl.DGLGraph, dict[str, Any]]:
    """A graph without ``feat``, ``label``, ``number`` and masks of a split as node data, and those.

    They come as arguments of a labelled hypergraph.
    """
    graph = graph.local_var()
    data = graph.nodes[NODE].data
    feat, splits = data.pop("feat", None), []
    if MASKS[0] in data:
        none = torch.zeros(graph.num_nodes(NODE), dtype=torch.bool)
        masks = [data.pop(mask, none).bool() for mask in MASKS]
        splits = [Split(*(mask.nonzero().flatten() for mask in masks))]
    return graph, {
        "feat": None if feat is None else feat.float(),
        "labels": data.pop("label", None),
        "numbers": data.pop("number", None),
        "splits": splits,
    }


def put_in(data: Labelled, split: Split | None) -> dgl.DGLGraph:
    """The graph with what :func:`taken_out` takes, features dense, where there is such."""
    graph = data.graph.local_var()
    feat = data.feat
    given = {
        "feat": feat.to_dense() if feat is not None and is_sparse(feat) else feat,
        "label": data.labels,
        "number": data.numbers,
    }
    if split is not None:
        given.update({mask: as_mask(ids, data.num_nodes) for mask, ids in zip(MASKS, split)})
    graph.nodes[NODE].data.update({key: v for key, v in given.items() if v is not None})
    return graph


def pack(data: Labelled) -> dict[str, np.ndarray[Any, Any]]:
    """All that a labelled hypergraph is, as arrays."""
    nodes, edges = incidences_of(data.graph)
    splits = data.splits
    arrays: dict[str, Any] = {
        "node_ids": nodes.long(),
        "hyperedge_ids": edges.long(),
        "num_nodes": np.int64(data.num_nodes),
        "num_hyperedges": np.int64(data.num_hyperedges),
        "class_names": np.array(data.class_names, dtype=np.str_),
        "split_ids": torch.cat([torch.arange(0), *(ids for split in splits for ids in split)]),
        "split_sizes": np.array([[len(i) for i in s] for s in splits], np.int64).reshape(-1, 3),
        **_pack_features(data.feat),
    }
    for key, values in (("labels", data.labels), ("numbers", data.numbers)):
        if values is not None:
            arrays[key] = values
    for part, frame in _frames(data.graph).items():
        kept = frame.keys() - DERIVED.get(part, set())
        arrays.update({f"{part}/{key}": frame[key] for key in sorted(kept)})
    text = to_json(
        {
            "node_names": json_names(data.node_names, NODE),
            "hyperedge_names": json_names(data.hyperedge_names, HYPEREDGE),
            "feature_names": list(data.feature_names),
            "attributes": data.attributes.to_dict(),
        }
    )
    arrays["names"] = np.frombuffer(encoded(text), dtype=np.uint8)
    return {
        key: values.detach().cpu().numpy() if isinstance(values, Tensor) else values
        for key, values in arrays.items()
    }


def write_npz(file: IO[bytes], data: Labelled) -> None:
    """Write a labelled hypergraph as npz."""
    np.savez_compressed(file, **dict[str, Any](pack(data)))


def read_npz(
    path: Path,
    make: Callable[..., Made],
    *,
    max_bytes: int | None = None,
    id_factor: int | None = None,
) -> Made:
    """Read a labelled hypergraph and make it of its parts.

    ``ValueError`` if the file is damaged or another's.
    """
    rule = f"{path} does not hold the arrays of a hypergraph"
    try:
        return _read(path, make, rule, max_bytes, id_factor)
    except LimitError as error:
        raise LimitError(str(error) if str(path) in str(error) else f"{path}: {error}") from None


def _read(
    path: Path,
    make: Callable[..., Made],
    rule: str,
    max_bytes: int | None,
    id_factor: int | None,
) -> Made:
    with refusing_damage(rule, "remove it and make it again"):
        stored: Any = read_arrays(path, max_bytes, _is_wanted)
        missing = [key for key in REQUIRED if key not in stored]
        if missing:
            raise ValueError(f"there is no array {missing[0]}")
        return make(**unpack(stored, id_factor))


def _is_wanted(name: str) -> bool:
    return name in (*REQUIRED, *OPTIONAL) or name.partition("/")[0] in _PARTS


def unpack(stored: Arrays, id_factor: int | None = None) -> dict[str, Any]:
    """Turn the arrays of :func:`pack` into arguments of a labelled hypergraph."""
    # Files of an earlier version have labels for all nodes, and no number of nodes.
    count = int(stored["num_nodes"]) if "num_nodes" in stored else len(stored["labels"])
    num_hyperedges = int(stored["num_hyperedges"])
    # Besides incidences, a label or feature stands for a node, a weight for a hyperedge.
    evidence = max(len(values) for values in stored.values() if values.ndim)
    check_id_count(count, evidence, NODE, id_factor)
    check_id_count(num_hyperedges, evidence, HYPEREDGE, id_factor)
    graph = hypergraph_from_incidence(
        stored["node_ids"],
        stored["hyperedge_ids"],
        count,
        num_hyperedges,
        hyperedge_weight=stored.get(f"{HYPEREDGE}/weight"),
        incidence_weight=stored.get(f"{IN[1]}/weight"),
        allow_empty=True,
    )
    frames = _frames(graph)
    for key, values in stored.items():
        part, slash, name = key.partition("/")
        if slash and name not in frames[part]:
            frames[part][name] = torch.from_numpy(values)
    sizes = stored["split_sizes"].astype(np.int64)
    ids: list[Any] = np.split(stored["split_ids"], np.cumsum(sizes.ravel())[:-1])
    names = parse_json(stored["names"].tobytes().decode(), "names") if "names" in stored else {}
    counts = (count, num_hyperedges, graph.num_edges(IN))
    return {
        "graph": graph,
        "node_names": names.get("node_names") or (),
        "hyperedge_names": names.get("hyperedge_names") or (),
        "class_names": tuple(stored["class_names"].tolist()),
        "attributes": Attributes.from_dict(names["attributes"], counts) if names else Attributes(),
        "feat": _unpack_features(stored),
        "feature_names": names.get("feature_names", ()),
        "labels": stored.get("labels"),
        "numbers": stored.get("numbers"),
        "splits": tuple(Split(*ids[i : i + len(PARTS)]) for i in range(0, sizes.size, len(PARTS))),
    }


def _pack_features(feat: Tensor | None) -> dict[str, Any]:
    if feat is None:
        return {}
    if not is_sparse(feat):
        return {"feat": feat}
    # scipy's 32 bits for an index are enough for nearly all, and make smaller files.
    small = feat.values().numel() < 2**31
    index = torch.int32 if small else torch.int64
    parts = (feat.values(), feat.col_indices().to(index), feat.crow_indices().to(index))
    return dict(zip(SPARSE, (*parts, np.array(feat.shape))))


def _unpack_features(stored: Arrays) -> sparse.csr_matrix | np.ndarray[Any, Any] | None:
    if SPARSE[0] not in stored:
        return stored.get("feat")
    *parts, shape = (stored[key] for key in SPARSE)
    matrix = sparse.csr_matrix(tuple(parts), shape=tuple(shape.tolist()))
    check_matrix(matrix, "the features")
    return matrix


_PARTS = (NODE, HYPEREDGE, IN[1], CONTAINS[1])


def _frames(graph: Any) -> dict[str, Any]:
    frames = (graph.nodes[NODE].data, graph.nodes[HYPEREDGE].data)
    return dict(zip(_PARTS, (*frames, graph.edges[IN].data, graph.edges[CONTAINS].data)))
