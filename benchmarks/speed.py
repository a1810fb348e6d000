"""The small table of the README: what a user waits for, beside the fastest of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experiments.pages.markdown import markdown_table

from .measure import Row


class Shown(NamedTuple):
    """A line of the table: its words, and where its case stands in the rows."""

    words: str
    benchmark: str
    comparison: str
    case: str


# Epochs without dropout: with it, the mask over the wide features is most of what a peer computes.
LINES = (
    Shown("an epoch, whole hypergraph", "training", "full graph, dropout 0", "ours, p=1"),
    Shown("an epoch, eight minibatches", "training", "minibatches, dropout 0", "ours, sparse"),
    Shown("sampling one minibatch", "sampling", "a batch", "ours"),
    Shown("logits of all nodes", "inference", "all nodes", "ours, streamed, sparse"),
    Shown("a class for a new node", "inference", "one new node", "ours, predict_new"),
    Shown("a new node that stays", "arrivals", "come and go", "commit a node"),
    Shown("counting all neighbours", "neighbors", "dblp's shape", "ours, exact"),
)


def speed(rows: Sequence[Row]) -> str:
    """Table and origin; what has not been measured is left out."""
    lines, used = [], []
    for line in LINES:
        for row in rows:
            if (row["benchmark"], row.get("comparison")) == (line.benchmark, line.comparison):
                cells = beside(row, line.case)
                if cells is not None:
                    lines.append((line.words, *cells))
                    used.append(row)
    largest = max((r for r in rows if r["benchmark"] == "scaling"), key=_nodes, default=None)
    parts = [] if not lines else [markdown_table(("", "here", "the fastest other", "ratio"), lines)]
    if used:
        parts.append(_origin(used))
    if largest is not None:
        parts.append(_grown(largest))
    return "\n\n".join(parts)


def beside(row: Row, name: str) -> tuple[str, str, str] | None:
    """Our time, the fastest reference with its time, and the ratio; None without one of them."""
    cases = {case["case"]: case for case in row["cases"]}
    others = [case for case in row["cases"] if case["reference"]]
    if name not in cases or not others:
        return None
    fastest = min(others, key=lambda case: float(case["median_s"]))
    ratio = cases[name]["median_s"] / fastest["median_s"]
    other = f"{_shown(fastest['median_s'])} ({fastest['case']})"
    return (
        _shown(cases[name]["median_s"]),
        other,
        f"{ratio:.2f}" if ratio >= 0.01 else f"{ratio:.3f}",
    )


def _nodes(row: Row) -> int:
    return int(row["nodes"])


def _shown(seconds: float) -> str:
    # Here, since the module of the pages imports this one.
    from .report import shown

    return shown(seconds)


def _origin(rows: Sequence[Row]) -> str:
    """Data, machine, versions."""
    versions: Mapping[str, str] = rows[0]["versions"]
    names = ("dgl", "torch", "torch-geometric", "dhg")
    told = ", ".join(f"{name} {versions[name]}" for name in names if name in versions)
    of = {key: ", ".join(dict.fromkeys(str(r[key]) for r in rows)) for key in ("data", "threads")}
    commands = ", ".join(dict.fromkeys(f"`{row['command']}`" for row in rows))
    return (
        f"Medians on {of['data']}, threads: {of['threads']}; {rows[0]['machine']}, {told}. A ratio "
        f"below 1 is faster here. Made by {commands}; the seconds are those of this machine."
    )


def _grown(row: Row) -> str:
    """One sentence on the largest hypergraph."""
    steps = row["steps"]
    told = ", ".join(f"{step} {steps[step]['cpu_s']:.0f} s" for step in ("build", "epoch"))
    return (
        f"The largest one measured has {row['nodes']:,} nodes and {row['incidences']:,} "
        f"incidences: {told} (on 1 % of the nodes), inference of all nodes "
        f"{steps['inference']['cpu_s']:.0f} s on one thread; {row['peak_gib']:.1f} GiB beyond the "
        "features, which stay on disk."
    )
