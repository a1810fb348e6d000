"""The model of cost beside what was measured, and what it says of a billion incidences."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.pages.markdown import markdown_table

from .cost import BILLION, STEPS, Model, Size, expected_batch, factor, sent
from .measure import Row

LIMIT = 1.5


def predictions(rows: Sequence[Row]) -> str:
    """Tables and sentences of the measured part of docs/scaling.md."""
    sizes = sorted((r for r in rows if r["benchmark"] == "scaling"), key=lambda row: row["nodes"])
    parts = [fitted(sizes)]
    if len(sizes) > 2:
        parts.append(ahead(sizes))
    parts += [over_the_cable(row) for row in rows if row.get("comparison") == "hosts"]
    return "\n\n".join([*parts, billion(sizes)])


def fitted(rows: Sequence[Row]) -> str:
    """Measured and predicted, for each size and step."""
    model, lines, worst = Model.fit(rows), [], 1.0
    for row in rows:
        cells = []
        for step in STEPS:
            taken, said = row["steps"][step]["cpu_s"], model.seconds(step, Size.of(row))
            worst = max(worst, factor(said, taken))
            cells.append(f"{taken:.3g} / {said:.3g}")
        batch = expected_batch(Size.of(row))
        off = [factor(batch[key], row["batch"][key]) for key in batch]
        worst = max(worst, *off)
        lines.append((f"{row['incidences']:,}", *cells, f"{max(off):.2f}"))
    heading = ("incidences", *STEPS, "batch, off by")
    text = f"CPU seconds measured / predicted, one thread; the worst is off by {worst:.2f}"
    return f"{text} ({_kept(worst)}).\n\n{markdown_table(heading, lines)}"


def ahead(rows: Sequence[Row]) -> str:
    """The largest size by a model that has not seen it."""
    *smaller, largest = rows
    model, size = Model.fit(smaller), Size.of(largest)
    off = {
        step: factor(model.seconds(step, size), largest["steps"][step]["cpu_s"]) for step in STEPS
    }
    words = ", ".join(f"{step} {value:.2f}" for step, value in off.items())
    times = largest["incidences"] / smaller[-1]["incidences"]
    return (
        f"Fitted without the largest, {times:.0f} times as large as the next, the model is off "
        f"there by: {words}."
    )


def over_the_cable(row: Row) -> str:
    """Bytes between two hosts."""
    off, fetched = factor(sent(row), row["epoch_bytes"]), row["fetched"]
    share = fetched["rows"] / fetched["all_rows"]
    return (
        f"Between two hosts an epoch over {row['seeds']:,} nodes moves {row['epoch_bytes']:,} "
        f"bytes; from the {share:.0%} of the rows that lie on the other one, and its edges, follow "
        f"{sent(row):,.0f}, off by {off:.2f} ({_kept(off)})."
    )


def billion(rows: Sequence[Row]) -> str:
    """What the model says of a hundred times more."""
    model = Model.fit(rows)
    hours = {step: model.seconds(step, BILLION) / 60 for step in STEPS}
    words = ", ".join(f"{step} {minutes:.0f} min" for step, minutes in hours.items())
    file = BILLION.nodes * BILLION.widths[0] * 2 / 2**30
    return (
        f"For {BILLION.incidences:,.0f} incidences, {BILLION.nodes:,.0f} nodes of which "
        f"{BILLION.trained_on:,.0f} are trained on, it says, on one thread: {words}; "
        f"{model.gib(BILLION):,.0f} GiB beyond {file:,.0f} GiB of features in a file of float16."
    )


def _kept(off: float) -> str:
    return f"within {LIMIT:g}" if off <= LIMIT else f"beyond {LIMIT:g}"
