"""Refuse files of numpy that are cut off, forged or of another format, in one way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .limits import LimitError


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
