"""What a layer gives its two stages: weights of incidences, nodes and hyperedges, and offsets."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import Attention, HyperSAGEConv, Max
from hypersage_dgl.nn.prepare import prepare, prepare_inter, prepare_intra, with_mass
from hypersage_dgl.nn.stage import split_stages

GRAPH = hypergraph(
    [[0, 1, 2], [2, 3]], 5, hyperedge_weight=[2.0, 3.0], incidence_weight=[1.0, 2.0, 3.0, 4.0, 5.0]
)
FEAT = torch.rand(5, 4)


def test_a_plain_layer_has_the_weights_of_the_graph():
    intra, inter = prepare(HyperSAGEConv(4, 2), GRAPH, FEAT)
    assert torch.equal(intra.edge_weight, GRAPH.edges["in"].data["weight"])
    assert intra.offset is None
    assert inter.weight.tolist() == [6.0, 6.0]
    others = prepare_inter(HyperSAGEConv(4, 2, include_self=False), split_stages(GRAPH)[1])
    assert others.weight.tolist() == [4.0, 3.0]
    given = torch.ones(5)
    assert torch.equal(prepare(HyperSAGEConv(4, 2), GRAPH, FEAT, given)[0].edge_weight, given)


@pytest.mark.parametrize("aggr", [Max(), Attention(4)], ids=["max", "attention"])
def test_sizes_count_for_means_alone(aggr):
    _, inter = prepare(HyperSAGEConv(4, 2, inter_aggr=aggr), GRAPH, FEAT)
    assert inter.weight.tolist() == [2.0, 3.0]


def test_learned_weights_multiply_those_of_incidences():
    conv = HyperSAGEConv(4, 2, node_weight="hypermsg").eval()
    intra = prepare_intra(conv, split_stages(GRAPH)[0])
    learned = conv.weigh(torch.tensor([3, 3, 4, 2, 0]), torch.tensor([1, 1, 2, 1, 0]))
    expected = learned[[0, 1, 2, 2, 3]] * torch.arange(1.0, 6.0)
    torch.testing.assert_close(intra.edge_weight, expected)


def test_a_mass_scales_the_result_where_weights_do_not_sum_to_one():
    out = torch.ones(5, 4)
    for inter, factor in (("size", 1.0), ("invariant", 6 / 3)):
        conv = HyperSAGEConv(4, 2, inter=inter)
        stages = prepare(conv, GRAPH, FEAT)
        assert with_mass(conv, out, stages[1], stages[1])[0, 0] == factor


def test_features_and_graphs_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="5 nodes"):
        prepare(HyperSAGEConv(4, 2), GRAPH, FEAT[:3])
    with pytest.raises(TypeError, match="expected a hypergraph"):
        prepare(HyperSAGEConv(4, 2), "g", FEAT)
