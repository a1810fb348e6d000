"""One run of an experiment: what tells it from the others, and what came out of it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, fields
from typing import Any, NoReturn

from hypersage_dgl._utils import check_schema

from .ledger import OUTCOME
from .names import Setting, Variant
from .protocol import (
    COLUMNS,
    DATASETS,
    HYPERSAGE,
    METHODS,
    PARTS,
    SEARCH,
    SEEN_AND_UNSEEN,
    VALIDATION,
)

INTEGER, NUMBER, TEXT = {"type": "integer"}, {"type": "number"}, {"type": "string"}
OPTIONAL_NUMBER = {"type": ["number", "null"]}
OPTIONAL_INTEGER = {"type": ["integer", "null"]}
PROPERTIES = {
    "dataset": {"enum": list(DATASETS)},
    "method": {"enum": list(METHODS)},
    "column": {"enum": [*COLUMNS, SEARCH]},
    "split": INTEGER,
    "init": INTEGER,
    "p": OPTIONAL_NUMBER,
    "alpha": OPTIONAL_INTEGER,
    "ratio": OPTIONAL_NUMBER,
    "fold": OPTIONAL_INTEGER,
    "recipe": {"type": ["string", "null"]},
    "part": {"enum": list(PARTS)},
    "test_acc": NUMBER,
    "connected_acc": OPTIONAL_NUMBER,
    "train_acc": OPTIONAL_NUMBER,
    "seconds": NUMBER,
    "command": TEXT,
}
# May be left out where they do not apply.
OPTIONAL = ("p", "alpha", "ratio", "fold", "recipe", "train_acc")
# A key that we do not know may tell two runs apart, so it is refused and not dropped.
SCHEMA = {
    "type": "object",
    "required": [name for name in PROPERTIES if name not in OPTIONAL],
    "properties": PROPERTIES,
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Result:
    """A run, planned or done: one line of a file of results.

    Parameters
    ----------
    dataset, method
        Names as in ``protocol.DATASETS`` and ``protocol.METHODS``.
    column
        The recipe: ``"literal"``, ``"paper"`` or ``"best"``, never averaged together; ``"search"``
        for a run of the search.
    split, init
        Number of the split, counted from 1, and of the initial weights, counted from 0.
    p
        The power of HyperSAGE; None for baselines and where the recipe was searched.
    alpha
        Members drawn from a hyperedge; only for table 2.
    ratio
        Training nodes for each test node; only for the stability.
    fold
        The part of the training nodes that validates; only for the search.
    recipe
        What tells recipes of one cell apart: in the search the recipe as JSON, else its checksum;
        None in lines from before it was written down.
    part
        The nodes scored: ``"test"``, for table 3 ``"seen"`` or ``"unseen"``, which one run scores
        both, and for the search ``"validation"``.
    test_acc, connected_acc
        Accuracy from 0 to 1 on all of them, NaN before the run, and on those in a hyperedge; None
        if none is in one.
    train_acc
        Accuracy on the nodes that the run was trained on, those of a self-training aside; None in
        lines from before it was measured.
    seconds
        Time of the run.
    command
        What to type for the same result.
    """

    dataset: str
    method: str
    column: str
    split: int
    init: int = 0
    p: float | None = None
    alpha: int | None = None
    ratio: float | None = None
    fold: int | None = None
    recipe: str | None = None
    part: str = "test"
    test_acc: float = math.nan
    connected_acc: float | None = None
    train_acc: float | None = None
    seconds: float = math.nan
    command: str = ""

    @property
    def seed(self) -> int:
        """Seed of the run: other methods on the same split have the same."""
        return 100 * self.split + self.init

    @property
    def parts(self) -> tuple[str, ...]:
        """The node sets that its run is scored on, one line of the results for each."""
        return SEEN_AND_UNSEEN if self.part in SEEN_AND_UNSEEN else (self.part,)

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
        """What was run; for the tables without the recipe, of which a cell has one."""
        left_out = OUTCOME if self.column == SEARCH else (*OUTCOME, "recipe")
        return tuple(getattr(self, f.name) for f in fields(self) if f.name not in left_out)

    def to_row(self) -> dict[str, Any]:
        """The fields as a line has them: without those that do not apply.

        Examples
        --------
        >>> Result("dblp", "hgnn", "paper", 1, test_acc=0.7, seconds=2.5).to_row()
        {'dataset': 'dblp', 'method': 'hgnn', 'column': 'paper', 'split': 1, 'init': 0, 'p': None,
        'alpha': None, 'part': 'test', 'test_acc': 0.7, 'connected_acc': None, 'seconds': 2.5,
        'command': ''}
        """
        told = asdict(self)
        # JSON has no NaN, which stands where there was no node to score.
        told["test_acc"] = None if math.isnan(self.test_acc) else self.test_acc
        absent = [name for name in ("ratio", "fold", "recipe", "train_acc") if told[name] is None]
        return {name: value for name, value in told.items() if name not in absent}


def parse_result(place: str, line: str) -> Result:
    """Read a line of a file of results, or refuse it with its place."""
    try:
        row = json.loads(line, parse_constant=_refuse)
        check_schema(row, SCHEMA)
        result = Result(**row)
        _check(result)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place}: {error}; correct or remove the line") from None
    return result


def _check(result: Result) -> None:
    for name in ("test_acc", "connected_acc", "train_acc"):
        share = getattr(result, name)
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"{name} is {share}; an accuracy is a share from 0 to 1")
    if not 0 <= result.seconds < math.inf:
        raise ValueError(f"seconds is {result.seconds}; it must be finite and non-negative")
    if result.ratio is not None and not 0 < result.ratio < math.inf:
        raise ValueError(f"ratio is {result.ratio}; it must be finite and above 0, or null")
    if result.p is not None and result.method != HYPERSAGE:
        raise ValueError(f"p is {result.p} for {result.method}; only hypersage has a p, use null")
    searched = (result.column == SEARCH, result.fold is not None, result.part == VALIDATION)
    if len(set(searched)) > 1 or (result.column == SEARCH and result.recipe is None):
        raise ValueError(
            f"column is {result.column!r}, fold {result.fold} and part {result.part!r}; a run of "
            f"the search has {SEARCH!r}, a fold, {VALIDATION!r} and its recipe, and no other has"
        )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"there is {constant}, which JSON does not have; use null")
