"""Data of a hypergraph in one made from it: row by row, new rows filled, counts counted again."""

from __future__ import annotations

import dgl
import pytest
import torch

from hypersage_dgl import add_nodes, hypergraph
from hypersage_dgl.hypergraphs import CONTAINS, DERIVED, HYPEREDGE, IN, NODE, validate
from hypersage_dgl.hypergraphs.carry import carry, cpu_incidences, like

HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]


def test_rows_go_where_the_index_says_and_new_ones_are_zero():
    old = hypergraph([[0, 1], [1, 2]])
    old.nodes[NODE].data["feat"] = torch.tensor([[1.0, 2], [3, 4], [5, 6]])
    old.nodes[HYPEREDGE].data["year"] = torch.tensor([1990, 1991])
    old.edges[IN].data["mark"] = torch.tensor([True, False, True, True])
    new = hypergraph([[0, 1], [2]], 4)
    carry(old, new, torch.tensor([2, -1, 0, 0]), torch.tensor([-1, 0]), torch.tensor([3, 1, -1]))
    assert new.nodes[NODE].data["feat"].tolist() == [[5, 6], [0, 0], [1, 2], [1, 2]]
    assert new.nodes[HYPEREDGE].data["year"].tolist() == [0, 1990]
    assert new.edges[IN].data["mark"].tolist() == [True, False, False]
    assert new.edges[IN].data["mark"].dtype == torch.bool
    validate(new)


def test_a_new_weight_is_one():
    old = hypergraph([[0, 1]], hyperedge_weight=[5.0], incidence_weight=[2.0, 3.0])
    old.nodes[NODE].data["weight"] = torch.tensor([7, 8])
    new = hypergraph([[0, 1], [2]])
    carry(old, new, torch.tensor([0, 1, -1]), torch.tensor([0, -1]), torch.tensor([0, 1, -1]))
    assert new.nodes[HYPEREDGE].data["weight"].tolist() == [5, 1]
    assert new.edges[IN].data["weight"].tolist() == [2, 3, 1]
    assert new.nodes[NODE].data["weight"].tolist() == [7, 8, 1]
    assert "weight" not in new.edges[CONTAINS].data


def test_counts_and_dgls_own_ids_are_not_carried():
    old = hypergraph([[0, 1, 2]])
    for ntype in (NODE, HYPEREDGE):
        old.nodes[ntype].data[dgl.NID] = torch.arange(old.num_nodes(ntype))
    old.edges[IN].data[dgl.EID] = torch.arange(3)
    new = hypergraph([[0, 1]])
    carry(old, new, torch.tensor([0, 1]), torch.tensor([0]), torch.tensor([0, 1]))
    assert new.nodes[HYPEREDGE].data["size"].tolist() == [2]
    assert new.nodes[NODE].data["degree"].tolist() == [1, 1]
    assert set(new.nodes[NODE].data) == DERIVED[NODE]
    assert set(new.nodes[HYPEREDGE].data) == DERIVED[HYPEREDGE]
    assert not new.edges[IN].data


def test_the_old_rows_are_copies():
    old = hypergraph([[0, 1]])
    old.nodes[NODE].data["feat"] = torch.ones(2)
    new = hypergraph([[0, 1]])
    carry(old, new, torch.arange(2), torch.arange(1), torch.arange(2))
    new.nodes[NODE].data["feat"][0] = 9
    assert old.nodes[NODE].data["feat"].tolist() == [1, 1]


@pytest.mark.parametrize("idtype", [torch.int32, torch.int64])
def test_like_keeps_the_id_type_and_incidences_are_long(idtype):
    graph = hypergraph(HYPEREDGES, idtype=idtype)
    nodes, edges = cpu_incidences(graph)
    assert nodes.tolist() == [0, 1, 2, 2, 3, 1, 3]
    assert edges.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert nodes.dtype == edges.dtype == torch.int64
    made = like(graph, nodes[:4], edges[:4], 9, 2)
    assert made.idtype == idtype
    assert (made.num_nodes(NODE), made.num_nodes(HYPEREDGE), made.num_edges(IN)) == (9, 2, 4)
    validate(made)


def test_own_data_called_size_or_degree_survive_growing():
    graph = hypergraph(HYPEREDGES)
    graph.nodes["node"].data["size"] = torch.arange(4)
    graph.nodes["hyperedge"].data["degree"] = torch.arange(3)
    graph.edges["in"].data["size"] = torch.arange(7)
    grown = add_nodes(graph, 1)
    assert grown.nodes["node"].data["size"].tolist() == [0, 1, 2, 3, 0]
    assert grown.nodes["hyperedge"].data["degree"].tolist() == [0, 1, 2]
    assert grown.edges["in"].data["size"].tolist() == list(range(7))
