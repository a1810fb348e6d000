"""Which nodes a model was trained on, so that nobody takes them for unseen ones."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .._utils import check_schema
from ..convert import integer_names
from ..data import Split, as_mask


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


_PROPERTIES = {
    "nodes": {"type": "integer"},
    "names": {"type": "integer"},
    **{part: {"type": "string"} for part in Split._fields},
}
_SCHEMA = {"type": "object", "required": list(_PROPERTIES), "properties": _PROPERTIES}
