"""Draws the figures of docs/concepts.md: every number in them is the library's.

python scripts/draw_concepts.py [FOLDER]
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.drawing import PALETTE, canvas
from hypersage_dgl.drawing.layout import hull
from hypersage_dgl.drawing.schemes import LINE, with_dark_scheme
from hypersage_dgl.nn import HyperSAGEConv
from hypersage_dgl.training import seed_everything

import dgl
import matplotlib
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE, RED, GREEN = PALETTE["sky"], PALETTE["vermilion"], PALETTE["green"]
# The node v and its places: two hyperedges, of three and of four.
MEMBERS = [[0, 1, 2], [0, 3, 4, 5]]
PLACES = np.array([[0, 0], [-1.5, 0.75], [-1.5, -0.75], [1.5, 0.85], [2.1, 0], [1.5, -0.85]])
VALUES = torch.tensor([[2.0], [1.0], [6.0], [8.0], [7.0], [3.0]])


def main() -> None:
    """Draw all figures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/figures")
    save(folder, "two-levels", draw_two_levels, 5.2, 3.0)
    save(folder, "power-means", draw_power_means, 5.2, 3.0)
    save(folder, "sampling", draw_sampling, 5.2, 1.6)
    save(folder, "one-p", draw_one_p, 5.2, 3.2)
    save(folder, "isolated", draw_isolated, 5.2, 2.4)


def draw_two_levels(figure: Figure) -> None:
    """F1 on each hyperedge, F2 on the node."""
    g, conv = hypergraph(MEMBERS), HyperSAGEConv(1, 1)
    inside = conv.hyperedge_embed(g, VALUES).flatten().tolist()
    across = conv.aggregate(g, VALUES)[0].item()
    axes = plain(figure, (-3.0, 3.4), (-1.9, 1.55))
    neighbourhood(axes, set(range(6)), {0, 1})
    for x, value, name in ((-1.6, inside[0], "e"), (2.0, inside[1], "e'")):
        axes.text(x, 1.35, f"F1(v,{name}) = {value:g}", ha="center", weight="bold")
    axes.text(
        0, -1.45, f"F2(v) = (3·{inside[0]:g} + 4·{inside[1]:g}) / 7 = {across:.2f}", ha="center"
    )
    axes.text(0, -1.8, "inside each hyperedge first, then across, by size (p = 1)", ha="center")


def draw_power_means(figure: Figure) -> None:
    """The power mean of 1, 2 and 6, from the minimum to the maximum."""
    g, values = hypergraph([[0, 1, 2]]), torch.tensor([[1.0], [2.0], [6.0]])

    def mean(p: float) -> float:
        return HyperSAGEConv(1, 1, p=p).hyperedge_embed(g, values).item()

    axes = figure.subplots()
    ps = np.linspace(-12, 12, 97)
    axes.plot(ps, [mean(p) for p in ps], color=BLUE, linewidth=2.5)
    names = {-1: "harmonic", 0: "geometric", 1: "average", 2: "quadratic"}
    for p, name in names.items():
        axes.plot(p, mean(p), "o", color=RED)
        axes.annotate(f"{name} {mean(p):.2f}", (p, mean(p)), (9, -9), textcoords="offset points")
    for p, name in ((-np.inf, "minimum (p = -∞)"), (np.inf, "maximum (p = ∞)")):
        axes.axhline(mean(p), color=LINE, linestyle="--", linewidth=1)
        side = {"x": -11.8, "ha": "left"} if p > 0 else {"x": 11.8, "ha": "right"}
        axes.text(y=mean(p) + 0.12, s=f"{name} {mean(p):g}", **side)
    axes.set(xlabel="p", ylabel="power mean of 1, 2 and 6", ylim=(0.6, 6.7))


def draw_sampling(figure: Figure) -> None:
    """What one draw keeps: all, two members of each hyperedge, one hyperedge."""
    g = hypergraph(MEMBERS)
    for place, (alpha, beta) in enumerate(((-1, -1), (2, -1), (-1, 1)), start=1):
        seed_everything(1)
        _, _, pairs = HyperSAGESampler(1, alpha, beta).sample(g, {"node": torch.tensor([0])})
        inside = pairs[0][0]
        nodes = inside.srcnodes["node"].data[dgl.NID]
        hyperedges = inside.dstnodes["hyperedge"].data[dgl.NID]
        drawn, joined = inside.edges(etype="in")
        axes = plain(figure, (-2.3, 2.9), (-1.6, 1.6), (1, 3, place))
        axes.set_title(f"alpha = {alpha}\nbeta = {beta}", family="monospace")
        members = {0, *nodes[drawn].tolist()}
        neighbourhood(axes, members, set(hyperedges[joined].tolist()))


def draw_one_p(figure: Figure) -> None:
    """Two levels against the linear map between powers that one p leaves."""
    torch.manual_seed(0)
    groups = [torch.randperm(40)[: int(size)].tolist() for size in torch.randint(2, 8, (30,))]
    g, feat = hypergraph(groups, num_nodes=40), torch.rand(40, 4) + 0.05
    connected = g.in_degrees(etype="contains") > 0
    # At p = 1 the aggregate is the map itself, so the unit vectors give its matrix.
    matrix = HyperSAGEConv(40, 1).aggregate(g, torch.eye(40))
    axes = figure.subplots()
    for p, colour, name in (((3, 3), BLUE, "one p = 3"), ((9, -9), RED, "p = 9 inside, -9 across")):
        power = 3 if p[0] == p[1] else 1
        linear = (matrix @ feat**power) ** (1 / power)
        two = HyperSAGEConv(4, 1, p=p).aggregate(g, feat)
        axes.plot(
            linear[connected].flatten(), two[connected].flatten(), ".", color=colour, label=name
        )
    axes.axline((0, 0), (1, 1), color=LINE, linewidth=1)
    axes.set(
        xlabel="linear map between two powers", ylabel="two levels", xlim=(0, 1), ylim=(0, 1.05)
    )
    axes.legend(loc="upper left")


def draw_isolated(figure: Figure) -> None:
    """What a node with neighbours and an isolated one hand on, in three channels."""
    g = hypergraph([[0, 1], [0, 2]], num_nodes=4)
    feat = torch.tensor([[0.9, 0.3, 0.1], [0.1, 0.9, 0.2], [0.2, 0.8, 0.6], [0.9, 0.3, 0.1]])
    around = HyperSAGEConv(3, 1).aggregate(g, feat)
    both = torch.nn.functional.normalize(feat + around)
    for row, (node, name) in enumerate(((0, "in two hyperedges"), (3, "isolated"))):
        steps = (("h, its own", feat), ("F2, around it", around), ("(h + F2) / length", both))
        for column, (title, rows) in enumerate(steps, start=1):
            axes = figure.add_subplot(2, 3, 3 * row + column)
            axes.bar(range(3), rows[node].tolist(), color=(BLUE, RED, GREEN)[column - 1])
            axes.set(ylim=(0, 1), xticks=[], yticks=[0, 1], title=title if row == 0 else "")
            if column == 1:
                axes.set_ylabel(name)


def plain(
    figure: Figure,
    width: tuple[float, float],
    height: tuple[float, float],
    place: tuple[int, int, int] = (1, 1, 1),
) -> Axes:
    """Axes without axes."""
    axes = figure.add_subplot(*place)
    axes.set(xlim=width, ylim=height, aspect="equal")
    axes.set_axis_off()
    return axes


def neighbourhood(axes: Axes, drawn: set[int], joined: set[int]) -> None:
    """Hulls around the members, a number on each; what was not drawn is pale."""
    for number, members in enumerate(MEMBERS):
        opacity = 1.0 if number in joined else 0.25
        outline = hull(PLACES[members], 0.42)
        axes.fill(*outline.T, facecolor=(BLUE, RED)[number], alpha=0.22 * opacity)
        axes.plot(*np.vstack((outline, outline[:1])).T, color=(BLUE, RED)[number], alpha=opacity)
    for node, (x, y) in enumerate(PLACES):
        label = f"v: {VALUES[node].item():g}" if node == 0 else f"{VALUES[node].item():g}"
        axes.text(x, y, label, ha="center", va="center", alpha=1.0 if node in drawn else 0.25)


def save(
    folder: Path, name: str, draw: Callable[[Figure], None], width: float, height: float
) -> None:
    """Write a figure as SVG with letters as text, which a screen draws best, light and dark."""
    with canvas(width, height) as figure:
        draw(figure)
    file = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    (folder / f"{name}.svg").write_text(with_dark_scheme(file.getvalue()), encoding="utf-8")


if __name__ == "__main__":
    main()
