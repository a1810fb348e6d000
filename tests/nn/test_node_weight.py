"""HyperMSG's weight of a node: the formula by loops, of the whole hypergraph on every path."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracle import Case, aggregate
from random_hypergraphs import WIDTH, hypergraphs
from small_hypergraph import model_for, small

from hypersage_dgl import add_hyperedges, add_incidences, add_nodes, hypergraph, num_neighbors
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import LSTM, HyperSAGE, HyperSAGEConv, Max, NodeWeight, PowerMean, Sum
from hypersage_dgl.training import FullGraph, Predictor, fit, sampler_for

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
POWERS = [1, 2, -1, 0, 20, (1, 2), (3, 1)]


def weight_by_loops(net: NodeWeight, neighbors: int, degree: int) -> float:
    """The formula, number by number."""
    values = [math.log(1 + neighbors), math.log(1 + degree)]
    linears = [layer for layer in net.layers if isinstance(layer, torch.nn.Linear)]
    assert [layer.in_features for layer in linears] == [2, 10, 5]
    for i, layer in enumerate(linears):
        rows = zip(layer.weight.tolist(), layer.bias.tolist())
        values = [math.fsum([*(w * v for w, v in zip(row, values)), b]) for row, b in rows]
        values = values if i == 2 else [max(v, 0.0) for v in values]
    (score,) = values
    return max(1 / (1 + math.exp(-score)), 1e-6)


def conv_for(p=1, seed=0, **options) -> HyperSAGEConv:
    """A layer with weights that differ a lot from node to node."""
    torch.manual_seed(seed)
    conv = HyperSAGEConv(WIDTH, 2, p, node_weight="hypermsg", **options).double().eval()
    for parameter in conv.weigh.parameters():
        torch.nn.init.normal_(parameter)
    return conv


@SELF
@given(h=hypergraphs(), data=st.data())
def test_a_layer_is_the_oracle_with_each_incidence_times_the_weight_of_its_node(
    h, data, include_self
):
    p = data.draw(st.sampled_from(POWERS), label="p")
    conv = conv_for(p, h.seed % 1000, include_self=include_self)
    x = h.features(least=0.1)
    case: Case = h.case(x, p if isinstance(p, tuple) else (p, p), include_self=include_self)
    for e, members in enumerate(h.hyperedges):
        for v in members:
            together = set().union(*(m for m in h.hyperedges if v in m))
            neighbors = len(together) if include_self else len(together - {v})
            weight = weight_by_loops(conv.weigh, neighbors, sum(v in m for m in h.hyperedges))
            case.incidence_weight[v, e] = case.incidence_weight.get((v, e), 1.0) * weight
    expected = torch.tensor(aggregate(case), dtype=torch.float64).reshape(x.shape)
    for fast in (True, False):
        actual = conv.aggregate(h.graph(), x, fast=fast)
        torch.testing.assert_close(actual, expected, rtol=1e-7, atol=1e-7)


@SELF
@pytest.mark.parametrize("inter", ["size", "paper"])
def test_blocks_weigh_by_the_counts_of_the_whole_hypergraph(inter, include_self):
    case = small()
    model = model_for(2, node_weight="hypermsg", inter=inter, include_self=include_self).eval()
    expected = model(case.graph, case.feat)
    found, out, pairs = sampler_for(model, case.graph).sample(case.graph, [4, 0, 12])
    torch.testing.assert_close(model(pairs, case.feat[found["node"]]), expected[out["node"]])
    # One member of a hyperedge that was drawn alone is that member, whatever it weighs.
    found, _, [pair] = HyperSAGESampler(
        1, 1, 1, num_neighbors=num_neighbors(case.graph, include_self)
    ).sample(case.graph, [4, 0])
    degrees = pair[0].srcnodes["node"].data["_degree"]
    assert torch.equal(degrees, case.graph.in_degrees(found["node"], etype="contains"))
    (batch,) = FullGraph(
        case.graph, case.feat, torch.zeros(13).long(), torch.arange(5), model=model
    )
    torch.testing.assert_close(model(batch.graph, batch.feat), expected[:5])


@SELF
@pytest.mark.parametrize("layers", [1, 2])
def test_new_nodes_weigh_their_neighbours_by_counts_that_lie_further_out(layers, include_self):
    graph = hypergraph([[i, i + 1, i + 1 + i % 3] for i in range(20)])
    feat = torch.rand(graph.num_nodes("node") + 1, 5, dtype=torch.float64)
    model = model_for(2, layers, node_weight="hypermsg", include_self=include_self)
    predictor = Predictor(model)
    predictor.attach(graph, feat[:-1])
    new = predictor.predict_new(feat[-1:], [[10]], [[3, len(feat) - 1]])
    grown = add_hyperedges(add_nodes(graph, 1), [[3, len(feat) - 1]])
    grown = add_incidences(grown, [len(feat) - 1], [10])
    expected = predictor.predict(grown, feat).probabilities[-1:]
    torch.testing.assert_close(new.probabilities, expected, rtol=1e-9, atol=1e-12)


def test_a_block_without_the_counts_is_refused():
    case = small()
    found, _, pairs = HyperSAGESampler(2).sample(case.graph, [0])
    with pytest.raises(ValueError, match="num_neighbors"):
        model_for(node_weight="hypermsg")(pairs, case.feat[found["node"]])


@SELF
def test_sparse_features_get_the_same(include_self):
    case = small()
    conv = model_for(2, 1, node_weight="hypermsg", include_self=include_self).first.eval()
    with torch.no_grad():
        expected = conv(case.graph, case.feat)
        torch.testing.assert_close(conv(case.graph, case.feat.to_sparse_csr()), expected)
    torch.testing.assert_close(conv(case.graph, case.feat.to_sparse_csr()), expected)


def test_equal_weights_are_the_plain_layer_and_w_is_drawn_alike():
    case = small()
    torch.manual_seed(5)
    plain = HyperSAGEConv(5, 3, 2).double()
    torch.manual_seed(5)
    weighted = HyperSAGEConv(5, 3, 2, node_weight="hypermsg").double().eval()
    assert torch.equal(plain.linear.weight, weighted.linear.weight)
    torch.nn.init.zeros_(weighted.weigh.layers[-1].weight)
    torch.testing.assert_close(weighted(case.graph, case.feat), plain(case.graph, case.feat))
    weighted.reset_parameters()
    assert bool((weighted.weigh.layers[-1].weight != 0).all())


def test_in_training_it_is_learned_with_dropout_and_not_kept():
    case = small()
    conv = HyperSAGEConv(5, 3, node_weight="hypermsg").double().train()
    first, second = (conv(case.graph, case.feat) for _ in range(2))
    assert not torch.equal(first, second)
    assert not conv.is_constant
    assert conv.needs_neighbors
    assert repr(conv) == "HyperSAGEConv(5, 3, p=1, node_weight='hypermsg')"


def test_weights_never_reach_zero():
    net = NodeWeight().eval()
    torch.nn.init.constant_(net.layers[-1].bias, -500.0)
    assert bool((net(torch.tensor([3, 0]), torch.tensor([1, 0])) > 0).all())


@pytest.mark.parametrize(
    "make",
    [Max, lambda: LSTM(4), lambda: PowerMean(math.inf)],
    ids=["max", "lstm", "infinite power"],
)
def test_an_aggregator_that_counts_no_weights_is_refused(make):
    with pytest.raises(ValueError, match="counts no weights"):
        HyperSAGEConv(4, 2, intra_aggr=make(), node_weight="hypermsg")
    HyperSAGEConv(4, 2, intra_aggr=Sum(), node_weight="hypermsg")


def test_an_unknown_weight_is_named():
    with pytest.raises(ValueError, match="equal, hypermsg"):
        HyperSAGE(4, 8, 2, node_weight="learned")


@pytest.mark.exhaustive
def test_it_learns_that_hubs_are_noise():
    """In each hyperedge one member of degree 1 tells the class; two hubs tell random ones."""
    numbers = torch.Generator().manual_seed(3)
    count, hubs = 300, 20
    labels = torch.randint(2, (count,), generator=numbers)
    # Nodes: hubs, then tellers, then those to classify, who say nothing themselves.
    hyperedges = []
    for i in range(count):
        pair = torch.randperm(hubs, generator=numbers)[:2].tolist()
        hyperedges.append([*pair, hubs + i, hubs + count + i])
    said = torch.cat((torch.randint(2, (hubs,), generator=numbers), labels))
    feat = torch.cat((3 * F.one_hot(said, 2).float(), torch.zeros(count, 2)))
    # A teller has no say without a hub's degree to compare with.
    targets = torch.cat((torch.zeros(hubs + count).long(), labels))
    graph, nodes = hypergraph(hyperedges), torch.arange(hubs + count, hubs + 2 * count)
    losses = {}
    for weight in ("equal", "hypermsg"):
        torch.manual_seed(0)
        model = HyperSAGE(2, 8, 2, 1, include_self=False, dropout=0.0, node_weight=weight)
        fit(model, FullGraph(graph, feat, targets, nodes[:200]), epochs=150, lr=0.05)
        with torch.no_grad():
            held_out = model.eval()(graph, feat)[nodes[200:]]
        losses[weight] = float(F.cross_entropy(held_out, labels[200:]))
    assert losses["hypermsg"] < 0.5 * losses["equal"]
