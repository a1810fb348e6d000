"""Hypergraphs on disk with all that belongs to them: tensors in DGL's format, names in JSON."""

from __future__ import annotations

import errno
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import dgl
import torch

from .._utils import (
    PART,
    PathLike,
    encoded,
    locked,
    read_record,
    required,
    to_json,
    write_sealed,
)
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, validate
from .graph_file import read_graph, sha256_of, write_graph
from .named import Attributes, Hypergraph, Named, as_named
from .names import json_names

RECORD = "hypergraph.json"
VERSION = 2
GRAPH_FILE = re.compile(r"graph-[0-9a-f]{16}\.bin")
# Seconds for another who writes into the same folder to end.
PATIENCE = 60.0


def write_folder(graph: Hypergraph, path: PathLike) -> None:
    """Save a hypergraph with all its data, names and attributes; an earlier one is replaced.

    Parameters
    ----------
    graph
        A hypergraph or a :class:`Named`, whose names are strings or integers.
    path
        A folder, created if needed. In it ``graph-….bin`` holds the graph and its tensors
        (``dgl.save_graphs``), ``hypergraph.json`` the names of nodes, hyperedges and classes, the
        attributes, the name and SHA-256 of the other file, and the SHA-256 of itself.

    Raises
    ------
    OSError
        If the folder cannot be written or is full; the earlier hypergraph is then as it was.

    Notes
    -----
    The graph is written, brought to the disk and read back before anything names it. Renaming the
    JSON file into place is the one moment of change: a process killed before it leaves the earlier
    hypergraph, one killed after it the new one, never a mixture. What it leaves besides is swept
    away by the next save. One writer at a time holds the folder's ``.lock``.

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
    record = _record(named, file)
    # What JSON cannot hold is better known before anything is written.
    encoded(to_json(record))
    with locked(folder, "save a hypergraph", wait=PATIENCE):
        try:
            record["graph"]["sha256"] = write_graph(named.graph.to("cpu"), file)
            if sha256_of(file) != record["graph"]["sha256"]:
                raise OSError(errno.EIO, "what was written is not what is read back", str(file))
            write_sealed(folder / RECORD, record)
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        _sweep(folder, file.name)


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
        except FileNotFoundError:
            # Perhaps another process has just replaced this hypergraph by a newer one.
            newer = _read_record(folder)
            if newer == record:
                raise
            record = newer


def _record(named: Named, file: Path) -> dict[str, Any]:
    return {
        "version": VERSION,
        "graph": {
            "file": file.name,
            "sha256": "",
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
    graph = read_graph(file, record["graph"]["sha256"], folder / RECORD)
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
            Attributes.from_dict(
                record["attributes"],
                (graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE), graph.num_edges(IN)),
            ),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / RECORD} does not fit {file}: {error}") from None


def _read_record(folder: Path) -> dict[str, Any]:
    path = folder / RECORD
    cure = "restore it, or save the hypergraph again"
    record = read_record(path, _SCHEMA, "hypergraph", cure)
    name = record["graph"]["file"]
    if not GRAPH_FILE.fullmatch(name):
        raise ValueError(f"{path}: $.graph.file is {name!r:.60}; it must be a file of this folder")
    return record


def _sweep(folder: Path, kept: str) -> None:
    """Remove graph files but the kept one, and what killed processes left; needs the lock."""
    with suppress(OSError):
        for file in folder.iterdir():
            part = PART.fullmatch(file.name)
            name = part["name"] if part else file.name
            is_ours = GRAPH_FILE.fullmatch(name) or (part and name == RECORD)
            if is_ours and file.name != kept:
                file.unlink()


def _frames(graph: dgl.DGLGraph) -> dict[str, Any]:
    return {
        NODE: graph.nodes[NODE].data,
        HYPEREDGE: graph.nodes[HYPEREDGE].data,
        IN[1]: graph.edges[IN].data,
        CONTAINS[1]: graph.edges[CONTAINS].data,
    }


_OBJECT = {"type": "object"}
_STRINGS = {"type": "array", "items": {"type": "string"}}
_NAMES = {"type": ["array", "null"], "items": {"type": ["string", "integer"]}}


_SCHEMA = required(
    version={"enum": [VERSION]},
    graph=required(
        file={"type": "string"},
        sha256={"type": "string"},
        bool={"type": "array", "items": _STRINGS},
    ),
    node_names=_NAMES,
    hyperedge_names=_NAMES,
    class_names=_STRINGS,
    attributes=required(
        network=_OBJECT, nodes=_OBJECT, hyperedges=_OBJECT, incidences=_OBJECT, network_type={}
    ),
    sha256={"type": "string"},
)
