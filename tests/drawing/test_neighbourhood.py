"""What a node sees is cut out whole, and a sample of it leaves the others pale."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import to_hyperedges
from hypersage_dgl.data import LabelledHypergraph
from hypersage_dgl.drawing import draw_neighbourhood, neighbourhood

HYPEREDGES = [[0, 1, 2, 3, 4, 5], [1, 6], [2, 7], [1, 2]]


def data():
    labels = torch.tensor([0, 1, 0, 1, 0, 1, 0, 1, -1])
    return LabelledHypergraph(
        hypergraph(HYPEREDGES, 9), [f"n{i}" for i in range(9)], labels=labels, name="tiny"
    )


def test_the_hyperedges_of_a_node_and_no_others():
    cut, members = neighbourhood(data().graph, 1)
    assert members.tolist() == [0, 1, 2, 3, 4, 5, 6]
    found = [[int(members[i]) for i in e] for e in to_hyperedges(cut)]
    assert found == [HYPEREDGES[0], HYPEREDGES[1], HYPEREDGES[3]]


def test_an_isolated_node_sees_itself():
    cut, members = neighbourhood(data().graph, 8)
    assert (members.tolist(), cut.num_nodes("hyperedge")) == ([8], 0)


@pytest.mark.parametrize("node", [-1, 9])
def test_ids_that_are_not_there_are_named(node):
    with pytest.raises(ValueError, match=rf"node is {node}; ids go from 0 to 8"):
        neighbourhood(data().graph, node)


def test_names_and_classes_are_shown():
    figure = draw_neighbourhood(data(), 1)
    axes = figure.axes[0]
    assert axes.get_title() == "n1"
    assert sorted(text.get_text() for text in axes.texts) == [f"n{i}" for i in range(7)]
    assert len(axes.patches) == 3


def test_what_a_sample_leaves_out_is_pale():
    figure = draw_neighbourhood(data(), 1, alpha=1)
    alphas = [a for drawn in figure.axes[0].collections for a in drawn.get_alpha()]
    # Three hyperedges give one member each, and the node itself stays.
    assert len(alphas) == 7
    assert 1 <= sum(a == 1.0 for a in alphas) <= 4
    assert {a for a in alphas if a != 1.0} == {0.2}


def test_the_legend_is_not_pale():
    figure = draw_neighbourhood(data(), 1, alpha=1)
    drawn = figure.axes[0].collections
    for collection in drawn:
        alphas = list(collection.get_alpha())
        assert alphas == sorted(alphas, reverse=True)


def test_of_a_large_neighbourhood_only_a_sample_is_drawn():
    graph = hypergraph([list(range(300)), [0, 300], [5, 6]], 301)
    large = LabelledHypergraph(graph, name="large")
    with pytest.raises(ValueError, match=r"0 sees 301 nodes in 2 hyperedges, too many"):
        draw_neighbourhood(large, 0)
    axes = draw_neighbourhood(large, 0, alpha=4).axes[0]
    # At most four members of each of the two hyperedges, and the node itself.
    assert 4 <= len(axes.texts) <= 7
    assert "0" in {text.get_text() for text in axes.texts}
    assert len(axes.patches) == 2
