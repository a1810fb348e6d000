"""The grid of weight decay by epochs on HyperGCN's splits: accuracies, and differences by pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from ..grid import GRIDS, INITS, WITH_KNN
from ..protocol import BEST, DATASETS, GROUPS, HYPERSAGE, METHODS, SPLITS
from ..result import Result
from ..spread import Difference, Spread, mean
from .markdown import document, markdown_table

HEADING = ("data set", "method", "test", "training", "HyperSAGE less it")
# A recipe that does not learn its own training nodes says more of itself than of its method.
UNDERFIT = 0.9
CAPTION = f"""Mean and standard deviation in percent over {len(SPLITS)} splits with {len(INITS)}
initial weights each; the training nodes' accuracy beside it, marked where it is below
{100 * UNDERFIT:.0f}. The last column has the mean difference over the runs that both have, and its
standard error."""
RUNS = tuple(product(SPLITS, INITS))
Cells = Mapping[tuple[str, str, str], Mapping[tuple[int, int], Result]]


def grid_table(results: Mapping[str, Iterable[Result]]) -> str:
    """The block of ``reproduction.md``: a row for each method of a set that has all its runs.

    A row with hyperedges of similar nodes is compared with HyperSAGE's, which has them too.

    Parameters
    ----------
    results
        Those of each grid, by its name.
    """
    found = _cells(results)
    rows = [
        _row(found, grid, dataset, method)
        for dataset in (name for group in GROUPS.values() for name in group)
        for grid, methods in _methods().items()
        if _is_whole(found, grid, dataset, methods)
        for method in methods
    ]
    parts = [markdown_table(HEADING, rows, left=2), CAPTION] if rows else []
    missing = [
        f"`{grid}` on {dataset} ({_left(found, grid, dataset, methods)} of {len(methods)} methods)"
        for grid, methods in _methods().items()
        for dataset in DATASETS
        if not _is_whole(found, grid, dataset, methods)
    ]
    if missing:
        parts.append(f"Not run yet: {'; '.join(missing)}. The commands go on where they stopped.")
    return document(parts)


def _methods() -> dict[str, Sequence[str]]:
    return {grid: WITH_KNN if knn else tuple(METHODS) for grid, knn in GRIDS.items()}


def _cells(results: Mapping[str, Iterable[Result]]) -> Cells:
    """The final runs by grid, data set and method, then by split and initial weights."""
    found: dict[tuple[str, str, str], dict[tuple[int, int], Result]] = {}
    for grid, runs in results.items():
        for run in runs:
            if run.column == BEST:
                cell = found.setdefault((grid, run.dataset, run.method), {})
                cell[run.split, run.init] = run
    return found


def _is_there(found: Cells, grid: str, dataset: str, method: str) -> bool:
    return set(RUNS) <= found.get((grid, dataset, method), {}).keys()


def _is_whole(found: Cells, grid: str, dataset: str, methods: Sequence[str]) -> bool:
    return all(_is_there(found, grid, dataset, method) for method in methods)


def _left(found: Cells, grid: str, dataset: str, methods: Sequence[str]) -> int:
    return sum(not _is_there(found, grid, dataset, method) for method in methods)


def _row(found: Cells, grid: str, dataset: str, method: str) -> tuple[str, ...]:
    theirs = [found[grid, dataset, method][run] for run in RUNS]
    ours = [found[grid, dataset, HYPERSAGE][run] for run in RUNS]
    lead = Difference.of(*([run.test_acc for run in runs] for runs in (ours, theirs)))
    learned = [run.train_acc for run in theirs if run.train_acc is not None]
    return (
        DATASETS[dataset],
        METHODS[method].title + (", similar nodes" if GRIDS[grid] else ""),
        str(Spread.of(run.test_acc for run in theirs)),
        _training(learned),
        "" if method == HYPERSAGE else f"{lead.points:+.1f} ± {lead.error:.1f}",
    )


def _training(learned: Sequence[float]) -> str:
    if not learned:
        return "not measured"
    center = mean(learned)
    return f"{100 * center:.1f}{' (underfit)' if center < UNDERFIT else ''}"
