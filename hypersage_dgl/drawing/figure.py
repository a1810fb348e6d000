"""How our figures look: settings, colours, panels, and files that repeat to the byte.

matplotlib is needed only when a figure is made, and nothing here touches pyplot's state.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .._utils import PathLike, replacing
from .schemes import GRID, INK, LINE, PAPER, with_dark_scheme

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
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
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": LINE,
    "axes.axisbelow": True,
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    # Names inside an SVG are hashed from this; by default it changes with every file.
    "svg.hashsalt": "hypersage-dgl",
}
# The eight colours of Okabe and Ito, "Color Universal Design" (2008), the black as a grey.
PALETTE: Mapping[str, str] = MappingProxyType(
    {
        "blue": "#0072B2",
        "vermilion": "#D55E00",
        "green": "#009E73",
        "purple": "#CC79A7",
        "sky": "#56B4E9",
        "orange": "#E69F00",
        "grey": "#555555",
        "yellow": "#F0E442",
    }
)
CLASS_COLOURS = tuple(PALETTE.values())
CLASS_MARKERS = ("o", "s", "^", "D", "v", "P")
# The "light" scheme of Paul Tol, pale enough to lie behind the nodes.
HYPEREDGE_COLOURS = (
    *("#77AADD", "#EE8866", "#44BB99", "#EEDD88", "#FFAABB", "#99DDFF", "#BBCC33", "#AAAA00"),
)


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
    image = file.getvalue()
    return with_dark_scheme(image.decode("utf-8")).encode("utf-8") if kind == "svg" else image


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


def panels_shape(count: int) -> tuple[int, int]:
    """Rows and columns for so many panels.

    Examples
    --------
    >>> panels_shape(1), panels_shape(3), panels_shape(4), panels_shape(5)
    ((1, 1), (1, 3), (2, 2), (2, 3))
    """
    columns = 2 if count == 4 else min(count, 3)
    return math.ceil(count / columns), columns


def add_panels(figure: Figure, count: int, share_y: bool = False) -> list[Axes]:
    """Axes for the panels, row by row; with ``share_y`` only the first of a row has labels."""
    made: list[Axes] = []
    for number in range(1, count + 1):
        first = made[0] if share_y and made else None
        made.append(figure.add_subplot(*panels_shape(count), number, sharey=first))
    if share_y:
        _, columns = panels_shape(count)
        for number, axes in enumerate(made):
            axes.tick_params(labelleft=number % columns == 0)
    return made


def add_legend(figure: Figure, handles: Mapping[str, Artist]) -> None:
    """Put the legend where the last row has no panel, or else below all panels."""
    if not handles:
        return
    count = len(figure.axes)
    rows, columns = panels_shape(count)
    artists, names = list(handles.values()), list(handles)
    if count == rows * columns:
        # The longest name takes less than two inches.
        fitting = min(len(names), int(figure.get_figwidth() / 2))
        figure.legend(artists, names, loc="outside lower center", ncols=fitting)
    else:
        free = (1 - 0.5 / columns, 0.5 / rows)
        figure.legend(artists, names, loc="center", bbox_to_anchor=free, fontsize="large")


def class_colour(number: int) -> str:
    """Colour of a class where there are no markers: sixteen, the paler half last.

    Examples
    --------
    >>> class_colour(0), class_colour(8)
    ('#0072B2', '#77AADD')
    """
    colours = (*CLASS_COLOURS, *HYPEREDGE_COLOURS)
    return colours[number % len(colours)]


def class_style(number: int) -> tuple[str, str]:
    """Colour and marker of a class; after eight classes the markers change.

    Examples
    --------
    >>> class_style(0), class_style(8)
    (('#0072B2', 'o'), ('#0072B2', 's'))
    """
    colours, markers = len(CLASS_COLOURS), len(CLASS_MARKERS)
    return CLASS_COLOURS[number % colours], CLASS_MARKERS[number // colours % markers]
