"""Read the few pickles that the benchmarks consist of, and refuse to build anything else.

Every file is checked by its SHA-256 before it comes here; this is the second lock. Two lists say
what a pickle may contain. One has the opcodes. The other has the names, each of which stands for a
small class of this module that checks what it is given and holds plain data: numpy's own would
take bytes for addresses. So nothing of a pickle is imported or called, and reading does not depend
on where a version of numpy or scipy keeps its classes.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import re
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse

from ..._utils import check_matrix

# Not among them: EXT1, EXT2 and EXT4, which take classes from a cache of the process and ask
# nobody; persistent ids, instances and buffers of others; DUP, which multiplies.
OPCODES = frozenset(
    {
        *("PROTO", "FRAME", "STOP", "MARK", "MEMOIZE", "NONE", "NEWTRUE", "NEWFALSE"),
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
        *("LIST", "EMPTY_LIST", "APPEND", "APPENDS", "EMPTY_SET", "ADDITEMS"),
        *("DICT", "EMPTY_DICT", "SETITEM", "SETITEMS", "EMPTY_TUPLE"),
        *("TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "REDUCE", "NEWOBJ", "BUILD"),
        *("PUT", "BINPUT", "LONG_BINPUT", "GET", "BINGET", "LONG_BINGET"),
        *("GLOBAL", "STACK_GLOBAL"),
    }
)
OPCODE_NAMES = MappingProxyType({ord(opcode.code): opcode.name for opcode in pickletools.opcodes})
# With all that is in it. The largest of a benchmark, the state of a matrix, has 20.
MOST_PARTS = 1000


class RefusedError(Exception):
    """A pickle that does what no file of the benchmarks does."""


def load_pickle(content: bytes, source: str) -> Any:
    """Read a pickle made of numbers, strings, lists, dicts, sets, numpy arrays and scipy CSR.

    Parameters
    ----------
    content
        The bytes of the file.
    source
        Its name, for the error.

    Returns
    -------
    Any
        numpy integers come back as ``int``; a CSR matrix or an array only as the whole content.

    Examples
    --------
    >>> load_pickle(pickle.dumps({"train": [0, 2], "test": {1}}), "1.pickle")
    {'train': [0, 2], 'test': {1}}
    >>> load_pickle(pickle.dumps(print), "1.pickle")
    Traceback (most recent call last):
    ValueError: 1.pickle contains builtins.print, which no file of the benchmarks does...
    """
    try:
        value = _Unpickler(content).load()
        # One that was made and never given its state has no content.
        return value.content if isinstance(value, (_Array, _Csr)) else value
    except RefusedError as error:
        raise ValueError(
            f"{source} contains {error}, which no file of the benchmarks does; nothing of it was "
            "run. Do not use that file"
        ) from None
    # Truncated or forged, a pickle can fail in nearly any way.
    except Exception as error:
        raise ValueError(
            f"{source}: not a readable pickle of a benchmark ({type(error).__name__}: {error}); "
            "get the file again"
        ) from error


class _Frozen(type):
    """A class that a pickle cannot change: its BUILD opcode may set attributes of anything."""

    def __setattr__(cls, name: str, value: Any) -> None:
        raise RefusedError(f"an assignment to {cls.__name__}.{name}")


class _Dtype(metaclass=_Frozen):
    """``numpy.dtype`` of plain numbers: never objects, never records."""

    __slots__ = ("content",)

    def __init__(self, code: str, align: bool = False, copy: bool = False) -> None:
        if not isinstance(code, str) or not re.fullmatch("[biuf][1248]", code):
            shown = repr(code[:20]) if isinstance(code, str) else type(code).__name__
            raise RefusedError(f"numpy.dtype({shown})")
        self.content = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, byteorder, subarray, names, fields = state[:5]
        if byteorder not in ("<", ">", "|") or (subarray, names, fields) != (None, None, None):
            raise RefusedError("a numpy.dtype with fields")
        self.content = self.content.newbyteorder(byteorder)


class _Array(metaclass=_Frozen):
    """``numpy.ndarray``; numpy pickles an array as an empty one that is then given its state."""

    __slots__ = ("content",)

    def __init__(self, kind: Any, shape: Any, code: Any) -> None:
        if kind is not _Array:
            raise RefusedError("a subclass of numpy.ndarray")
        self.content = np.empty(0)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, dtype, is_fortran, content = state
        flat = np.frombuffer(content, dtype.content)
        # A copy: an array over the bytes of the file could not be written to.
        self.content = flat.reshape(shape, order="F" if is_fortran else "C").copy()


class _Scalar(metaclass=_Frozen):
    """A numpy number, read as Python's own."""

    def __new__(cls, dtype: _Dtype, content: bytes) -> Any:
        return np.frombuffer(content, dtype.content).item()


class _Csr(metaclass=_Frozen):
    """``scipy.sparse.csr_matrix``, checked as a whole: scipy itself trusts the indices."""

    __slots__ = ("content",)

    def __init__(self) -> None:
        self.content = sparse.csr_matrix((0, 0))

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        parts = tuple(state[key].content for key in ("data", "indices", "indptr"))
        self.content = sparse.csr_matrix(parts, shape=state["_shape"])
        check_matrix(self.content)


# Older and newer versions of Python, numpy and scipy name the same thing differently.
_STAND_INS: Mapping[tuple[str, str], type] = MappingProxyType(
    {
        ("__builtin__", "set"): set,
        ("builtins", "set"): set,
        ("numpy", "dtype"): _Dtype,
        ("numpy", "ndarray"): _Array,
        ("numpy.core.multiarray", "_reconstruct"): _Array,
        ("numpy._core.multiarray", "_reconstruct"): _Array,
        ("numpy.core.multiarray", "scalar"): _Scalar,
        ("numpy._core.multiarray", "scalar"): _Scalar,
        ("scipy.sparse.csr", "csr_matrix"): _Csr,
        ("scipy.sparse._csr", "csr_matrix"): _Csr,
    }
)


class _Dispatch(dict[int, Any]):
    """What to do for each opcode; one that is not listed is refused."""

    def __missing__(self, code: int) -> Any:
        raise RefusedError(f"the opcode {OPCODE_NAMES.get(code, code)}")


def _checked(code: bytes, check: Callable[[Any], None]) -> dict[int, Any]:
    """What the reader does for an opcode, and a check of the result."""
    load = pickle._Unpickler.dispatch[code[0]]

    def load_and_check(reader: Any) -> None:
        load(reader)
        check(reader)

    return {code[0]: load_and_check}


def _check_tuple(reader: Any) -> None:
    """Refuse large tuples: one that is a member or a key is hashed with all that is in it.

    Deep ones would overflow the stack, and ones that hold an earlier tuple twice, which holds an
    earlier one twice, take exponential time.
    """
    made = reader.stack[-1]
    count = 1 + sum(reader.parts.get(id(item), (None, 1))[1] for item in made)
    if count > MOST_PARTS:
        raise RefusedError(f"a tuple of more than {MOST_PARTS} parts")
    reader.parts[id(made)] = (made, count)


def _check_memo(reader: Any) -> None:
    newest = next(reversed(reader.memo))
    if newest > reader.length:
        raise RefusedError(f"the memo index {newest}")


def _load_frame(reader: Any) -> None:
    (size,) = struct.unpack("<Q", reader.read(8))
    if size > reader.length:
        raise ValueError(f"a frame of {size} bytes in a file of {reader.length}")
    reader._unframer.load_frame(size)


class _Unpickler(pickle._Unpickler):
    """Python's reader in Python: the one in C does not let its opcodes be chosen."""

    dispatch = _Dispatch(
        {
            **{
                code: load
                for code, load in pickle._Unpickler.dispatch.items()
                if OPCODE_NAMES[code] in OPCODES
            },
            **_checked(pickle.TUPLE, _check_tuple),
            **_checked(pickle.TUPLE1, _check_tuple),
            **_checked(pickle.TUPLE2, _check_tuple),
            **_checked(pickle.TUPLE3, _check_tuple),
            **_checked(pickle.PUT, _check_memo),
            **_checked(pickle.LONG_BINPUT, _check_memo),
            pickle.FRAME[0]: _load_frame,
        }
    )

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="latin1")
        self.length = len(content)
        # Of each tuple the number of its parts; they are kept, or others would get their ids.
        self.parts: dict[int, tuple[Any, int]] = {}

    def find_class(self, module: str, name: str) -> type:
        try:
            return _STAND_INS[module, name]
        except KeyError:
            raise RefusedError(f"{module}.{name}") from None
