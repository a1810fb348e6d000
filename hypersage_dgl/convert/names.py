"""Names of nodes and hyperedges: numbered at first sight, distinct, and as JSON holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from torch import Tensor

Name = Hashable
# Any number of so many digits is an int64.
MOST_DIGITS = 18


class Numbering:
    """Ids for names, in the order of first sight; with ``known`` names, for those alone."""

    def __init__(self, what: str, known: Iterable[Name] | None = None) -> None:
        self.what, self.fixed = what, known is not None
        listed = () if known is None else plain_names(known)
        require_distinct(listed, f"{what} names")
        self._names = list(listed)
        self._ids = {hashed(name): position for position, name in enumerate(listed)}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return hashed(name) in self._ids

    def __getitem__(self, name: Name) -> int:
        key = hashed(name)
        if key not in self._ids:
            if self.fixed:
                raise ValueError(
                    f"{self.what} {name!r} is unknown: it is not among the {len(self)} given "
                    f"{self.what} names; correct it or add it to them"
                )
            self._ids[key] = len(self._ids)
            self._names.append(name)
        return self._ids[key]

    @property
    def names(self) -> tuple[Name, ...]:
        """The names, in the order of their ids."""
        return tuple(self._names)


def hashed(name: Name) -> Hashable:
    """What to look a name up by: large integers can be chosen so that all have the same hash.

    Python's hash of an integer is its rest by 2**61 - 1; that of a word no one can foresee.

    Examples
    --------
    >>> hash(7 * (2**61 - 1)) == hash(8 * (2**61 - 1)), hashed(3), hashed(10**20)
    (True, 3, ('0x56bc75e2d63100000',))
    """
    if isinstance(name, (int, np.integer)) and abs(int(name)) >= 2**32:
        # In a tuple, or it would be the same as that word.
        return (hex(name),)
    return name


def plain_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Give names as they compare: the elements of a tensor are all different, even equal ones."""
    if isinstance(names, (Tensor, np.ndarray)):
        names = names.tolist()
    return tuple(name.item() if isinstance(name, Tensor) else name for name in names)


def is_numbered(names: Sequence[Name]) -> bool:
    """Whether the names are nothing but the ids."""
    return names == range(len(names))


def integer_names(names: Sequence[Name]) -> list[int] | None:
    """The numbers that the names are, if all are non-negative integers, as such or as text.

    Examples
    --------
    >>> integer_names(("2", "10")), integer_names((0, 1)), integer_names(("07",))
    ([2, 10], [0, 1], None)
    """
    numbers = []
    for name in names:
        text = str(name)
        is_text = isinstance(name, str) or (
            isinstance(name, (int, np.integer)) and not isinstance(name, bool)
        )
        if not (is_text and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            return None
        if str(int(text)) != text:
            return None
        numbers.append(int(text))
    return numbers if len(set(numbers)) == len(numbers) else None


def require_distinct(names: Sequence[Name], what: str) -> None:
    """Raise ``ValueError`` with the first repeated name, if there is one."""
    if isinstance(names, range) or len(set(map(hashed, names))) == len(names):
        return
    counts = Counter(map(hashed, names))
    repeated = next(name for name in names if counts[hashed(name)] > 1)
    raise ValueError(f"{what} must be distinct, but {repeated!r} occurs more than once")


def json_name(name: Name, what: str) -> str | int:
    """Give a name as JSON can hold it, a string or an integer, or raise ``TypeError``."""
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
        return int(name)
    if isinstance(name, str):
        return str(name)
    raise TypeError(
        f"{what} name {name!r:.60} is a {type(name).__name__}; in JSON names are strings or "
        "integers, so rename it"
    )


def json_names(names: Sequence[Name], what: str) -> list[str | int] | None:
    """Names as JSON can hold them; None where they are nothing but the ids."""
    return None if is_numbered(names) else [json_name(name, what) for name in names]
