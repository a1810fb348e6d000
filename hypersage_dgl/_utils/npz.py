"""Arrays and sparse matrices in files of numpy and scipy, read without pickle and checked.

What a file declares is read from its headers first, and refused where it is no array of plain
numbers or would take more memory than allowed: 1.8 kB of a zip file can hold 2 GiB of zeros.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from scipy import sparse

from .compressed import check_matrix
from .text import LimitError, check_bytes
from .writing import replacing

Array = np.ndarray[Any, Any]
# Words are at most so long: names of classes, and the form of a matrix.
LONGEST_WORD = 10_000
# As numpy has it: it would read a longer header whole before it refuses it.
LONGEST_HEADER = 10_000
# What numpy writes. Others may ask for gigabytes before the first byte is unpacked.
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def array_names(path: Path) -> set[str]:
    """Names of the arrays in an npz file; none in an npy file, which holds one array."""
    with path.open("rb") as file, _refusing_damage(path):
        if not _is_zip(file):
            _read_header(file)
            return set()
        with zipfile.ZipFile(file) as archive:
            return {name.removesuffix(".npy") for name in archive.namelist()}


def is_matrix(path: Path) -> bool:
    """Whether the file is one that ``scipy.sparse.save_npz`` writes."""
    return {"format", "shape"} <= array_names(path)


def check_declared(
    path: Path, max_bytes: int | None = None, wanted: Callable[[str], bool] = lambda name: True
) -> None:
    """Refuse a file of numpy whose wanted arrays are no numbers or words, or too large together."""
    total, repeated = 0, ""
    with path.open("rb") as file, _refusing_damage(path):
        if not _is_zip(file):
            total = _declared(file, path.stat().st_size)
        else:
            with zipfile.ZipFile(file) as archive:
                members = [
                    member
                    for member in archive.infolist()
                    if wanted(member.filename.removesuffix(".npy"))
                ]
                repeated = first_repeated([m.filename.removesuffix(".npy") for m in members])
                for member in members:
                    if member.compress_type not in PACKINGS:
                        raise ValueError(f"packed in the way {member.compress_type} of zip files")
                    with archive.open(member) as stream:
                        total += _declared(stream, member.file_size)
        if repeated:
            raise ValueError(f"the array {repeated!r:.60} is in it twice")
    check_bytes(total, path, "its arrays", max_bytes)


def read_matrix(path: Path, max_bytes: int | None = None) -> sparse.spmatrix:
    """Read what ``scipy.sparse.save_npz`` wrote."""
    check_declared(path, max_bytes)
    with path.open("rb") as file, _refusing_damage(path):
        with np.load(file, allow_pickle=False) as npz:
            shape = [int(size) for size in npz["shape"]]
        # scipy takes the space for the starts of all rows or columns at once.
        needed = 16 * max(shape, default=0)
    check_bytes(needed, path, f"a matrix of the shape {tuple(shape)}", max_bytes)
    with path.open("rb") as file, _refusing_damage(path):
        matrix = sparse.load_npz(file)
        for part in ("data", "indices", "indptr", "row", "col", "offsets"):
            if isinstance(getattr(matrix, part, None), np.ndarray):
                setattr(matrix, part, _native(getattr(matrix, part)))
        # scipy trusts stored indices, and would follow a wrong one out of its memory.
        check_matrix(matrix)
        return matrix


def read_array(path: Path, max_bytes: int | None = None) -> Array:
    """Read the one array of an npy or npz file."""
    opened = read_arrays(path, max_bytes)
    if isinstance(opened, np.ndarray):
        return opened
    if len(opened) != 1:
        raise ValueError(
            f"{path} holds the arrays {sorted(opened)}; save one alone, or a sparse matrix with "
            "scipy.sparse.save_npz"
        )
    array: Array = next(iter(opened.values()))
    return array


def read_arrays(
    path: Path, max_bytes: int | None = None, wanted: Callable[[str], bool] = lambda name: True
) -> Array | dict[str, Array]:
    """Read the array of an npy file, or all that are wanted of an npz file, by their names."""
    check_declared(path, max_bytes, wanted)
    with path.open("rb") as file, _refusing_damage(path):
        if not _is_zip(file):
            return _read_array(file)
        # Not by numpy, which walks through all names for each of them.
        with zipfile.ZipFile(file) as archive:
            members = {
                member.filename.removesuffix(".npy"): member for member in archive.infolist()
            }
            found = {}
            for name in filter(wanted, members):
                with archive.open(members[name]) as stream:
                    found[name] = _read_array(stream)
            return found


def write_matrix(path: Path, matrix: sparse.spmatrix) -> None:
    """Write a sparse matrix as ``scipy.sparse.save_npz`` does, whole or not at all."""
    content = io.BytesIO()
    sparse.save_npz(content, matrix)
    with replacing(path) as file:
        file.write(content.getvalue())


def _native(array: Array) -> Array:
    """In the byte order of this machine, which scipy and torch ask for."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def first_repeated(names: Sequence[str]) -> str:
    """The first name that is there twice; an empty one if there is none.

    Examples
    --------
    >>> first_repeated(["a", "b", "b"])
    'b'
    """
    return next((name for name, times in Counter(names).items() if times > 1), "")


def _is_zip(file: IO[bytes]) -> bool:
    start = file.read(4)
    file.seek(0)
    return start[:2] == b"PK"


def _read_array(file: IO[bytes]) -> Array:
    reader: Any = npy
    array: Array = reader.read_array(file, allow_pickle=False)
    return _native(array)


def _read_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape and type of an npy file, and the length of its header."""
    # Older stubs of numpy know these functions without types.
    reader: Any = npy
    version = reader.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        # Version 3 is for names of fields in Unicode, and we take no fields.
        raise ValueError(
            f"an npy header of version {version}; numpy writes (1, 0) for plain arrays"
        )
    field = file.read(2 if version == (1, 0) else 4)
    length = int.from_bytes(field, "little")
    if length > LONGEST_HEADER:
        raise ValueError(f"an npy header of {length:,} bytes, more than {LONGEST_HEADER:,}")
    header = io.BytesIO(field + file.read(length))
    parse = reader.read_array_header_1_0 if version == (1, 0) else reader.read_array_header_2_0
    shape, _, dtype = parse(header)
    return shape, dtype, file.tell()


def _declared(file: IO[bytes], size: int) -> int:
    """Bytes that the array of an npy file takes in memory; ``ValueError`` for what is no array."""
    shape, dtype, header = _read_header(file)
    if any(length < 0 for length in shape):
        raise ValueError(f"an array of the shape {shape}")
    if dtype.kind not in "biufSU" or dtype.fields is not None:
        raise ValueError(f"an array of {dtype!r:.60}, which is no type of numbers or words")
    if dtype.kind in "SU" and dtype.itemsize > LONGEST_WORD * np.dtype("U1").itemsize:
        raise ValueError(f"words of {dtype}, longer than {LONGEST_WORD} characters")
    needed = math.prod(shape) * dtype.itemsize
    if header + needed != size:
        raise ValueError(
            f"an array of the shape {shape} and type {dtype} needs {needed} bytes, and there are "
            f"{size - header}"
        )
    return needed


def _refusing_damage(path: Path) -> AbstractContextManager[None]:
    return refusing_damage(
        f"{path} is damaged, or no file of numpy without pickle", "save it again"
    )


@contextmanager
def refusing_damage(rule: str, cure: str) -> Iterator[None]:
    """Turn whatever a reader fails with into a ``ValueError``: what is wrong, why, and the cure.

    Parameters
    ----------
    rule
        The file, and what it is not.
    cure
        What to do about it.

    Examples
    --------
    >>> with refusing_damage("a.npz is no list of numbers", "save it again"):
    ...     int("x")
    Traceback (most recent call last):
    ValueError: a.npz is no list of numbers (ValueError: invalid literal...); save it again
    """
    try:
        yield
    # Nothing is wrong with the file; the error says how to allow it.
    except LimitError:
        raise
    # The zip reader, its four decompressors and numpy's parser of headers raise errors of a dozen
    # unrelated types: a list of them would never be complete.
    except Exception as error:
        raise ValueError(f"{rule} ({type(error).__name__}: {error}); {cure}") from error
