"""The stability figure of the paper as a table in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..names import Variant, ordered_datasets, ordered_variants, ratio_name, variant_name
from ..protocol import DATASETS
from ..reading import by_recipe, cells
from ..result import Result
from ..spread import Spread
from .accuracy_table import CONNECTED, best, caption, grid
from .markdown import document, markdown_table

Row = tuple[str, float]
"""A data set and a ratio."""


def stability(results: Iterable[Result]) -> str:
    r"""Test accuracy by data set and ratio of training to test nodes.

    Each recipe has two tables, for all test nodes and for those in a hyperedge. The paper shows
    these numbers in a figure only.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", method, "paper", 1, 0, p, ratio=0.25, test_acc=acc, connected_acc=0.9)
    ...     for method, p, acc in (("hypersage", 1.0, 0.8), ("hypergcn", None, 0.7))
    ... ]
    >>> print("\n".join(stability(runs).splitlines()[-3:]))
    | data set | train:test | HyperGCN | HyperSAGE (p=1) |
    | :------- | :--------: | :------: | :-------------: |
    | DBLP     |    1:4     | **90.0** |    **90.0**     |
    """
    return document(by_recipe([r for r in results if r.ratio is not None], _ratios))


def _ratios(recipe: str, results: Sequence[Result]) -> list[str]:
    groups = cells(results, "dataset", "ratio", "variant")
    rows = [
        (dataset, ratio)
        for dataset in ordered_datasets(d for d, _, _ in groups)
        for ratio in sorted({r for d, r, _ in groups if d == dataset})
    ]
    columns, runs = ordered_variants(v for _, _, v in groups), max(map(len, groups.values()))
    return [
        f"### Recipe `{recipe}`",
        caption("test nodes", runs, "a row"),
        _table(rows, columns, _spreads(results, "test_acc"), runs),
        caption(f"test nodes {CONNECTED}", runs, "a row"),
        _table(rows, columns, _spreads(results, "connected_acc"), runs),
    ]


def _spreads(results: Sequence[Result], measure: str) -> dict[tuple[Row, Variant], Spread]:
    """Mean and spread of each cell, without the runs that had nothing to score."""
    scored = [run for run in results if getattr(run, measure) is not None]
    return {
        ((dataset, ratio), variant): Spread.of(getattr(run, measure) for run in runs)
        for (dataset, ratio, variant), runs in cells(scored, "dataset", "ratio", "variant").items()
    }


def _table(
    rows: Sequence[Row],
    columns: Sequence[Variant],
    ours: dict[tuple[Row, Variant], Spread],
    runs: int,
) -> str:
    bold = [place for row in rows for place in best([(row, v) for v in columns], ours)]
    texts = grid(rows, columns, ours, expected_runs=runs, bold=bold)
    lines = [(DATASETS[d], ratio_name(r), *text) for (d, r), text in zip(rows, texts)]
    return markdown_table(("data set", "train:test", *map(variant_name, columns)), lines)
