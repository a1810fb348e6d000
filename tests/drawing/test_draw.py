"""Pictures of hypergraphs: hulls hold their members, colours tell classes, too much is refused."""

import matplotlib
import pytest
import torch
from matplotlib.path import Path

from hypersage_dgl import hypergraph, induced
from hypersage_dgl.convert import Named, from_hyperedges
from hypersage_dgl.drawing import draw_hypergraph, save_figure
from hypersage_dgl.drawing.figure import CLASS_COLOURS

HYPEREDGES = [[0, 1, 2], [2, 3], [3], [4, 5, 6, 7], [0, 1, 2]]


def outlines(figure):
    """Corners of each hyperedge's hull, by number."""
    patches = figure.axes[0].patches
    return {int(p.get_gid().removeprefix("hyperedge-")): p.get_xy() for p in patches}


def nodes_at(figure):
    """Position of each node, by what is written on it."""
    return {text.get_text(): text.xy for text in figure.axes[0].texts}


def test_every_hull_holds_its_members_and_no_node_of_another_part():
    figure = draw_hypergraph(hypergraph(HYPEREDGES, num_nodes=10))
    places, hulls = nodes_at(figure), outlines(figure)
    assert sorted(hulls) == [0, 1, 2, 3, 4]
    for number, members in enumerate(HYPEREDGES):
        shape = Path(hulls[number])
        assert all(shape.contains_point(places[str(node)]) for node in members)
    others = {0: range(4, 10), 3: (0, 1, 2, 3, 8, 9)}
    for number, nodes in others.items():
        assert not any(Path(hulls[number]).contains_point(places[str(n)]) for n in nodes)


def test_same_seed_same_picture_to_the_byte(tmp_path):
    graph = hypergraph(HYPEREDGES, num_nodes=10)
    saved = [
        [p.read_bytes() for p in save_figure(draw_hypergraph(graph, seed=seed), tmp_path, "a")]
        for seed in (0, 0, 1)
    ]
    assert saved[0] == saved[1]
    assert saved[0] != saved[2]


def scattered(figure):
    """Number of nodes of each colour and name in the legend."""
    return {
        dots.get_label(): (
            matplotlib.colors.to_hex(dots.get_facecolor()[0]).upper(),
            len(dots.get_offsets()),
        )
        for dots in figure.axes[0].collections
    }


def test_colours_tell_the_classes():
    graph = hypergraph(HYPEREDGES, num_nodes=8)
    found = scattered(draw_hypergraph(graph, labels=[0, 0, 0, 1, 1, -1, -1, 1]))
    assert found == {
        "class 0": (CLASS_COLOURS[0], 3),
        "class 1": (CLASS_COLOURS[1], 3),
        "no class": ("#999999", 2),
    }


def test_names_of_nodes_and_classes_are_written():
    graph = from_hyperedges({"paper": ["ann", "bob"], "talk": ["bob", "cynthia"]}).graph
    graph.nodes["node"].data["label"] = torch.tensor([1, 0, 1])
    named = Named(graph, ("ann", "bob", "cynthia"), class_names=("red", "blue"))
    figure = draw_hypergraph(named, title="Who writes")
    assert list(nodes_at(figure)) == ["ann", "bob", "cynthia"]
    assert {name: count for name, (_, count) in scattered(figure).items()} == {"red": 1, "blue": 2}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["red", "blue"]
    assert figure.axes[0].get_title() == "Who writes"


def test_names_can_be_left_out():
    graph = hypergraph(HYPEREDGES)
    assert nodes_at(draw_hypergraph(graph, show_names=False)) == {}
    assert len(nodes_at(draw_hypergraph(graph))) == 8


def test_hyperedges_that_a_cut_has_emptied_are_not_drawn():
    cut = induced(hypergraph([[0, 1], [2, 3], [1, 2]]), [0, 1])
    assert sorted(outlines(draw_hypergraph(cut))) == [0, 2]


def test_only_isolated_nodes_can_be_drawn():
    assert len(nodes_at(draw_hypergraph(hypergraph([], num_nodes=3)))) == 3


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (hypergraph([[0, 200]]), r"201 nodes .*at most 200.*hypersage_dgl\.induced"),
        (hypergraph([[0, 1]] * 201), r"201 hyperedges .*remove_hyperedges"),
        (hypergraph([]), "no node"),
    ],
)
def test_what_cannot_be_drawn_is_refused(graph, message):
    with pytest.raises(ValueError, match=message):
        draw_hypergraph(graph)


@pytest.mark.parametrize("labels", [[0, 1], [[0, 1]] * 3, [0.0, 1.0, 2.0]])
def test_labels_that_are_not_a_class_a_node_are_refused(labels):
    with pytest.raises(ValueError, match="an integer for each of the 3 nodes"):
        draw_hypergraph(hypergraph([[0, 1, 2]]), labels)
