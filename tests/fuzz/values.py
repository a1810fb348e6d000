"""Odd values and damage: what the inputs of the attack are made of."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from typing import Any

import numpy as np

NUMBERS = (0, 1, -1, 2, 3, 7, 255, 2**31 - 1, 2**31, 2**32, 2**53, 2**61 - 1, 2**63 - 1, 2**63)
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.5, 1e-45, 1e-320, 1e20, 1e38, 1e39, 1e308, 1.0000000001)
LARGE = (10**18, 10**19, 10**30, 10**400, -(10**400), 2 * (2**61 - 1), 200_000_000, 500_000_000)
WORDS = ("", " ", "a", "node", "é", "数", "\x1b[2J", "\r", "\n", "a,b", '"', "\ud800", "nan", "0")
KEYS = ("node", "edge", "weight", "attrs", "direction", "nodes", "edges", "incidences", "metadata")
DTYPES = (
    "<i8",
    "<i4",
    ">i8",
    "<u8",
    "|u1",
    "|b1",
    "<f4",
    "<f8",
    "<f2",
    "<U3",
    "|S2",
    "<c8",
    "<M8[s]",
)


def number(rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.5:
        return rng.randrange(6)
    return rng.choice(NUMBERS if kind < 0.7 else FLOATS if kind < 0.9 else LARGE)


def value(rng: random.Random, depth: int = 3) -> Any:
    """Any JSON value."""
    kind = rng.random()
    if kind < 0.4:
        return number(rng)
    if kind < 0.6:
        return rng.choice(WORDS)
    if kind < 0.75 or depth == 0:
        return rng.choice((None, True, False))
    if kind < 0.88:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(KEYS + WORDS): value(rng, depth - 1) for _ in range(rng.randrange(4))}


def changed(document: Any, rng: random.Random, times: int = 1) -> Any:
    """A JSON document with values, keys or items changed at random places."""
    document = json.loads(json.dumps(document))
    for _ in range(times):
        places = [(None, None)]
        waiting = [document]
        while waiting:
            item = waiting.pop()
            keys = item if isinstance(item, dict) else range(len(item))
            for key in keys:
                places.append((item, key))
                if isinstance(item[key], (dict, list)):
                    waiting.append(item[key])
        holder, key = rng.choice(places)
        if holder is None:
            if rng.random() < 0.1:
                document = value(rng)
        elif rng.random() < 0.2:
            del holder[key]
        elif isinstance(holder, list) and rng.random() < 0.3:
            holder.insert(key, holder[rng.randrange(len(holder))])
        else:
            holder[key] = value(rng)
        if not isinstance(document, (dict, list)):
            break
    return document


def to_text(document: Any, rng: random.Random) -> str:
    """JSON of a document, sometimes with what the standard does not have, or very deep."""
    text = json.dumps(document)
    kind = rng.random()
    if kind < 0.03:
        text = text.replace(
            "1", rng.choice(("NaN", "Infinity", "1e999", "1" * 5000, "-0", "1E400")), 1
        )
    elif kind < 0.06:
        depth = rng.choice((90, 150, 300, 900, 5000, 100_000))
        text = text.replace("{}", '{"a": ' + "[" * depth + "]" * depth + "}", 1)
    elif kind < 0.09:
        text = text.replace("{", '{"nodes": [], "incidences": [], "a": 1, "a": 2, ', 1)
    elif kind < 0.1:
        k = 2**61 - 1
        many = ", ".join(f'{{"node": {i * k}, "edge": 0}}' for i in range(1, 3000))
        text = '{"incidences": [' + many + "]}"
    return text


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Bytes with a few of them changed, cut, repeated or replaced by a number."""
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(made) + 1)
        kind = rng.randrange(6)
        if kind == 0 and at < len(made):
            made[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del made[at:]
        elif kind == 2:
            made[at : at + rng.randrange(9)] = b""
        elif kind == 3:
            made[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(9)))
        elif kind == 4:
            size = rng.randrange(1, 40)
            made[at:at] = made[at : at + size]
        else:
            packed = struct.pack("<q", rng.choice(NUMBERS[:-1]))[: rng.choice((1, 2, 4, 8))]
            made[at : at + len(packed)] = packed
    return bytes(made)


def array(rng: random.Random, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array with values, type or shape changed."""
    made = np.array(like)
    for _ in range(rng.choice((1, 1, 2))):
        kind = rng.randrange(7)
        with np.errstate(all="ignore"):
            if kind <= 2 and made.size and made.dtype.kind in "iuf":
                flat = made.reshape(-1)
                odd = rng.choice((-1, 0, 1, 2, 5, 2**30, 200_000_000, 50_000_000))
                flat[rng.randrange(flat.size)] = np.array(odd).astype(made.dtype)
            elif kind == 3:
                made = made.reshape(-1)[: rng.randrange(made.size + 1)]
            elif kind == 4:
                made = np.concatenate([made.reshape(-1)] * rng.choice((2, 3)))
            elif kind == 5:
                try:
                    made = made.astype(rng.choice(DTYPES))
                except (OverflowError, RuntimeError, TypeError, ValueError):
                    made = np.array(rng.choice(WORDS[:6]))
            else:
                made = made.reshape(rng.choice(((1, -1), (-1, 1), (-1,)))) if made.size else made
    return made


def packed(arrays: dict[str, np.ndarray[Any, Any]], rng: random.Random) -> bytes:
    """An npz file, whose headers sometimes declare what is not there."""
    content = io.BytesIO()
    way = zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED
    if rng.random() < 0.02:
        way = rng.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(content, "w", way) as archive:
        for name, values in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(values), allow_pickle=True)
            data = member.getvalue()
            if rng.random() < 0.005:
                # A header of gigabytes, or of a few megabytes that are really there.
                size = rng.choice((2**32 - 1, 5_000_000))
                data = b"\x93NUMPY\x02\x00" + struct.pack("<I", size) + b" " * min(size, 5_000_000)
            elif rng.random() < 0.03:
                data = forged(rng) + (bytes(rng.choice((0, 10, 100_000))))
            elif rng.random() < 0.02:
                data = damaged(data, rng)
            archive.writestr(f"{name}.npy", data)
    return content.getvalue()


def forged(rng: random.Random) -> bytes:
    """The header of an npy file that declares anything."""
    shape = rng.choice(
        ("()", "(0,)", "(1, 500000000)", "(268435456,)", "(2, 3)", "(-1,)", "(10**9,)")
    )
    kind = rng.choice(("<f8", "|O", "<U9999999", "<i8", "|V8", "<f4", "[('a', '<i8')]"))
    kind = kind if kind.startswith("[") else f"'{kind}'"
    text = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"
    header = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
