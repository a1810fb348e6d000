"""Results of single runs: one JSON object a line, read whole or refused with the place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Any, NoReturn

from .._utils import PathLike, check_schema
from .names import COLUMNS, DATASETS, METHODS, PARTS, Setting, Variant, variant_name

# What does not tell one run from another; two recipes for one run are refused.
NOT_IN_KEY = ("test_acc", "connected_acc", "seconds", "command", "recipe")
# May be left out where they do not apply.
UNSET = {"p": None, "alpha": None, "ratio": None, "recipe": None}
INTEGER, NUMBER = {"type": "integer"}, {"type": "number"}
OPTIONAL_NUMBER = {"type": ["number", "null"]}
PROPERTIES = {
    "dataset": {"enum": list(DATASETS)},
    "method": {"enum": list(METHODS)},
    "p": OPTIONAL_NUMBER,
    "alpha": {"type": ["integer", "null"]},
    "column": {"enum": list(COLUMNS)},
    "split": INTEGER,
    "init": INTEGER,
    "ratio": OPTIONAL_NUMBER,
    "part": {"enum": list(PARTS)},
    "test_acc": NUMBER,
    "connected_acc": OPTIONAL_NUMBER,
    "seconds": NUMBER,
    "command": {"type": "string"},
    "recipe": {"type": ["string", "null"]},
}
# A key that we do not know may tell two runs apart, so it is refused and not dropped.
SCHEMA = {
    "type": "object",
    "required": [name for name in PROPERTIES if name not in UNSET],
    "properties": PROPERTIES,
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Result:
    """One run: what was trained, on what, and how well it did.

    Parameters
    ----------
    dataset, method
        Names as in ``names.DATASETS`` and ``names.METHODS``.
    p
        The power of HyperSAGE; None for baselines and where the recipe was searched.
    alpha
        Members drawn from a hyperedge; only for table 2.
    column
        The recipe: ``"literal"``, ``"paper"`` or ``"best"``. Recipes are never averaged together.
    split, init
        Number of the data split and of the initialisation.
    ratio
        Training nodes for each test node; only for the stability.
    part
        The nodes scored: ``"test"``, or for table 3 ``"seen"`` or ``"unseen"``.
    test_acc, connected_acc
        Accuracy from 0 to 1 on all of them and on those in a hyperedge; None if none is in one.
    seconds
        Time of the run.
    command
        What to type for the same result.
    recipe
        Checksum of the recipe that was followed; None in lines from before it was written down.
    """

    dataset: str
    method: str
    p: float | None
    alpha: int | None
    column: str
    split: int
    init: int
    ratio: float | None
    part: str
    test_acc: float
    connected_acc: float | None
    seconds: float
    command: str
    recipe: str | None = None

    def __post_init__(self) -> None:
        check_schema({f.name: getattr(self, f.name) for f in fields(self)}, SCHEMA)
        for name in ("test_acc", "connected_acc"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"{name} is {share}; an accuracy is a share from 0 to 1")
        if not 0 <= self.seconds < math.inf:
            raise ValueError(f"seconds is {self.seconds}; it must be finite and from 0 on")
        if self.ratio is not None and not 0 < self.ratio < math.inf:
            raise ValueError(f"ratio is {self.ratio}; it must be finite and above 0, or null")
        if self.p is not None and self.method != "hypersage":
            raise ValueError(f"p is {self.p} for {self.method}; only hypersage has a p, use null")

    @property
    def variant(self) -> Variant:
        """Method and p."""
        return (self.method, self.p)

    @property
    def setting(self) -> Setting:
        """What it was scored on."""
        return Setting(self.dataset, self.alpha, self.part)

    @property
    def key(self) -> tuple[Any, ...]:
        """What was run, without what came out."""
        return tuple(getattr(self, f.name) for f in fields(self) if f.name not in NOT_IN_KEY)


def read_results(path: PathLike) -> list[Result]:
    r"""Read the results in a file, in its order.

    A line counts once it has its newline: a last one without, as a killed process leaves it, is
    left out, and is the one that ``hypersage reproduce`` does anew. Of several lines for the same
    run the first counts. ``p``, ``alpha``, ``ratio`` and ``recipe`` may be missing for null.

    Raises
    ------
    ValueError
        With file and line, if any other line is not a result, and if a method, with its p, has
        results of two recipes in one data set and column.

    Examples
    --------
    >>> import tempfile
    >>> from dataclasses import asdict
    >>> run = Result("dblp", "hgnn", None, None, "paper", 1, 0, None, "test", 0.75, 0.75, 2.5, "")
    >>> line = json.dumps(asdict(run)) + "\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "table1.jsonl"
    ...     _ = path.write_text(line + line[:40])
    ...     read_results(path) == [run]
    True
    """
    *lines, _ = Path(path).read_bytes().split(b"\n")
    results = [_parse(line, f"{path}: line {number}") for number, line in enumerate(lines, 1)]
    _refuse_mixtures(results, path)
    first: dict[tuple[Any, ...], Result] = {}
    for result in results:
        first.setdefault(result.key, result)
    return list(first.values())


def _refuse_mixtures(results: Iterable[Result], path: PathLike) -> None:
    """Refuse a cell that was run by one recipe and then by another; p is part of a recipe."""
    for (dataset, variant, column), runs in cells(results, "dataset", "variant", "column").items():
        recipes = sorted({run.recipe for run in runs if run.recipe is not None})
        if len(recipes) > 1:
            name = variant_name(variant)
            raise ValueError(
                f"{path}: {name} on {dataset} in column {column} has results of the recipes "
                f"{', '.join(recipes)}, which are not averaged; remove the lines of all but one"
            )


def cells(results: Iterable[Result], *keys: str) -> dict[tuple[Any, ...], list[Result]]:
    """Group results by the values of some of their fields or properties.

    Groups and their results come in an order of their own, whatever the order of the given ones.

    Examples
    --------
    >>> a, b = (
    ...     Result("dblp", m, None, None, "paper", 1, 0, None, "test", 0.7, None, 1.0, "")
    ...     for m in ("mlp", "hgnn")
    ... )
    >>> {key: len(group) for key, group in cells([a, b, a], "dataset", "method").items()}
    {('dblp', 'hgnn'): 1, ('dblp', 'mlp'): 2}
    """
    names = [f.name for f in fields(Result)]
    groups: dict[tuple[Any, ...], list[Result]] = {}
    # Sorted, so that whoever walks over groups and runs meets them in the same order every time.
    for result in sorted(results, key=lambda r: [_sortable(getattr(r, n)) for n in names]):
        groups.setdefault(tuple(attrgetter(key)(result) for key in keys), []).append(result)
    return groups


def _parse(line: bytes, place: str) -> Result:
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse)
        check_schema(record, SCHEMA)
        return Result(**{**UNSET, **record})
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: {error}; correct or remove the line") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"there is {constant}, which JSON does not have; use null")


def _sortable(value: Any) -> tuple[bool, Any]:
    # None does not compare with numbers.
    return (value is not None, value if value is not None else 0)
