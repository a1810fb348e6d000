"""A picture of a small hypergraph: nodes as dots, hyperedges as coloured hulls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from ..convert import Named
from ..hypergraphs import HYPEREDGE, NODE, incidences
from .figure import HYPEREDGE_COLOURS, canvas, class_style
from .layout import Points, hull, layout, levels
from .schemes import INK, PAPER

if TYPE_CHECKING:
    import dgl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST, MOST_NAMED = 200, 60
# In units of the usual distance between neighbours.
DOT, RADIUS, RADIUS_STEP, RADII, MARGIN = 0.17, 0.27, 0.055, 6, 0.75
INCHES, WIDEST, HIGHEST = 0.65, 10.0, 8.0
PALE = 0.2


def draw_hypergraph(
    graph: dgl.DGLGraph | Named,
    labels: Any = None,
    *,
    title: str = "",
    show_names: bool | None = None,
    pale: Sequence[int] = (),
    seed: int = 0,
) -> Figure:
    """Draw a hypergraph of at most 200 nodes and 200 hyperedges.

    A hyperedge is a translucent hull around its members, a thick line for two and a circle for
    one; nodes in no hyperedge stand on the right. Other nodes may lie on a hull by chance: where
    that misleads, try another seed.

    Parameters
    ----------
    graph
        A hypergraph, or a ``Named`` one, whose names of nodes and classes are written.
    labels
        Class of each node, which decides its colour; -1 for none. By default the node data
        ``label``, and one colour for all where there is none.
    title
        What stands above the picture.
    show_names
        Whether names, or ids, are written on the nodes; by default up to 60 nodes.
    pale
        Nodes to draw pale, such as those that a sample leaves out.
    seed
        Decides the layout.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> figure = draw_hypergraph(hypergraph([[0, 1, 2], [2, 3], [3]], num_nodes=5))
    >>> len(figure.axes[0].patches), [text.get_text() for text in figure.axes[0].texts]
    (3, ['0', '1', '2', '3', '4'])
    """
    named = graph if isinstance(graph, Named) else Named(graph)
    _check_size(named.graph)
    hyperedges = _members(named.graph)
    names = [str(name) for name in named.node_names]
    classes = _classes(named.graph, labels)
    points = layout(hyperedges, len(names), seed)
    low, high = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
    width, height = high - low
    inches = min(INCHES, WIDEST / width, HIGHEST / height)
    wide = max(3, inches * width)
    kinds = 0 if classes is None else len(set(classes))
    legend_columns = max(1, min(kinds, int(wide / 1.5)))
    extra = 0.35 * bool(title) + 0.25 * math.ceil(kinds / legend_columns)
    with canvas(wide, max(1, inches * height) + extra) as figure:
        axes = figure.subplots()
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", title=title)
        axes.set_axis_off()
        _draw_hyperedges(axes, hyperedges, points)
        _draw_nodes(axes, points, classes, named.class_names, 72 * inches, set(pale))
        if show_names if show_names is not None else len(names) <= MOST_NAMED:
            _write_names(axes, points, names, 72 * inches)
        if kinds:
            # Eight points in the legend, however large the nodes are.
            scale = 8 / (2 * DOT * 72 * inches)
            figure.legend(loc="outside lower center", ncols=legend_columns, markerscale=scale)
    return figure


def _check_size(graph: dgl.DGLGraph) -> None:
    for what, cure in (
        (NODE, "cut it to some nodes with hypersage_dgl.induced(graph, nodes, drop_empty=True)"),
        (HYPEREDGE, "leave some out with hypersage_dgl.remove_hyperedges"),
    ):
        count = graph.num_nodes(what)
        if count > MOST:
            raise ValueError(f"{count} {what}s are too many for a picture (at most {MOST}); {cure}")
    if graph.num_nodes(NODE) == 0:
        raise ValueError("the hypergraph has no node, so there is nothing to draw; add nodes")


def _members(graph: dgl.DGLGraph) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(graph.num_nodes(HYPEREDGE))]
    for node, edge in zip(*(ids.tolist() for ids in incidences(graph))):
        members[edge].append(node)
    return members


def _classes(graph: dgl.DGLGraph, labels: Any) -> list[int] | None:
    given = graph.nodes[NODE].data.get("label") if labels is None else torch.as_tensor(labels)
    if given is None:
        return None
    if tuple(given.shape) != (graph.num_nodes(NODE),) or given.is_floating_point():
        raise ValueError(
            f"labels are of type {given.dtype} and shape {tuple(given.shape)}; give an integer "
            f"for each of the {graph.num_nodes(NODE)} nodes"
        )
    classes: list[int] = given.long().tolist()
    return classes


def _draw_hyperedges(axes: Axes, hyperedges: Sequence[Sequence[int]], points: Points) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Polygon

    level = levels(hyperedges)
    # Large ones first: they would hide the small ones.
    for number in sorted(range(len(hyperedges)), key=lambda n: (-len(hyperedges[n]), n)):
        members = list(hyperedges[number])
        if members:
            colour = HYPEREDGE_COLOURS[number % len(HYPEREDGE_COLOURS)]
            radius = RADIUS + RADIUS_STEP * (level[number] % RADII)
            outline = Polygon(hull(points[members], radius), closed=True, linewidth=1.3)
            outline.set(facecolor=to_rgba(colour, 0.3), edgecolor=to_rgba(colour, 0.95))
            outline.set_gid(f"hyperedge-{number}")
            axes.add_patch(outline)


def _draw_nodes(
    axes: Axes,
    points: Points,
    classes: list[int] | None,
    names: Sequence[str],
    unit: float,
    pale: set[int],
) -> None:
    numbers = [-1] * len(points) if classes is None else classes
    for number in sorted(set(numbers), key=lambda n: (n < 0, n)):
        nodes = [node for node, other in enumerate(numbers) if other == number]
        # The first one stands for its class in the legend.
        nodes.sort(key=lambda node: node in pale)
        colour, marker = ("#999999", "o") if number < 0 else class_style(number)
        opacity: Any = [PALE if node in pale else 1.0 for node in nodes] if pale else None
        known = names[number] if 0 <= number < len(names) else f"class {number}"
        axes.scatter(
            points[nodes, 0],
            points[nodes, 1],
            s=(2 * DOT * unit) ** 2,
            color=colour,
            marker=marker,
            edgecolors="#333333",
            linewidths=0.6,
            # None where nothing is pale: that is what a file then says.
            alpha=opacity,
            label="no class" if number < 0 else known,
            zorder=3,
        )


def _write_names(axes: Axes, points: Points, names: Sequence[str], unit: float) -> None:
    from matplotlib.patheffects import withStroke

    inside = max(map(len, names)) <= 3
    shift = 0.0 if inside else -(DOT * unit + 2)
    for i, name in enumerate(names):
        axes.annotate(
            name,
            (float(points[i, 0]), float(points[i, 1])),
            xytext=(0, shift),
            textcoords="offset points",
            ha="center",
            va="center_baseline" if inside else "top",
            fontsize=max(4.0, min(8.0, 0.17 * unit)),
            color="white" if inside else INK,
            # A rim, so that a name can be read on any colour.
            path_effects=[withStroke(linewidth=1.5, foreground="#333333" if inside else PAPER)],
            zorder=4,
        )
