"""Columns of a table as features: numbers, categories, vectors and words, all called by name.

A feature's name says where it comes from, so that a model finds its features in another table:
``age`` is the number in that column, ``colour=red`` one of its categories, ``code[2]`` an entry of
its vectors and ``text:word`` how often a word is in its text.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..._utils import shown

Columns = Mapping[str, Sequence[Any]]
MOST_WORDS = 5000
# A category that hardly any two nodes share says who a node is, not what.
MOST_CATEGORIES = 50
DECIMAL_COMMA = re.compile(r"[+-]?\d*(,\d+)?")
# What people write where nothing is known; it may be a name all the same, so it is only told.
MARKS = frozenset(("na", "n/a", "nan", "null", "none", "-", "?", "."))
LARGEST = float(np.finfo(np.float32).max)


def is_blank(cell: Any) -> bool:
    """Whether a cell holds nothing: None, NaN (also of pandas) or blank text."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(cell, str):
        return not cell.strip()
    return isinstance(cell, (float, np.floating)) and math.isnan(cell)


def as_text(cell: Any) -> str:
    """A cell as a name; 3.0, which pandas makes of 3 beside a blank, is 3.

    Examples
    --------
    >>> as_text(3.0), as_text(" ann "), as_text(7)
    ('3', 'ann', '7')
    """
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return str(cell).strip()


def as_number(cell: Any) -> float | None:
    """A cell as a number; None where it is none."""
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf
    except (TypeError, ValueError):
        return None


def words_of(cell: Any) -> list[str]:
    """The words of a text in lower case, of two letters at least.

    Examples
    --------
    >>> words_of("A graph, and Graphs!")
    ['graph', 'and', 'graphs']
    """
    return [] if is_blank(cell) else re.findall(r"\w\w+", str(cell).lower())


def natural(name: str) -> tuple[int, int, str]:
    """Key that sorts names: integers by number, then words."""
    is_number = name.isascii() and name.isdigit()
    return (0, int(name[:18]), name) if is_number and len(name) <= 18 else (1, 0, name)


def few(names: Sequence[str]) -> str:
    """The first names of a list, for messages."""
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def name_features(
    columns: Columns, text: Iterable[str] = (), categories: Iterable[str] = ()
) -> tuple[str, ...]:
    """Name the features that columns make, in the order of the columns' names.

    Columns in ``text`` become words, those in ``categories`` categories, whatever they hold.
    Others are numbers where all cells are, vectors where all cells are lists of numbers, and
    categories else; a column with hardly two equal cells is left out with a warning.

    Examples
    --------
    >>> name_features({"age": ["40", ""], "colour": ["red", "red"]})
    ('age', 'colour=red')
    """
    text, categories = tuple(text), tuple(categories)
    unknown = sorted({*text, *categories} - set(columns))
    if unknown:
        raise ValueError(f"there is no column {unknown[0]!r}; the columns are {list(columns)}")
    names: list[str] = []
    for column in sorted(columns):
        cells = [cell for cell in columns[column] if not is_blank(cell)]
        if column in text:
            names += [f"{column}:{word}" for word in _vocabulary(cells)]
        elif column in categories:
            names += _category_names(column, cells)
        elif cells and all(isinstance(cell, (list, tuple, np.ndarray)) for cell in cells):
            names += [f"{column}[{i}]" for i in range(max(map(len, cells)))]
        elif all(as_number(cell) is not None for cell in cells):
            names += [column] if cells else []
        else:
            names += _categories_or_warning(column, cells)
    return tuple(names)


def _categories_or_warning(column: str, cells: Sequence[Any]) -> list[str]:
    """The categories of a column that is not all numbers; a warning where it was meant to be."""
    made = _category_names(column, cells)
    words = {as_text(cell) for cell in cells if as_number(cell) is None}
    has_many = 1 < len(made) == len(cells) or len(made) > max(MOST_CATEGORIES, len(cells) // 10)
    if all(DECIMAL_COMMA.fullmatch(as_text(cell)) for cell in cells):
        shown_one = next(as_text(cell) for cell in cells if "," in as_text(cell))
        said = (
            f"has decimal commas, as in {shown_one}, and is not taken as numbers; write "
            f"{shown_one.replace(',', '.')}"
        )
        has_many = True
    elif len(words) < len(made) and all(word.lower() in MARKS for word in words):
        said = (
            f"has {min(words)!r} beside numbers, so it is not taken as numbers; leave a cell blank "
            "where nothing is known"
        )
    elif has_many:
        said = (
            f"has {len(made)} different values in {len(cells)} cells and is no feature; name it by "
            "text=, categories= or ignore= (--text, --category, --ignore)"
        )
    else:
        return made
    warnings.warn(f"column {column!r} {said}", stacklevel=3)
    return [] if has_many else made


def column_features(columns: Columns, names: Sequence[str], what: str) -> sparse.csr_matrix:
    """The named features of every row; a blank cell has 0.

    Examples
    --------
    >>> table = {"age": ["40", ""], "colour": ["red", "blue"]}
    >>> column_features(table, ("age", "colour=blue"), "people").toarray()
    array([[40.,  0.],
           [ 0.,  1.]], dtype=float32)
    """
    rows: list[int] = []
    places: list[int] = []
    values: list[float] = []
    wanted, missing = _by_column(columns, names)
    if missing:
        said = few(missing)
        if len(missing) == len(names):
            raise ValueError(f"{what} has none of the columns that are the features: {said}")
        warnings.warn(
            f"{len(missing)} of the {len(names)} features are not in {what} and count as "
            f"blank: {said}",
            stacklevel=3,
        )
    for column, parts in wanted.items():
        for row, cell in enumerate(columns[column]):
            if is_blank(cell):
                continue
            try:
                found = _values(cell, parts)
            except (OverflowError, TypeError, ValueError):
                raise ValueError(
                    f"{what}: column {column!r} is {shown(cell, 40)} in row {row}; a feature must "
                    "be a finite number, in the range of float32"
                ) from None
            for place, value in found:
                rows.append(row)
                places.append(place)
                values.append(value)
    count = len(next(iter(columns.values()), ()))
    made = sparse.csr_matrix((values, (rows, places)), shape=(count, len(names)), dtype="float32")
    made.eliminate_zeros()
    return made


def _vocabulary(cells: Sequence[Any]) -> list[str]:
    counts = Counter(word for cell in cells for word in set(words_of(cell)))
    shared = [word for word, times in counts.items() if times > 1] or list(counts)
    return sorted(sorted(shared, key=lambda word: (-counts[word], word))[:MOST_WORDS])


def _category_names(column: str, cells: Sequence[Any]) -> list[str]:
    return [f"{column}={value}" for value in sorted({as_text(c) for c in cells}, key=natural)]


# Parts of a column: ("number", "") and the like, with the place of the feature.
Parts = dict[tuple[str, str], int]


def _by_column(columns: Columns, names: Sequence[str]) -> tuple[dict[str, Parts], list[str]]:
    wanted: dict[str, Parts] = {}
    missing = []
    longest = sorted(columns, key=len, reverse=True)
    for place, name in enumerate(names):
        vector = re.fullmatch(r"(.*)\[(\d+)\]", name, re.S)
        if name in columns:
            column, part = name, ("number", "")
        elif vector and vector[1] in columns:
            column, part = vector[1], ("entry", vector[2])
        else:
            column = next((c for c in longest if name.startswith((f"{c}=", f"{c}:"))), "")
            if not column:
                missing.append(name)
                continue
            kind = "category" if name[len(column)] == "=" else "word"
            part = (kind, name[len(column) + 1 :])
        wanted.setdefault(column, {})[part] = place
    return wanted, missing


def _values(cell: Any, parts: Parts) -> list[tuple[int, float]]:
    kinds = {kind for kind, _ in parts}
    found: dict[tuple[str, str], float] = {}
    if "number" in kinds:
        found["number", ""] = float(cell)
    if "entry" in kinds:
        found.update({("entry", str(i)): float(value) for i, value in enumerate(cell)})
    if "category" in kinds:
        found["category", as_text(cell)] = 1.0
    if "word" in kinds:
        found.update({("word", word): float(n) for word, n in Counter(words_of(cell)).items()})
    if not all(abs(value) <= LARGEST for value in found.values()):
        raise ValueError("not finite")
    return [(parts[part], value) for part, value in found.items() if part in parts]
