"""Graphs that DGL's own functions changed: whole, streamed, sampled and cut give the same."""

from __future__ import annotations

import dgl
import pytest
import torch
from products import product
from small_hypergraph import INTERS, NODES, WIDTH

from hypersage_dgl import hypergraph, hypergraph_from_incidence, num_neighbors
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.hypergraphs import attach_counts, incidences
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import FullGraph, sampled_logits

from .cases import small


def node_subgraph(graph):
    kept = {"node": [0, 2, 3, 5, 7, 8, 9, 10], "hyperedge": [0, 1, 2, 4, 5, 8, 9]}
    return dgl.node_subgraph(graph, kept)


def add_edges(graph):
    graph = dgl.add_edges(graph, [12, 11], [0, 4], etype="in")
    return dgl.add_edges(graph, [0, 4], [12, 11], etype="contains")


def remove_nodes(graph):
    return dgl.remove_nodes(graph, [1, 4], ntype="node")


def edge_subgraph(graph):
    return dgl.edge_subgraph(graph, {"in": [0, 2, 3, 7, 9, 11], "contains": [0, 2, 3, 7, 9, 11]})


def own_data(graph):
    """Someone's own numbers under our names."""
    graph = graph.clone()
    graph.nodes["hyperedge"].data["size"] = torch.rand(graph.num_nodes("hyperedge"))
    graph.nodes["node"].data["degree"] = torch.full((NODES,), 1000)
    return graph


CHANGES = [node_subgraph, add_edges, remove_nodes, edge_subgraph, own_data]


@product({"change": CHANGES, "inter": INTERS, "include_self": [True, False]})
@pytest.mark.many
def test_all_ways_give_what_a_graph_built_again_gives(change, inter, include_self):
    graph = change(small(weighted=False).graph)
    nodes, hyperedges = incidences(graph)
    counts = graph.num_nodes("node"), graph.num_nodes("hyperedge")
    built = hypergraph_from_incidence(nodes, hyperedges, *counts, allow_empty=True)
    feat = torch.rand(counts[0], WIDTH, dtype=torch.float64) + 0.1
    torch.manual_seed(0)
    model = HyperSAGE(WIDTH, 6, 3, p=2, inter=inter, include_self=include_self, dropout=0.0)
    model = model.double().eval()
    expected = model(built, feat).detach()
    every = torch.arange(counts[0])
    torch.testing.assert_close(model(graph, feat).detach(), expected)
    torch.testing.assert_close(model(graph, feat), model(graph, feat, None))
    torch.testing.assert_close(model.inference(graph, feat, 3), expected)
    torch.testing.assert_close(sampled_logits(model, graph, feat, every, batch_size=4), expected)
    (batch,) = FullGraph(graph, feat, torch.zeros(counts[0]).long(), every[:3], model=model)
    torch.testing.assert_close(model(batch.graph, batch.feat).detach(), expected[:3])


def test_own_data_ride_along_in_sampled_blocks():
    graph = own_data(small().graph)
    _, _, [(_, block)] = HyperSAGESampler(1).sample(graph, torch.arange(3))
    assert block.dstnodes["node"].data["degree"].tolist() == [1000] * 3
    ids = block.srcnodes["hyperedge"].data[dgl.NID]
    stored = graph.nodes["hyperedge"].data["size"]
    assert torch.equal(block.srcnodes["hyperedge"].data["size"], stored[ids])


@pytest.mark.parametrize("use", ["forward", "inference", "sampled", "cut", "baseline"])
def test_relations_that_differ_are_an_error_everywhere(use):
    case = small(weighted=False)
    graph, every = case.graph, torch.arange(NODES)
    graph.remove_edges([0], etype="in")
    model = HyperSAGE(WIDTH, 6, 3).double()
    calls = {
        "forward": lambda: model(graph, case.feat),
        "inference": lambda: model.inference(graph, case.feat),
        "sampled": lambda: HyperSAGESampler(2).sample(graph, every),
        "cut": lambda: FullGraph(*case, every, model=model),
        "baseline": lambda: HGNN(WIDTH, 6, 3).double()(graph, case.feat),
    }
    with pytest.raises(ValueError, match="hold different incidences"):
        calls[use]()


def test_weights_of_incidences_find_the_other_relation():
    case = small()
    every = {ntype: case.graph.nodes(ntype) for ntype in case.graph.ntypes}
    reordered = dgl.node_subgraph(case.graph, every)
    model = HGNN(WIDTH, 6, 3).double().eval()
    torch.testing.assert_close(model(reordered, case.feat), model(case.graph, case.feat))


def test_a_baseline_after_remove_and_add():
    # As many nodes, hyperedges and incidences as before, but others.
    case, model = small(weighted=False), HGNN(WIDTH, 6, 3).double().eval()
    model(case.graph, case.feat)
    for etype in ("in", "contains"):
        case.graph.remove_edges([0], etype=etype)
    case.graph.add_edges([12], [0], etype="in")
    case.graph.add_edges([0], [12], etype="contains")
    nodes, hyperedges = incidences(case.graph)
    built = hypergraph_from_incidence(nodes, hyperedges, NODES)
    torch.testing.assert_close(model(case.graph, case.feat), model(built, case.feat))


def test_a_learned_hyperedge_weight_after_a_validation_without_gradients():
    case, model = small(weighted=False), HGNN(WIDTH, 6, 3).double().eval()
    weight = torch.ones(case.graph.num_nodes("hyperedge"), requires_grad=True)
    case.graph.nodes["hyperedge"].data["weight"] = weight
    with torch.no_grad():
        model(case.graph, case.feat)
    model(case.graph, case.feat).square().sum().backward()
    assert weight.grad is not None
    assert bool((weight.grad != 0).any())


def test_counts_of_neighbours_of_another_graph_are_refused():
    sampler = HyperSAGESampler(1, num_neighbors=torch.ones(4))
    with pytest.raises(ValueError, match="num_neighbors counts 4 nodes and the hypergraph has 13"):
        sampler.sample(small().graph, torch.arange(2))


@pytest.mark.parametrize("method", ["exact", "sketch"])
@pytest.mark.parametrize("options", [{"inter": "paper"}, {"node_weight": "hypermsg"}], ids=str)
def test_counts_from_before_a_change_are_not_believed(options, method):
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4, 5, 0], [5]], num_nodes=7)
    for include_self in (True, False):
        counts = num_neighbors(graph, include_self, method)
        HyperSAGESampler(2, num_neighbors=counts).sample(graph, torch.arange(7))
    for name in ("num_neighbors", "_num_neighbors", "_degree"):
        graph.nodes["node"].data[name] = num_neighbors(graph)
    sampler = HyperSAGESampler(2, num_neighbors=num_neighbors(graph, method=method))
    sampler.sample(graph, torch.arange(7))
    for etype in ("in", "contains"):
        graph.remove_edges([0, 5], etype=etype)
    with pytest.raises(ValueError, match="for node 0, which is not that of this hypergraph; count"):
        sampler.sample(graph, torch.arange(7))
    model, feat = HyperSAGE(5, 6, 3, p=2, **options).eval(), torch.rand(7, 5)
    found, _, pairs = HyperSAGESampler(2).sample(graph, torch.arange(7))
    with pytest.raises(ValueError, match="does not carry the number of neighbors"):
        model(pairs, feat[found["node"]])
    again = HyperSAGESampler(2, num_neighbors=num_neighbors(graph))
    found, _, pairs = again.sample(graph, torch.arange(7))
    torch.testing.assert_close(model(pairs, feat[found["node"]]), model(graph, feat))


def blocks_of_dgl(graph):
    half_hops = [{"in": -1, "contains": 0}, {"in": 0, "contains": -1}]
    sampler = dgl.dataloading.MultiLayerNeighborSampler(half_hops, fused=False)
    found, _, pair = sampler.sample(graph, {"node": torch.arange(4)})
    return found["node"], tuple(pair)


@pytest.mark.parametrize("change", CHANGES)
def test_blocks_of_dgls_own_samplers_need_counts_and_stored_ones_are_not_believed(change):
    graph = change(small(weighted=False).graph)
    feat = torch.rand(graph.num_nodes("node"), WIDTH, dtype=torch.float64) + 0.1
    layer = HyperSAGE(WIDTH, 6, 3, p=2).double().eval().layers[0]
    found, pair = blocks_of_dgl(graph)
    with pytest.raises(ValueError, match=r"true sizes .* HyperSAGESampler, .*attach_counts\(g, b"):
        layer(pair, feat[found])
    attach_counts(graph, pair[1])
    torch.testing.assert_close(layer(pair, feat[found]), layer(graph, feat)[:4])


def test_degrees_of_such_blocks_are_asked_for_too():
    graph = small(weighted=False).graph
    found, (first, second) = blocks_of_dgl(graph)
    second.srcnodes["hyperedge"].data["_size"] = second.srcnodes["hyperedge"].data["size"]
    second.dstnodes["node"].data["_num_neighbors"] = torch.ones(4)
    layer = HyperSAGE(WIDTH, 6, 3, inter="invariant").layers[0]
    with pytest.raises(ValueError, match=r"true degrees .*attach_counts"):
        layer((first, second), torch.rand(len(found), WIDTH))


def test_what_needs_no_count_takes_such_blocks_as_they_are():
    graph = small(weighted=False).graph
    found, pair = blocks_of_dgl(graph)
    feat = torch.rand(graph.num_nodes("node"), WIDTH)
    layer = HyperSAGE(WIDTH, 6, 3, inter="mean", dropout=0.0).layers[0]
    torch.testing.assert_close(layer(pair, feat[found]), layer(graph, feat)[:4])


def test_statistics_count_the_graph_as_it_is():
    graph = small(weighted=False).graph
    split = Split(torch.arange(NODES), torch.arange(0), torch.arange(0))
    data = LabelledHypergraph(graph, splits=[split])
    before = data.statistics()["isolated_train"]
    joined = graph.in_edges([0], form="eid", etype="contains")
    for etype in ("in", "contains"):
        graph.remove_edges(joined, etype=etype)
    after = data.statistics()
    assert after["isolated_train"] == after["isolated_nodes"] == before + 1


@pytest.mark.parametrize("formats", ["coo", "csr", "csc"])
def test_restricted_formats_are_refused_before_any_sum(formats):
    graph = small(weighted=False).graph.formats(formats)
    feat, model = torch.rand(NODES, WIDTH), HyperSAGE(WIDTH, 6, 3)
    for way in (model, model.inference, model.first.hyperedge_embed):
        with pytest.raises(ValueError, match="restricted to the sparse formats"):
            way(graph, feat)
