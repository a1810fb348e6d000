"""Results by cell, to the tenth that the tables show: whoever reads those can judge again."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ..names import Setting, Variant, variant_name
from ..protocol import HYPERSAGE, PAPER
from ..reading import cells
from ..result import Result
from ..spread import Spread, mean

Place = tuple[str, Setting]
"""A recipe and what was scored."""


class NotMeasuredError(LookupError):
    """There are no runs for what a judge wants to see."""


class Evidence:
    """Accuracies in percent, rounded to tenths.

    ``NotMeasuredError`` is raised where there are no runs, or too few.

    Parameters
    ----------
    results
        Results of all experiments, in any order.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "hgnn", "paper", split, test_acc=acc)
    ...     for split, acc in ((1, 0.70), (2, 0.7101))
    ... ]
    >>> evidence = Evidence(runs)
    >>> evidence.spread(("hgnn", None), Setting("dblp"))
    Spread(mean=70.5, sd=0.7, runs=2)
    >>> evidence.mean(("hgnn", None), Setting("pubmed"))
    Traceback (most recent call last):
    ...
    experiments.judges.evidence.NotMeasuredError: HGNN has no run on pubmed
    """

    def __init__(self, results: Iterable[Result]) -> None:
        self._runs = cells(results, "column", "variant", "setting", "ratio")

    def spread(self, variant: Variant, setting: Setting, ratio: float | None = None) -> Spread:
        """Mean and standard deviation of a cell of recipe ``paper``."""
        exact = Spread.of(run.test_acc for run in self._cell(variant, (PAPER, setting), ratio))
        sd = None if exact.sd is None else tenth(exact.sd)
        return Spread(tenth(exact.mean), sd, exact.runs)

    def mean(self, variant: Variant, setting: Setting) -> float:
        """Mean of a cell of recipe ``paper``."""
        return self.spread(variant, setting).mean

    def deviation(self, variant: Variant, setting: Setting, ratio: float | None = None) -> float:
        """Standard deviation of a cell of recipe ``paper``."""
        sd = self.spread(variant, setting, ratio).sd
        if sd is None:
            raise NotMeasuredError(f"{variant_name(variant)} has a single run on {setting.dataset}")
        return sd

    def gain(self, variant: Variant, this: Place, that: Place) -> float:
        """Mean of this less that, over the splits and initialisations that both have."""
        ours, theirs = (
            {(run.split, run.init): run.test_acc for run in self._cell(variant, place)}
            for place in (this, that)
        )
        common = ours.keys() & theirs.keys()
        if not common:
            raise NotMeasuredError(
                f"{variant_name(variant)} has no split and init in both {this} and {that}"
            )
        return tenth(100 * mean(ours[run] - theirs[run] for run in common))

    def ratios(self, variants: Collection[Variant], dataset: str) -> list[float]:
        """Ratios of training to test nodes that any of these methods was run with, rising."""
        setting = Setting(dataset)
        return sorted(
            {
                ratio
                for column, variant, scored, ratio in self._runs
                if ratio is not None
                and (column, scored) == (PAPER, setting)
                and variant in variants
            }
        )

    def _cell(self, variant: Variant, place: Place, ratio: float | None = None) -> list[Result]:
        column, setting = place
        runs = self._runs.get((column, variant, setting, ratio))
        if runs is None:
            raise NotMeasuredError(f"{variant_name(variant)} has no run on {setting.dataset}")
        return runs


class Lead(NamedTuple):
    """Points by which a first mean is above a second, and the pooled standard deviation.

    Examples
    --------
    >>> lead = Lead.of(Spread(75.0, 3.0, 10), Spread(70.0, 4.0, 10))
    >>> print(lead)
    +5.0 (sd 3.5)
    >>> lead.is_level
    False
    """

    points: float
    sd: float

    @classmethod
    def of(cls, ours: Spread, theirs: Spread) -> Lead:
        """Compare two cells; single runs have no standard deviation and so no lead."""
        if ours.sd is None or theirs.sd is None or ours.runs is None or theirs.runs is None:
            raise NotMeasuredError("a single run has no standard deviation")
        squares = (ours.runs - 1) * ours.sd**2 + (theirs.runs - 1) * theirs.sd**2
        pooled = math.sqrt(squares / (ours.runs + theirs.runs - 2))
        return cls(tenth(ours.mean - theirs.mean), tenth(pooled))

    @property
    def is_level(self) -> bool:
        """Whether the two differ by less than the standard deviation."""
        return abs(self.points) < self.sd

    def __str__(self) -> str:
        return f"{self.points:+.1f} (sd {self.sd:.1f})"


def hypersage(p: float) -> Variant:
    """HyperSAGE with this p."""
    return (HYPERSAGE, p)


def tenth(value: float) -> float:
    """Round to what is shown, never to a negative zero.

    Examples
    --------
    >>> tenth(71.46), tenth(-0.04)
    (71.5, 0.0)
    """
    return round(value, 1) + 0.0
