"""What a judge says, and how several verdicts become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from ..protocol import DATASETS
from .evidence import Evidence, NotMeasuredError, tenth

DASH = "-"
YES, PARTLY, NO, NOT_YET = "yes", "partly", "no", "not measured yet"
# Points below which two accuracies count as level.
LEVEL = 0.5
Subject = TypeVar("Subject")


class Finding(NamedTuple):
    """What was measured, in words, and the verdict."""

    measured: str
    verdict: str


class Claim(NamedTuple):
    """A claim, the rule by which it is judged, as the page prints it, and who judges."""

    words: str
    rule: str
    judge: Callable[[Evidence], Finding]


def yes_or_no(holds: bool) -> str:
    """The verdict on what either holds or not."""
    return YES if holds else NO


def together(verdicts: Iterable[str]) -> str:
    """Yes or no where all say so, partly where they differ.

    While some are missing there is no verdict, unless the others differ already.

    Examples
    --------
    >>> together(["yes", "yes"]), together(["yes", "no"]), together(["partly", "partly"])
    ('yes', 'partly', 'partly')
    >>> together(["yes", "not measured yet"]), together(["no", "not measured yet", "yes"])
    ('not measured yet', 'partly')
    """
    given = set(verdicts)
    known = given - {NOT_YET}
    if PARTLY in known or len(known) > 1:
        return PARTLY
    return NOT_YET if NOT_YET in given or not known else known.pop()


def ahead(points: float) -> str:
    """Yes from half a point on, partly where level, no otherwise.

    Examples
    --------
    >>> ahead(0.5), ahead(0.4), ahead(-0.4), ahead(-0.5)
    ('yes', 'partly', 'partly', 'no')
    """
    return YES if points >= LEVEL else PARTLY if points > -LEVEL else NO


def rising(values: Sequence[float]) -> str:
    """Yes where the last value tops the first and no step falls, partly where some step does.

    Rounded to tenths; by less than half a point nothing tops and nothing falls.

    Examples
    --------
    >>> rising([1, 2, 1.6, 3]), rising([1, 3, 2]), rising([1, 3, 1.4])
    ('yes', 'partly', 'no')
    """
    if tenth(values[-1] - values[0]) < LEVEL:
        return NO
    steps = [tenth(after - before) for before, after in pairwise(values)]
    return YES if min(steps) > -LEVEL else PARTLY


def judged(judge: Callable[[Subject], Finding], subject: Subject) -> Finding:
    """What the judge says; where runs are missing, that they are."""
    try:
        return judge(subject)
    except NotMeasuredError:
        return Finding(DASH, NOT_YET)


def on_each(datasets: Iterable[str], judge: Callable[[str], Finding]) -> Finding:
    r"""Judge each data set and all together, one line each.

    Examples
    --------
    >>> on_each(["dblp", "pubmed"], lambda dataset: Finding("+1.0", yes_or_no(dataset == "dblp")))
    Finding(measured='DBLP: +1.0\nPubmed: +1.0', verdict='partly')
    """
    findings = {dataset: judged(judge, dataset) for dataset in datasets}
    verdict = together(finding.verdict for finding in findings.values())
    if all(finding.verdict == NOT_YET for finding in findings.values()):
        return Finding(DASH, NOT_YET)
    lines = [f"{DATASETS[name]}: {finding.measured}" for name, finding in findings.items()]
    return Finding("\n".join(lines), verdict)
