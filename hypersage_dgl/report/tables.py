"""Tables 1 to 3 of the paper, and its stability figure as a table, in Markdown.

Each function picks its own out of the results of all experiments. Rows are what was run, columns
are the paper's and ours, and each recipe (``column`` of a result) has tables of its own. The text
depends on the results alone, not on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .grid import DASH, best, grid
from .markdown import document, markdown_table
from .names import (
    COLUMNS,
    DATASETS,
    Setting,
    ordered_datasets,
    ordered_variants,
    ratio_name,
    variant_name,
)
from .paper import paper_cells
from .records import Result, cells
from .spread import Spread, mean
from .variant_table import accuracies, caption, most_runs, source, variant_table, variants

# Ten splits with two and with eight initialisations; a searched recipe has what it was given.
EXPECTED_RUNS = {"literal": 20, "paper": 80}


def table1(results: Iterable[Result]) -> str:
    """Test accuracy of every method on every data set.

    Each recipe has two tables, for all test nodes, beside the paper's numbers, and for the test
    nodes in a hyperedge. A last table has the seconds that a run took.

    Examples
    --------
    >>> run = Result("dblp", "hgnn", None, None, "paper", 1, 0, None, "test", 0.7, 0.75, 2.5, "")
    >>> for line in table1([run]).splitlines():
    ...     if "HGNN" in line:
    ...         print(line.split(" | ")[:2])
    ['| HGNN  ', '**70.0**, 1 run<br>(paper 69.2 ± 5.1)']
    ['| HGNN  ', '**75.0**, 1 run']
    ['| HGNN  ', 'paper ']
    """
    kept = [r for r in results if r.part == "test" and r.alpha is None and r.ratio is None]
    return document(_by_recipe(kept, _methods) + _seconds(kept))


def table2(results: Iterable[Result]) -> str:
    """Test accuracy of HyperSAGE by p and alpha, the members drawn from a hyperedge.

    There is a table for each recipe and data set, in which the best cell is bold.

    Examples
    --------
    >>> run = Result("dblp", "hypersage", 1.0, 5, "paper", 1, 0, None, "test", 0.8, 0.8, 1.0, "")
    >>> for cell in table2([run]).splitlines()[-1].split("|")[1:-1]:
    ...     print(cell.strip())
    HyperSAGE (p=1)
    -<br>(paper 62.3)
    -<br>(paper 64.5)
    **80.0**<br>(paper 73.1)
    -<br>(paper 77.2)
    """
    kept = [r for r in results if r.alpha is not None]
    parts = []
    for dataset in ordered_datasets(r.dataset for r in kept):
        parts += _by_recipe([r for r in kept if r.dataset == dataset], _powers_and_alphas)
    return document(parts)


def table3(results: Iterable[Result]) -> str:
    """Accuracy on nodes that training saw, and on nodes that came later: a table a recipe.

    Examples
    --------
    >>> run = Result("dblp", "mlp+hlr", None, None, "paper", 1, 0, None, "unseen", 0.6, 0.6, 1, "")
    >>> [cell.strip() for cell in table3([run]).splitlines()[-1].split("|")[1:4]]
    ['MLP + HLR', '-<br>(paper 64.5)', '**60.0**<br>(paper 58.7)']
    """
    return document(_by_recipe([r for r in results if r.part != "test"], _seen_and_unseen))


def stability(results: Iterable[Result]) -> str:
    r"""Test accuracy by data set and ratio of training to test nodes: a table a recipe.

    The paper shows these numbers in a figure only.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", method, p, None, "paper", 1, 0, 0.25, "test", acc, None, 1.0, "")
    ...     for method, p, acc in (("hypersage", 1.0, 0.8), ("hypergcn", None, 0.7))
    ... ]
    >>> print("\n".join(stability(runs).splitlines()[-3:]))
    | data set | train:test | HyperGCN | HyperSAGE (p=1) |
    | :------- | :--------: | :------: | :-------------: |
    | DBLP     |    1:4     |   70.0   |    **80.0**     |
    """
    return document(_by_recipe([r for r in results if r.ratio is not None], _ratios))


def _by_recipe(
    results: Sequence[Result], parts: Callable[[str, Sequence[Result]], list[str]]
) -> list[str]:
    groups = cells(results, "column")
    return [part for c in COLUMNS if (c,) in groups for part in parts(c, groups[c,])]


def _methods(recipe: str, results: Sequence[Result]) -> list[str]:
    ours, connected = accuracies(results), accuracies(results, "connected_acc")
    rows, runs = variants(ours), EXPECTED_RUNS.get(recipe, most_runs(ours))
    headings = {Setting(dataset): name for dataset, name in DATASETS.items()}
    return [
        f"### Recipe `{recipe}`",
        caption("test nodes", runs, "a data set") + source(1, rows),
        variant_table(rows, ours, headings, paper_cells("table1"), expected_runs=runs),
        caption("test nodes that are in a hyperedge", runs, "a data set"),
        variant_table(rows, connected, headings, expected_runs=runs),
    ]


def _seconds(results: Sequence[Result]) -> list[str]:
    took = {
        place: mean(run.seconds for run in runs)
        for place, runs in cells(results, "column", "variant", "dataset").items()
    }
    rows = []
    for recipe in COLUMNS:
        for variant in ordered_variants(v for c, v, _ in took if c == recipe):
            times = [took.get((recipe, variant, dataset)) for dataset in DATASETS]
            shown = [DASH if t is None else f"{t:.{2 if t < 10 else 1}f}" for t in times]
            rows.append((variant_name(variant), recipe, *shown))
    if not rows:
        return []
    table = markdown_table(("method", "recipe", *DATASETS.values()), rows)
    return ["### Seconds a run", "Mean over the runs.", table]


def _powers_and_alphas(recipe: str, results: Sequence[Result]) -> list[str]:
    ours, paper, dataset = accuracies(results), paper_cells("table2"), results[0].dataset
    alphas = {setting.alpha for _, setting in (*ours, *paper) if setting.alpha is not None}
    headings = {Setting(dataset, alpha): f"alpha = {alpha:g}" for alpha in sorted(alphas)}
    rows, runs = variants(ours), most_runs(ours)
    return [
        f"### {DATASETS[dataset]}, recipe `{recipe}`",
        caption("test nodes", runs, "the table") + source(2, rows),
        variant_table(rows, ours, headings, paper, expected_runs=runs, one_best=True),
    ]


def _seen_and_unseen(recipe: str, results: Sequence[Result]) -> list[str]:
    ours, paper = accuracies(results), paper_cells("table3")
    datasets = ordered_datasets(setting.dataset for _, setting in (*ours, *paper))
    settings = [Setting(d, part=part) for d in datasets for part in ("seen", "unseen")]
    headings = {setting: f"{DATASETS[setting.dataset]} {setting.part}" for setting in settings}
    rows, runs = variants(ours), most_runs(ours)
    return [
        f"### Recipe `{recipe}`",
        caption("seen and the unseen nodes", runs, "a column") + source(3, rows),
        variant_table(rows, ours, headings, paper, expected_runs=runs),
    ]


def _ratios(recipe: str, results: Sequence[Result]) -> list[str]:
    groups = cells(results, "dataset", "ratio", "variant")
    ours = {((d, r), v): Spread.of(x.test_acc for x in runs) for (d, r, v), runs in groups.items()}
    rows = [
        (dataset, ratio)
        for dataset in ordered_datasets(d for d, _, _ in groups)
        for ratio in sorted({r for d, r, _ in groups if d == dataset})
    ]
    columns, runs = ordered_variants(v for _, _, v in groups), max(map(len, groups.values()))
    bold = [place for row in rows for place in best([(row, v) for v in columns], ours)]
    texts = grid(rows, columns, ours, expected_runs=runs, bold=bold)
    lines = [(DATASETS[d], ratio_name(r), *text) for (d, r), text in zip(rows, texts)]
    heading = ("data set", "train:test", *map(variant_name, columns))
    return [
        f"### Recipe `{recipe}`",
        caption("test nodes", runs, "a row"),
        markdown_table(heading, lines),
    ]
