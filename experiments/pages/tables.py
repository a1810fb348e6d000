"""Tables 1 to 3 of the paper in Markdown.

Each function picks its own out of the results of all experiments. Rows are what was run, columns
are the paper's and ours, and each recipe (``column`` of a result) has tables of its own. The text
depends on the results alone, not on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from ..judges import DASH
from ..names import Setting, ordered_datasets, ordered_variants, variant_name
from ..paper import paper_cells
from ..protocol import BEST, COLUMNS, DATASETS, INITS, SEEN_AND_UNSEEN, SPLITS
from ..reading import by_recipe, cells
from ..result import Result
from .accuracy_table import (
    CONNECTED,
    accuracies,
    caption,
    most_runs,
    source,
    variant_table,
    variants,
)
from .markdown import document, markdown_table

SECONDS_CAPTION = """Median over the runs. Other runs shared the machine meanwhile, so these are no
benchmark, only an order of magnitude; [performance.md](performance.md) has measured times."""


def table1(results: Iterable[Result]) -> str:
    """Test accuracy of every method on every data set.

    Each recipe has two tables, for all test nodes, beside the paper's numbers, and for the test
    nodes in a hyperedge. A last table has the seconds that a run took.

    Examples
    --------
    >>> run = Result("dblp", "hgnn", "paper", 1, test_acc=0.7, connected_acc=0.75, seconds=2.5)
    >>> for line in table1([run]).splitlines():
    ...     if "HGNN" in line:
    ...         print(line.split(" | ")[:2])
    ['| HGNN  ', '**70.0**, 1 run<br>(paper 69.2 ± 5.1)']
    ['| HGNN  ', '**75.0**, 1 run']
    ['| HGNN  ', 'paper ']
    """
    kept = [r for r in results if r.part == "test" and r.alpha is None and r.ratio is None]
    return document(by_recipe(kept, _methods) + _seconds(kept))


def table2(results: Iterable[Result]) -> str:
    """Test accuracy of HyperSAGE by p and alpha, the members drawn from a hyperedge.

    Each recipe and data set has two tables, for all test nodes, beside the paper's numbers, and for
    the test nodes in a hyperedge. The best cell of a table is bold.

    Examples
    --------
    >>> scores = {"test_acc": 0.8, "connected_acc": 0.8}
    >>> run = Result("dblp", "hypersage", "paper", 1, p=1.0, alpha=5, **scores)
    >>> for line in table2([run]).splitlines():
    ...     if "HyperSAGE" in line:
    ...         print([cell.strip() for cell in line.split("|")[3:-1]])
    ['-<br>(paper 64.5)', '**80.0**<br>(paper 73.1)', '-<br>(paper 77.2)']
    ['-', '**80.0**', '-']
    """
    kept = [r for r in results if r.alpha is not None]
    parts = []
    for dataset in ordered_datasets(r.dataset for r in kept):
        parts += by_recipe([r for r in kept if r.dataset == dataset], _powers_and_alphas)
    return document(parts)


def table3(results: Iterable[Result]) -> str:
    """Accuracy on nodes that training saw, and on nodes that came later.

    Each recipe has two tables, for all of them, beside the paper's numbers, and for those in a
    hyperedge.

    Examples
    --------
    >>> scores = {"test_acc": 0.6, "connected_acc": 0.7}
    >>> run = Result("dblp", "mlp+hlr", "paper", 1, part="unseen", **scores)
    >>> for line in table3([run]).splitlines():
    ...     if "HLR" in line:
    ...         print([cell.strip() for cell in line.split("|")[1:4]])
    ['MLP + HLR', '-<br>(paper 64.5)', '**60.0**<br>(paper 58.7)']
    ['MLP + HLR', '-', '**70.0**']
    """
    return document(by_recipe([r for r in results if r.part in SEEN_AND_UNSEEN], _seen_and_unseen))


def _methods(recipe: str, results: Sequence[Result]) -> list[str]:
    headings = {Setting(dataset): name for dataset, name in DATASETS.items()}
    # A searched recipe has what it was given.
    runs = None if recipe == BEST else len(SPLITS) * INITS[recipe]
    tables = _all_and_connected(1, "test nodes", results, headings, runs, best_of="a data set")
    return [f"### Recipe `{recipe}`", *tables]


def _seconds(results: Sequence[Result]) -> list[str]:
    took = {
        # Now and then a run had to wait for the machine.
        place: median(run.seconds for run in runs)
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
    return ["### Seconds a run", SECONDS_CAPTION, table]


def _powers_and_alphas(recipe: str, results: Sequence[Result]) -> list[str]:
    dataset, settings = results[0].dataset, [s for _, s in paper_cells("table2")]
    alphas = {s.alpha for s in (*settings, *(r.setting for r in results)) if s.alpha is not None}
    headings = {Setting(dataset, alpha): f"alpha = {alpha:g}" for alpha in sorted(alphas)}
    tables = _all_and_connected(
        2, "test nodes", results, headings, best_of="the table", one_best=True
    )
    return [f"### {DATASETS[dataset]}, recipe `{recipe}`", *tables]


def _seen_and_unseen(recipe: str, results: Sequence[Result]) -> list[str]:
    printed = [setting.dataset for _, setting in paper_cells("table3")]
    datasets = ordered_datasets([*printed, *(r.dataset for r in results)])
    settings = [Setting(d, part=part) for d in datasets for part in SEEN_AND_UNSEEN]
    headings = {setting: f"{DATASETS[setting.dataset]} {setting.part}" for setting in settings}
    nodes = "seen and the unseen nodes"
    tables = _all_and_connected(3, nodes, results, headings, best_of="a column")
    return [f"### Recipe `{recipe}`", *tables]


def _all_and_connected(
    number: int,
    nodes: str,
    results: Sequence[Result],
    headings: Mapping[Setting, str],
    runs: int | None = None,
    *,
    best_of: str,
    one_best: bool = False,
) -> list[str]:
    """A table for all nodes, beside that of the paper, and one for the nodes in a hyperedge."""
    ours, connected = accuracies(results), accuracies(results, "connected_acc")
    rows, paper = variants(ours), paper_cells(f"table{number}")
    expected = most_runs(ours) if runs is None else runs
    return [
        caption(nodes, expected, best_of) + source(number, rows),
        variant_table(rows, ours, headings, paper, expected_runs=expected, one_best=one_best),
        caption(f"{nodes} {CONNECTED}", expected, best_of),
        variant_table(rows, connected, headings, expected_runs=expected, one_best=one_best),
    ]
