"""Hypergraphs on disk with all that belongs to them: tensors in DGL's format, names in JSON."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dgl
import torch

from .._utils import PathLike, read_record, to_json, write_text
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, validate
from .named import Attributes, Hypergraph, Named, as_named, json_names

RECORD = "hypergraph.json"
VERSION = 1


def write_folder(graph: Hypergraph, path: PathLike) -> None:
    """Save a hypergraph with all its data, names and attributes; an earlier one is replaced.

    Parameters
    ----------
    graph
        A hypergraph or a :class:`Named`, whose names are strings or integers.
    path
        A folder, created if needed. In it ``graph-….bin`` holds the graph and its tensors
        (``dgl.save_graphs``), ``hypergraph.json`` the names of nodes, hyperedges and classes, the
        attributes, and the name and SHA-256 of the other file.

    Notes
    -----
    Renaming the JSON file into place is the one moment of change: a process killed before it
    leaves the earlier hypergraph, one killed after it the new one, never a mixture. A
    ``graph-….bin`` that nothing refers to may stay behind.

    Examples
    --------
    >>> import tempfile
    >>> from hypersage_dgl import hypergraph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_folder(Named(hypergraph([[0, 1]]), ("ann", "bob")), folder)
    ...     read_folder(folder).node_names
    ('ann', 'bob')
    """
    named = as_named(graph).with_tensors()
    validate(named.graph)
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    # A name of its own, so that the earlier pair stays whole until the JSON file is replaced.
    file = folder / f"graph-{secrets.token_hex(8)}.bin"
    try:
        dgl.save_graphs(str(file), [named.graph.to("cpu")])
        text = to_json(_record(named, file))
        earlier = _earlier_file(folder)
        write_text(folder / RECORD, text)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    if earlier is not None:
        earlier.unlink(missing_ok=True)


def read_folder(path: PathLike) -> Named:
    """Load what :func:`write_folder` saved.

    Nothing is unpickled: ``dgl.load_graphs`` hands the file to DGL's own binary reader in C++,
    and the names are JSON. That reader takes many damaged files for good ones, so the SHA-256 is
    compared first. It guards against damage, not against a forger: as with every binary format,
    load only what you trust.

    Raises
    ------
    FileNotFoundError
        If the folder holds no hypergraph.
    ValueError
        If a file is damaged, or the two do not belong together.
    """
    folder = Path(path)
    record = _read_record(folder)
    while True:
        try:
            return _open(folder, record)
        except (FileNotFoundError, dgl.DGLError) as error:
            # Perhaps another process has just replaced this hypergraph by a newer one.
            newer = _read_record(folder)
            if newer == record and isinstance(error, dgl.DGLError):
                # Without the trace in C++ that DGL appends.
                reason = str(error).strip().partition("\n")[0]
                raise ValueError(
                    f"{folder / record['graph']['file']} cannot be read by DGL ({reason}); save "
                    "the hypergraph again"
                ) from None
            if newer == record:
                raise
            record = newer


def _record(named: Named, file: Path) -> dict[str, Any]:
    return {
        "version": VERSION,
        "graph": {
            "file": file.name,
            "sha256": _sha256(file),
            # DGL stores truth values as numbers; this brings them back.
            "bool": [
                [part, key]
                for part, frame in _frames(named.graph).items()
                for key, values in frame.items()
                if values.dtype == torch.bool
            ],
        },
        "node_names": json_names(named.node_names, NODE),
        "hyperedge_names": json_names(named.hyperedge_names, HYPEREDGE),
        "class_names": list(named.class_names),
        "attributes": named.attributes.to_dict(),
    }


def _open(folder: Path, record: Mapping[str, Any]) -> Named:
    file = folder / record["graph"]["file"]
    if _sha256(file) != record["graph"]["sha256"]:
        raise ValueError(
            f"{file} is damaged or does not belong to {folder / RECORD}: its SHA-256 is not the "
            "recorded one; save the hypergraph again"
        )
    graph = dgl.load_graphs(str(file))[0][0]
    try:
        validate(graph)
        frames = _frames(graph)
        for part, key in record["graph"]["bool"]:
            frames[part][key] = frames[part][key].bool()
        return Named(
            graph,
            record["node_names"] or (),
            record["hyperedge_names"] or (),
            record["class_names"],
            Attributes.from_dict(record["attributes"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / RECORD} does not fit {file}: {error}") from None


def _read_record(folder: Path) -> dict[str, Any]:
    path = folder / RECORD
    record = read_record(path, _SCHEMA, "hypergraph")
    name = record["graph"]["file"]
    if Path(name).name != name or not name.startswith("graph-"):
        raise ValueError(f"{path}: $.graph.file is {name!r}; it must be a file of this folder")
    return record


def _earlier_file(folder: Path) -> Path | None:
    try:
        return folder / _read_record(folder)["graph"]["file"]
    except (FileNotFoundError, ValueError):
        return None


def _frames(graph: dgl.DGLGraph) -> dict[str, Any]:
    return {
        NODE: graph.nodes[NODE].data,
        HYPEREDGE: graph.nodes[HYPEREDGE].data,
        IN[1]: graph.edges[IN].data,
        CONTAINS[1]: graph.edges[CONTAINS].data,
    }


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


_OBJECT = {"type": "object"}
_STRINGS = {"type": "array", "items": {"type": "string"}}
_NAMES = {"type": ["array", "null"], "items": {"type": ["string", "integer"]}}


def _exactly(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


_SCHEMA = _exactly(
    version={"enum": [VERSION]},
    graph=_exactly(
        file={"type": "string"},
        sha256={"type": "string"},
        bool={"type": "array", "items": _STRINGS},
    ),
    node_names=_NAMES,
    hyperedge_names=_NAMES,
    class_names=_STRINGS,
    attributes=_exactly(
        network=_OBJECT, nodes=_OBJECT, hyperedges=_OBJECT, incidences=_OBJECT, network_type={}
    ),
)
