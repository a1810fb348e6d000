"""DGL's binary file of a graph: written so that a full disk is noticed, read only if unchanged."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import dgl
import torch
from torch import Tensor

from .._utils import replacing


def write_graph(graph: dgl.DGLGraph, file: Path) -> str:
    """Write a graph, whole and on the disk or not at all, and give the SHA-256 of the file.

    DGL itself says nothing where there is no room for the last bytes, so it writes into memory,
    what it wrote is read back and compared, and the file is written from there.
    """
    with _scratch() as scratch:
        _save(scratch, graph)
        digest = hashlib.sha256()
        with Path(scratch).open("rb") as source, replacing(file) as target:
            while chunk := source.read(1 << 20):
                digest.update(chunk)
                target.write(chunk)
    return digest.hexdigest()


def read_graph(file: Path, sha256: str, record: Path) -> dgl.DGLGraph:
    """Read a graph if its file is the noted one.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it has another SHA-256 than the record says, or DGL cannot read it.
    """
    with file.open("rb") as stream:
        if _sha256(stream) != sha256:
            raise ValueError(
                f"{file} is damaged or does not belong to {record}: its SHA-256 is not the noted "
                "one; save the hypergraph again"
            )
        # What was hashed, even if another process removes the name meanwhile.
        opened = Path(f"/proc/self/fd/{stream.fileno()}")
        try:
            return dgl.load_graphs(str(opened if opened.exists() else file))[0][0]
        # DGL's reader fails in many ways, and appends a trace in C++.
        except Exception as error:
            reason = str(error).strip().partition("\n")[0]
            if not file.exists():
                gone = os.strerror(errno.ENOENT)
                raise FileNotFoundError(errno.ENOENT, gone, str(file)) from None
            raise ValueError(
                f"{file} cannot be read by DGL ({reason}); save the hypergraph again"
            ) from None


def _save(scratch: str, graph: dgl.DGLGraph) -> None:
    try:
        dgl.save_graphs(scratch, [graph])
        is_whole = _parts(dgl.load_graphs(scratch)[0][0]) == _parts(graph)
    # DGL's writer and reader fail in many ways, the one where it stops short, the other there.
    except Exception:
        is_whole = False
    if not is_whole:
        reason = "DGL could not write the graph as a whole; is there room in memory?"
        raise OSError(errno.EIO, reason)


def _parts(graph: dgl.DGLGraph) -> list[object]:
    """All of a graph, as values that can be compared."""
    parts: list[object] = [graph.ntypes, graph.canonical_etypes, str(graph.idtype)]
    for kind in graph.ntypes:
        parts += [graph.num_nodes(kind), *_bytes(graph.nodes[kind].data)]
    for relation in graph.canonical_etypes:
        parts += _bytes(dict(enumerate(graph.edges(etype=relation))))
        parts += _bytes(graph.edges[relation].data)
    return parts


def _bytes(tensors: Mapping[Any, Tensor]) -> list[object]:
    found: list[object] = []
    for name in sorted(tensors):
        values = tensors[name].detach().contiguous()
        flat = values.view(-1).view(torch.uint8) if values.numel() else values
        found += [name, tuple(values.shape), hashlib.sha256(flat.numpy().data).hexdigest()]
    return found


def sha256_of(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as stream:
        return _sha256(stream)


def _sha256(stream: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := stream.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()


@contextmanager
def _scratch() -> Iterator[str]:
    """The name of a file in memory; where the system has none, of a temporary one with room."""
    if hasattr(os, "memfd_create") and Path("/proc/self/fd").exists():
        descriptor = os.memfd_create("graph")
        try:
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "graph.bin")
        if shutil.disk_usage(folder).free < 1 << 16:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), folder)
