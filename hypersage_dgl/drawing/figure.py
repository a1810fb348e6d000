"""Figures that depend on their data alone: their settings, and files that repeat to the byte.

matplotlib is needed only when a figure is made, and nothing here touches pyplot's state.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .._utils import PathLike, replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 160
# What matplotlib would write into a file of each kind, and we do not.
METADATA: Mapping[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}
STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.axisbelow": True,
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    # Names inside an SVG are hashed from this; by default it changes with every file.
    "svg.hashsalt": "hypersage-dgl",
}


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """Give an empty figure of so many inches; what is drawn on it in the block has our settings.

    Examples
    --------
    >>> with canvas(4, 3) as figure:
    ...     _ = figure.subplots().plot([0, 1], [2, 3])
    >>> figure.get_size_inches().tolist()
    [4.0, 3.0]
    """
    with _settings():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
        yield figure
        # Laid out once: the engine starts from where it ended, so another save would differ.
        with _any_letter():
            figure.draw_without_rendering()
        figure.set_layout_engine("none")


def save_figure(
    figure: Figure, folder: PathLike, stem: str, kinds: Sequence[str] = tuple(METADATA)
) -> list[Path]:
    """Write a figure as ``stem.png`` and ``stem.svg``, each whole or not at all.

    The files hold no date and no version, so the same figure gives the same bytes.

    Parameters
    ----------
    figure
        What to write.
    folder, stem
        Where, and the name without its ending.
    kinds
        ``"png"``, ``"svg"`` or both.

    Examples
    --------
    >>> import tempfile
    >>> with canvas(1, 1) as figure:
    ...     pass
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_figure(figure, folder, "empty")]
    ['empty.png', 'empty.svg']
    """
    for kind in kinds:
        if kind not in METADATA:
            raise ValueError(f"kind is {kind!r}; it must be one of {', '.join(METADATA)}")
    # All in memory first: a figure that fails to draw leaves the files of the last one.
    images = {Path(folder) / f"{stem}.{kind}": render(figure, kind) for kind in kinds}
    for path, image in images.items():
        with replacing(path) as file:
            file.write(image)
    return list(images)


def render(figure: Figure, kind: str) -> bytes:
    """The bytes of a figure as ``png`` or ``svg``, the same for the same figure."""
    file = io.BytesIO()
    with _settings():
        figure.savefig(file, format=kind, metadata=METADATA[kind])
    return file.getvalue()


def inline_svg(figure: Figure) -> str:
    """A figure as an SVG element of a page, which can style it: names are text, no paper is behind.

    A file has the outlines of the letters instead, for which it needs no fonts, and ten times the
    size. ``--w`` is the width in pixels, for the style sheet.
    """
    for axes in figure.axes:
        for text in axes.texts:
            # A rim, too, would make outlines of the letters; the page's style has one.
            text.set_path_effects([])
    file = io.BytesIO()
    with _settings({"svg.fonttype": "none"}), _any_letter():
        figure.savefig(file, format="svg", metadata=METADATA["svg"], facecolor="none")
    svg = file.getvalue().decode("utf-8")
    width = f'style="--w: {96 * figure.get_figwidth():.0f}px"'
    return re.sub(r'width="\S+pt" height="\S+pt"', width, svg[svg.index("<svg") :], count=1)


def has_matplotlib() -> bool:
    """Whether figures can be made here: matplotlib is an extra."""
    return find_spec("matplotlib") is not None


@contextmanager
def _any_letter() -> Iterator[None]:
    """Let letters pass that matplotlib's font lacks, where none is drawn: a browser has others."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield


@contextmanager
def _settings(more: Mapping[str, Any] = MappingProxyType({})) -> Iterator[None]:
    try:
        from matplotlib import style
    except ImportError:
        raise ImportError(
            'figures need matplotlib; get it with: pip install "hypersage-dgl[viz]"'
        ) from None
    # From the defaults on, so that settings of the user do not change the figures.
    with style.context(["default", {**STYLE, **more}]):
        yield
