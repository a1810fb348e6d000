"""Read the few pickles that the benchmarks consist of, and refuse to build anything else.

Nothing of a pickle is imported or called. Each name that the files contain stands for a small
class of this module that checks what it is given and holds plain data. So reading does not depend
on where a version of numpy or scipy keeps its classes, and a forged file finds nothing to run.
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse

from .pickle_scan import RefusedError, scan


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
        scan(content)
        value = _Unpickler(io.BytesIO(content), encoding="latin1").load()
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
    return value.content if isinstance(value, (_Array, _Csr)) else value


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
        self.content.check_format(full_check=True)


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


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        try:
            return _STAND_INS[module, name]
        except KeyError:
            raise RefusedError(f"{module}.{name}") from None
