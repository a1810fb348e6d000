"""Charts as SVG text for a page: they take the page's colours, light or dark, and need no library.

Text that comes from outside is escaped here, so that the result can be put into a page as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from .figure import class_colour

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 520, 240, 52, 34, 12
Series = Mapping[str, Sequence[float | None]]


def line_chart(series: Series, colours: Sequence[str], mark: int | None = None) -> str:
    """Curves over epochs 1, 2, ..., each scaled to one axis; gaps where a value is None.

    Parameters
    ----------
    series
        The values of each curve, by its name.
    colours
        One for each curve.
    mark
        An epoch to draw a line at, such as the one whose weights were kept.

    Examples
    --------
    >>> text = line_chart({"loss": [2.0, 1.0, 0.5]}, ["#0072B2"])
    >>> text.startswith("<svg"), text.count("<polyline")
    (True, 1)
    """
    values = [v for curve in series.values() for v in curve if v is not None and math.isfinite(v)]
    count = max((len(curve) for curve in series.values()), default=0)
    if not values or count == 0:
        return _svg([], "no values")
    ticks = _ticks(min(values), max(values))
    low, high = min(ticks[0], min(values)), max(ticks[-1], max(values))

    def place(position: float, value: float) -> tuple[float, float]:
        right = LEFT + (WIDTH - LEFT - 12) * (position - 1) / max(count - 1, 1)
        return right, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - low) / (high - low)

    parts = [_axis_tick(place(1, tick)[1], tick) for tick in ticks]
    for epoch in sorted({1, (count + 1) // 2, count}):
        x, _ = place(epoch, low)
        anchor = "end" if epoch == count else "start" if epoch == 1 else "middle"
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" '
            f'text-anchor="{anchor}">{epoch}</text>'
        )
    parts.append(
        f'<text class="tick" x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 3}" '
        'text-anchor="middle">epoch</text>'
    )
    if mark is not None and 1 <= mark <= count:
        x, _ = place(mark, low)
        bounds = f'y1="{TOP}" y2="{HEIGHT - BOTTOM}"'
        parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" {bounds}/>')
    for (name, curve), colour in zip(series.items(), colours):
        points = [
            place(i, v) for i, v in enumerate(curve, start=1) if v is not None and math.isfinite(v)
        ]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        title = f"<title>{escape(name)}</title>"
        parts.append(
            f'<polyline points="{joined}" stroke="{colour}" fill="none">{title}</polyline>'
        )
        if len(points) == 1:
            parts.append(f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="3"/>')
    return _svg(parts, ", ".join(series))


def scatter_chart(
    points: Sequence[tuple[float, float]],
    classes: Sequence[int],
    names: Sequence[str],
    wrong: Sequence[bool],
) -> str:
    """Points coloured by class, a ring around those that are wrong; the name shows on hovering.

    Examples
    --------
    >>> text = scatter_chart([(0, 0), (1, 1)], [0, 1], ["<a>", "b"], [False, True])
    >>> text.count("<circle"), "&lt;a&gt;" in text, 'class="wrong"' in text
    (2, True, True)
    """
    if not points:
        return _svg([], "no points")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    width, height = (max(xs) - min(xs)) or 1.0, (max(ys) - min(ys)) or 1.0
    parts = []
    for (x, y), label, name, is_wrong in zip(points, classes, names, wrong):
        colour = "#999999" if label < 0 else class_colour(label)
        place = (
            f'cx="{14 + (WIDTH - 28) * (x - min(xs)) / width:.1f}" '
            f'cy="{HEIGHT + 46 - (HEIGHT + 32) * (y - min(ys)) / height:.1f}"'
        )
        ring = ' class="wrong"' if is_wrong else ""
        title = f"<title>{escape(name)}</title>"
        parts.append(f'<circle {place} r="3.2" fill="{colour}"{ring}>{title}</circle>')
    return _svg(parts, "map of the embeddings", HEIGHT + 60)


def parity_chart(points: Sequence[tuple[float, float]], names: Sequence[str]) -> str:
    """Points of a true and a predicted number, on axes of one range; on the line they are equal.

    Examples
    --------
    >>> text = parity_chart([(1, 1.5), (3, 2.5)], ["<a>", "b"])
    >>> text.count("<circle"), "&lt;a&gt;" in text, "predicted" in text
    (2, True, True)
    """
    values = [value for point in points for value in point]
    ticks = _ticks(min(values), max(values))
    low, high, bottom = ticks[0], ticks[-1], HEIGHT + 60 - BOTTOM

    def place(x: float, y: float) -> tuple[float, float]:
        right = LEFT + (WIDTH - LEFT - 24) * (x - low) / (high - low)
        return right, bottom - (bottom - TOP) * (y - low) / (high - low)

    parts = [_axis_tick(place(low, tick)[1], tick) for tick in ticks]
    label = '<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>'
    parts += [label.format(place(tick, low)[0], bottom + 16, f"{tick:g}") for tick in ticks]
    parts.append(label.format((LEFT + WIDTH) / 2, HEIGHT + 57, "true"))
    parts.append(f'<text class="tick" x="{LEFT + 6}" y="{TOP + 14}">predicted</text>')
    (x1, y1), (x2, y2) = place(low, low), place(high, high)
    parts.append(f'<line class="mark" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"/>')
    for point, name in zip(points, names):
        x, y = place(*point)
        title = f"<title>{escape(name)}</title>"
        colour = f'fill="{class_colour(0)}" fill-opacity="0.6"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" {colour}>{title}</circle>')
    return _svg(parts, "predicted against true numbers", HEIGHT + 60)


def _axis_tick(y: float, tick: float) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Four to seven round numbers around a range.

    >>> _ticks(0.13, 0.92)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if s * power >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(n * step, 12) for n in range(first, last + 1)]


def _svg(parts: Sequence[str], label: str, height: int = HEIGHT) -> str:
    inner = "\n".join(parts)
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img"'
    return f'{head} aria-label="{escape(label)}">\n{inner}\n</svg>'
