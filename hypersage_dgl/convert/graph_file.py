"""DGL's binary file of a graph: written so that a full disk is noticed, read only if unchanged."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import dgl

from .._utils import replacing


def write_graph(graph: dgl.DGLGraph, file: Path) -> str:
    """Write a graph, whole and on the disk or not at all, and give the SHA-256 of the file.

    DGL itself says nothing where there is no room for the last bytes, so it writes into memory,
    and the file is written from there.
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
    except dgl.DGLError as error:
        reason = str(error).strip().partition("\n")[0]
        raise OSError(errno.EIO, f"DGL could not write the graph: {reason}") from None
    # Where DGL stopped short without a word there is no room for more either, and this raises.
    with Path(scratch).open("ab") as file:
        size = file.tell()
        file.write(bytes(1 << 16))
    os.truncate(scratch, size)


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
