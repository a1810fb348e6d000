"""What the column ``best`` was to reach, beside what it does reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from ..judges import NOT_YET, tenth, yes_or_no
from ..names import Setting, Variant, variant_name
from ..protocol import BASELINES as NAMES
from ..protocol import BEST, DATASETS
from ..protocol import HYPERSAGE as NAME
from ..result import Result
from ..spread import Difference, Spread
from .accuracy_table import accuracies
from .markdown import document, markdown_table

# Percent of the test nodes.
GOALS: Mapping[str, float] = MappingProxyType(
    {
        "dblp": 90.0,
        "cora-coauthorship": 76.0,
        "pubmed": 76.0,
        "citeseer": 65.0,
        "cora-cocitation": 71.0,
    }
)
HYPERSAGE: Variant = (NAME, None)
BASELINES: tuple[Variant, ...] = tuple((name, None) for name in NAMES)
HEADING = ("data set", "goal", "HyperSAGE", "reached?", "best baseline", "ahead?")
CAPTION = """Accuracy on the test nodes in percent, of recipe `best`: mean ± sample standard
deviation over the runs there are. A baseline has as many runs as HyperSAGE where it says no other
number. In brackets: points above or below, rounded to tenths and judged as rounded; beside a lead,
its standard error over the splits and initialisations that both have. Ahead or behind is what
differs by two standard errors or more, else the two are level. While a baseline has no runs,
HyperSAGE may be said to be behind but not ahead."""


def goals(results: Iterable[Result]) -> str:
    """Hold the recipes of column ``best`` against the goals: a table in Markdown.

    Parameters
    ----------
    results
        Results of all experiments, in any order. What they lack is "not measured yet".

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", method, "best", split, test_acc=acc)
    ...     for method, split, acc in (
    ...         ("hypersage", 1, 0.90), ("hypersage", 2, 0.91), ("hgnn", 1, 0.912),
    ...     )
    ... ]
    >>> for cell in goals(runs).splitlines()[2].split("|")[1:-1]:
    ...     print(cell.strip())
    DBLP
    90.0
    90.5 ± 0.7, 2 runs
    yes (+0.5)
    HGNN 91.2, 1 run (1 of 7 baselines has runs)
    no (-1.2)
    """
    kept = [r for r in results if r.column == BEST and r.alpha is None and r.ratio is None]
    runs = [r for r in kept if r.part == "test"]
    rows = [(name, *_row(dataset, runs)) for dataset, name in DATASETS.items()]
    return document([markdown_table(HEADING, rows), CAPTION])


def _row(dataset: str, results: Sequence[Result]) -> tuple[str, ...]:
    """Cells after the name of the data set."""
    setting, goal, ours = Setting(dataset), GOALS[dataset], accuracies(results)
    reached = ours.get((HYPERSAGE, setting))
    baselines = {v: ours[v, setting] for v in BASELINES if (v, setting) in ours}
    # Of equals the first in the order of the tables.
    best = max(baselines, key=lambda v: tenth(baselines[v].mean), default=None)
    runs = None if reached is None else reached.runs
    return (
        f"{goal:.1f}",
        NOT_YET if reached is None else _counted(reached),
        NOT_YET if reached is None else _reached(reached, goal),
        NOT_YET if best is None else _rival(best, baselines, runs),
        NOT_YET if reached is None or best is None else _ahead(results, setting, baselines, best),
    )


def _reached(reached: Spread, goal: float) -> str:
    points = tenth(tenth(reached.mean) - goal)
    return f"{yes_or_no(points >= 0)} ({points:+.1f})"


def _rival(best: Variant, baselines: Mapping[Variant, Spread], expected_runs: int | None) -> str:
    """Name and accuracy of the best baseline, and how many there were to choose from."""
    spread, there = baselines[best], len(baselines)
    text = str(spread) if spread.runs == expected_runs else _counted(spread)
    verb = "has" if there == 1 else "have"
    missing = f" ({there} of {len(BASELINES)} baselines {verb} runs)"
    return f"{variant_name(best)} {text}{'' if there == len(BASELINES) else missing}"


def _ahead(
    results: Sequence[Result], setting: Setting, baselines: Collection[Variant], best: Variant
) -> str:
    """Whether HyperSAGE is above all baselines; a missing one may be above it."""
    ours, theirs = (
        {(r.split, r.init): r.test_acc for r in results if (r.variant, r.setting) == cell}
        for cell in ((HYPERSAGE, setting), (best, setting))
    )
    common = sorted(ours.keys() & theirs.keys())
    if not common:
        return NOT_YET
    lead = Difference.of(*([side[run] for run in common] for side in (ours, theirs)))
    points = tenth(lead.points)
    if points > 0 and len(baselines) < len(BASELINES):
        return NOT_YET
    error = "" if lead.error is None else f" ± {lead.error:.1f}"
    verdict = "level" if lead.is_level else yes_or_no(points > 0)
    return f"{verdict} ({points:+.1f}{error})"


def _counted(spread: Spread) -> str:
    return f"{spread}, {spread.runs} run{'' if spread.runs == 1 else 's'}"
