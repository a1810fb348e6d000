"""docs/performance.md, figures, and parts of docs/scaling.md and the README, of the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from experiments.pages.markdown import markdown_table
from hypersage_dgl.drawing import save_figure

from .curves import growth
from .measure import Row
from .peers import PEERS
from .predictions import predictions
from .speed import speed

MADE = "made by python -m benchmarks report"
START = f"""<!-- {MADE} -->
# Performance

What things cost, beside others in the same run. Ratios are of medians, to the fastest of the
references, which are marked; they hold on other machines better than seconds do. A goal is the
largest ratio that the project allows itself. Every case also ran alone in a process of its own,
whose peak memory is given, data and libraries included.
"""
PEERS_HEADING = "## What the peers cannot do"


def read_rows(path: Path) -> list[Row]:
    """The JSON lines of a file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def table(row: Row) -> str:
    """A row as a table of Markdown."""
    if row["benchmark"] == "scaling":
        return growth_table([row])
    if row["benchmark"] == "distributed":
        return distributed_table(row)
    heading = ("case", "median", "minimum", "peak MiB", "ratio", "goal")
    lines = []
    for case in row["cases"]:
        goal = case.get("goal")
        kept = "" if goal is None or case["ratio"] is None else _verdict(case["ratio"], goal)
        lines.append(
            (
                f"*{case['case']}*" if case["reference"] else case["case"],
                shown(case["median_s"]),
                shown(case["minimum_s"]),
                "" if case["peak_mib"] is None else f"{case['peak_mib']:,.0f}",
                "" if case["ratio"] is None else f"{case['ratio']:.2f}",
                kept,
            )
        )
    missing = "".join(f"\nNot there: {name}: {why}." for name, why in row["missing"].items())
    busy = f", beside {row['busy']} busy processes" if row["busy"] else ""
    title = f"**{row['comparison']}**{busy}, {row['repeats']} repeats"
    return f"{title}\n\n{markdown_table(heading, lines)}\n{missing}"


def _verdict(ratio: float, goal: float) -> str:
    return f"{goal:g} {'kept' if ratio <= goal else 'missed'}"


def shown(seconds: float) -> str:
    """Seconds in the unit that reads best.

    Examples
    --------
    >>> shown(0.0314), shown(2.5), shown(0.00004)
    ('31.4 ms', '2.50 s', '0.04 ms')
    """
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def growth_table(rows: Sequence[Row]) -> str:
    """Sizes as columns."""
    heading = ("", *(f"{row['nodes']:,} nodes" for row in rows))
    steps = list(rows[0]["steps"])
    cells: dict[str, Callable[[Row], str]] = {"incidences": lambda row: f"{row['incidences']:,}"}
    for step in steps:
        cells[step] = lambda row, step=step: (  # type: ignore[misc]
            f"{shown(row['steps'][step]['cpu_s'])}, {row['steps'][step]['extra_gib']:.2f} GiB"
        )
    cells["peak beyond the features"] = lambda row: f"{row['peak_gib']:.2f} GiB"
    cells["accuracy after the epoch"] = lambda row: f"{100 * row['accuracy']:.1f} %"
    return markdown_table(heading, [(name, *map(cell, rows)) for name, cell in cells.items()])


def distributed_table(row: Row) -> str:
    """Ranks or hosts."""
    if row["comparison"] == "ranks":
        lines = [(f"{count} ranks", shown(s)) for count, s in row["epoch_s"].items()]
        title = f"**ranks**: `{row['data']}`, {row['batch_size']} nodes a batch"
        return f"{title}\n\n{markdown_table(('', 'an epoch'), lines)}\n"
    names = {"epoch_bytes": "bytes in an epoch", "epoch_packets": "packets in an epoch"}
    lines = [(name, f"{row[key]:,}") for key, name in names.items()]
    share = row["fetched"]["rows"] / row["fetched"]["all_rows"]
    lines += [("seconds of an epoch", shown(row["epoch_s"])), ("rows fetched", f"{share:.0%}")]
    title = f"**two hosts**: {row['nodes']:,} nodes, {row['seeds']:,} of them to train on"
    return f"{title}\n\n{markdown_table(('', ''), lines)}\n"


def compared(old: Iterable[Row], new: Iterable[Row], limit: float = 1.25) -> tuple[str, bool]:
    """Ratios old and new of the cases that both have, and whether one has grown beyond a limit."""
    before, after = ratios_of(old), ratios_of(new)
    lines, has_grown = [], False
    for key in sorted(before.keys() & after.keys()):
        change = after[key] / before[key]
        has_grown |= change > limit
        mark = "grown" if change > limit else ""
        lines.append((*key, f"{before[key]:.2f}", f"{after[key]:.2f}", f"{change:.2f}", mark))
    heading = ("benchmark", "comparison", "case", "old", "new", "change", "")
    return markdown_table(heading, lines, left=3), has_grown


def ratios_of(rows: Iterable[Row]) -> dict[tuple[str, str, str], float]:
    """Ratios of all cases but references, by where they stand."""
    return {
        (row["benchmark"], row["comparison"], case["case"]): case["ratio"]
        for row in rows
        for case in row.get("cases", ())
        if not case["reference"] and case["ratio"] is not None
    }


def write_report(results: Path, docs: Path) -> list[Path]:
    """Write all that is made of the results."""
    rows = [row for path in sorted(results.glob("*.jsonl")) for row in read_rows(path)]
    if not rows:
        raise FileNotFoundError(
            f"{results} has no results; make some: python -m benchmarks run all"
        )
    page, scaling, readme = docs / "performance.md", docs / "scaling.md", docs.parent / "README.md"
    page.write_text(performance_page(rows), encoding="utf-8")
    written = [page]
    sizes = sizes_of(rows)
    if sizes:
        written += save_figure(growth(sizes), docs / "figures", "growth", kinds=("svg",))
        fill(scaling, "predictions", predictions(rows))
        written.append(scaling)
    if readme.exists():
        fill(readme, "speed", speed(rows))
        written.append(readme)
    return written


def fill(page: Path, name: str, made: str) -> None:
    """Write a part of a page anew, between its two marks."""
    text = page.read_text(encoding="utf-8")
    start, end = f"<!-- {name}: {MADE} -->", f"<!-- end of {name} -->"
    if text.count(start) != 1 or text.count(end) != 1:
        raise ValueError(f"{page} must have the lines {start} and {end}, once each; put them back")
    before, after = text.split(start)[0], text.split(end)[1]
    page.write_text(f"{before}{start}\n\n{made}\n\n{end}{after}", encoding="utf-8")


def sizes_of(rows: Iterable[Row]) -> list[Row]:
    """Rows of the scaling, by size."""
    return sorted((r for r in rows if r["benchmark"] == "scaling"), key=lambda row: row["nodes"])


def performance_page(rows: Sequence[Row]) -> str:
    """The whole page."""
    parts = [START, _origin(rows)]
    for name in dict.fromkeys(row["benchmark"] for row in rows):
        title, _, text = (import_module(f".{name}", __package__).__doc__ or "").partition("\n\n")
        heading, _, what = title.partition(": ")
        parts += [f"## {heading}", f"{what[:1].upper()}{what[1:]}", text.strip()]
        own = [row for row in rows if row["benchmark"] == name]
        if name == "scaling":
            parts += [growth_table(sizes_of(own)), GROWTH]
        else:
            parts += [table(row).strip() for row in own]
    cannot = "\n".join(f"- {peer.name}: {peer.cannot}." for peer in PEERS)
    return "\n\n".join([part.strip("\n") for part in parts] + [PEERS_HEADING, cannot]) + "\n"


GROWTH = """![Seconds and memory by size](figures/growth.svg)

What follows from it for larger ones: [from a laptop to a cluster](scaling.md)."""


def _origin(rows: Sequence[Row]) -> str:
    """Commands, machine, versions."""
    found: dict[str, dict[str, None]] = {"command": {}, "machine": {}, "date": {}, "versions": {}}
    for row in rows:
        versions: Mapping[str, str] = row["versions"]
        said = {**row, "versions": ", ".join(f"{k} {v}" for k, v in versions.items())}
        for key in found:
            found[key].setdefault(str(said[key]))
    threads = sorted({row["threads"] for row in rows})
    commands = "\n".join(f"    {command}" for command in found["command"])
    return (
        f"{commands}\n\n{'; '.join(found['machine'])}; {' or '.join(map(str, threads))} threads "
        f"(scaling and ranks: one); load of the machine up to {max(r['load'] for r in rows):g}; "
        f"{', '.join(found['date'])}; {'; '.join(found['versions'])}."
    )
