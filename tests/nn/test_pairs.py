"""The pairs (v,e) without self against Python sets, on whole graphs and on samples."""

from __future__ import annotations

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph, remove_nodes
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn.pairs import pairs_of
from hypersage_dgl.nn.stage import Stage, split_stages


def names_of(block, ntype: str, side: str) -> list[int]:
    frame = block.srcnodes if side == "source" else block.dstnodes
    return frame[ntype].data[dgl.NID].tolist()


def check(intra: Stage, inter: Stage, nodes: list[int], sources: list[int]) -> None:
    """Compare with sets; nodes and sources say who the destinations and sources are."""
    members: dict[int, dict[int, int]] = {}
    for incidence, (v, e) in enumerate(zip(*(ids.tolist() for ids in intra.edges))):
        members.setdefault(e, {})[sources[v]] = incidence
    asked = [(nodes[v], e) for e, v in zip(*(ids.tolist() for ids in inter.edges))]
    expected = [(v, e) for v, e in asked if set(members.get(e, {})) - {v}]
    pairs = pairs_of(intra, inter)
    assert [
        (nodes[v], e) for v, e in zip(pairs.node.tolist(), pairs.hyperedge.tolist())
    ] == expected
    assert pairs.has_own.tolist() == [v in members[e] for v, e in expected]
    own = [o for o, has in zip(pairs.own.tolist(), pairs.has_own.tolist()) if has]
    assert own == [members[e][v] for v, e in expected if v in members[e]]
    assert pairs.num_nodes == inter.num_destinations
    check_inside(pairs.inside(intra), intra, expected, members, sources)
    check_across(pairs, expected, inter, nodes)


def check_inside(inside, intra, expected, members, sources):
    """It lists N(v,e) in the order of the incidences, with their weights."""
    assert inside.num_sources == intra.num_sources
    assert inside.num_destinations == len(expected)
    found: list[list[tuple[int, float]]] = [[] for _ in expected]
    weights = [1.0] * inside.num_edges
    if inside.edge_weight is not None:
        weights = inside.edge_weight.tolist()
    for u, pair, weight in zip(*(ids.tolist() for ids in inside.edges), weights):
        found[pair].append((sources[u], weight))
    stored = [1.0] * intra.num_edges if intra.edge_weight is None else intra.edge_weight.tolist()
    for listed, (v, e) in zip(found, expected):
        others = sorted((i, u) for u, i in members[e].items() if u != v)
        assert listed == [(u, stored[i]) for i, u in others]


def check_across(pairs, expected, inter, nodes):
    """Every pair goes to its node, with the weight of its hyperedge."""
    weight = torch.arange(1.0, inter.num_sources + 1)
    across = pairs.across(weight)
    sources, destinations = (ids.tolist() for ids in across.edges)
    assert sources == list(range(len(expected)))
    assert [nodes[v] for v in destinations] == [v for v, _ in expected]
    assert across.weight.tolist() == [e + 1 for _, e in expected]
    assert across.num_destinations == inter.num_destinations
    assert pairs.across(None).weight is None


@given(h=hypergraphs())
def test_on_a_whole_graph(h):
    intra, inter = split_stages(h.graph())
    everyone = list(range(h.num_nodes))
    if h.weighted:
        intra = Stage(intra.graph, intra.etype, edge_weight=h.incidence_weight)
    check(intra, inter, everyone, everyone)


@given(h=hypergraphs(), data=st.data())
def test_on_samples_that_may_miss_the_node_itself(h, data):
    alpha, beta = (data.draw(st.sampled_from([1, 2, -1])) for _ in range(2))
    seeds = data.draw(st.lists(st.integers(0, h.num_nodes - 1), min_size=1, unique=True))
    for first, second in HyperSAGESampler(2, alpha, beta).sample(h.graph(), seeds)[2]:
        intra, inter = split_stages((first, second))
        weight = torch.arange(1.0, intra.num_edges + 1)
        intra = Stage(first, intra.etype, edge_weight=weight)
        check(intra, inter, names_of(second, "node", "to"), names_of(first, "node", "source"))


def test_relations_in_another_order_are_matched():
    pairs = [(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)]
    turned = pairs[::-1]
    graph = dgl.heterograph(
        {
            ("node", "in", "hyperedge"): tuple(map(list, zip(*pairs))),
            ("hyperedge", "contains", "node"): tuple(map(list, zip(*[(e, v) for v, e in turned]))),
        }
    )
    check(*split_stages(graph), [0, 1, 2, 3], [0, 1, 2, 3])


def test_lonely_nodes_have_no_pair():
    for graph in (hypergraph([[0], [1], [1]], 3), hypergraph([], 3)):
        pairs = pairs_of(*split_stages(graph))
        assert len(pairs.node) == 0
        assert pairs.inside(split_stages(graph)[0]).num_edges == 0
        assert pairs.across(None).num_destinations == 3


def test_a_hyperedge_cut_to_one_member_is_lonely():
    cut = remove_nodes(hypergraph([[0, 1], [1, 2], [3, 0]]), [1])
    pairs = pairs_of(*split_stages(cut))
    assert list(zip(pairs.node.tolist(), pairs.hyperedge.tolist())) == [(2, 2), (0, 2)]


@pytest.mark.parametrize("idtype", [torch.int32, torch.int64])
def test_either_id_type_gives_long_indices(idtype):
    pairs = pairs_of(*split_stages(hypergraph([[0, 1], [1, 2]], idtype=idtype)))
    assert pairs.node.dtype == pairs.hyperedge.dtype == pairs.own.dtype == torch.int64
    assert torch.rand(3, WIDTH)[pairs.node].shape == (4, WIDTH)
