"""Cases that once went wrong, each by its law."""

import math

import pytest
import torch

from hypersage_dgl import add_hyperedges, add_incidences, add_nodes, hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import LSTM, Aggregator, HyperSAGE, HyperSAGEConv, Mean, PowerMean

HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]


def features(n=6, dtype=torch.float64):
    return torch.rand(n, 3, dtype=dtype, generator=torch.Generator().manual_seed(0)) + 0.1


@pytest.mark.parametrize("p", [1, 2, 0.01, (1, 2)])
@pytest.mark.parametrize("inter", ["size", "mean", "paper", "invariant"])
def test_gradients_of_weights_that_equal_one(inter, p):
    if p == 0.01 and inter in ("paper", "invariant"):
        p = 3
    conv, x = HyperSAGEConv(3, 2, p, inter=inter).double(), features(4)

    def of_incidences(weight):
        return conv.aggregate(hypergraph(HYPEREDGES), x, weight)

    def of_hyperedges(weight):
        graph = hypergraph(HYPEREDGES)
        graph.nodes["hyperedge"].data["weight"] = weight
        return conv.aggregate(graph, x)

    for function, count in ((of_incidences, 7), (of_hyperedges, 3)):
        ones = torch.ones(count, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(function, ones)


@pytest.mark.parametrize("inter", ["paper", "invariant"])
def test_float32_stays_float32_with_a_mass(inter):
    conv = HyperSAGEConv(3, 2, inter=inter, inter_aggr=Mean())
    graph, x = hypergraph(HYPEREDGES), features(4, torch.float32)
    assert conv(graph, x).dtype == torch.float32
    expected = HyperSAGEConv(3, 2, 1, inter=inter).aggregate(graph, x)
    torch.testing.assert_close(conv.aggregate(graph, x), expected)


@pytest.mark.parametrize("p", [math.inf, -math.inf, (1, math.inf), 20, 2])
@pytest.mark.parametrize("include_self", [True, False])
def test_backward_where_nothing_has_an_edge(p, include_self):
    model = HyperSAGE(3, 4, 2, p=p, include_self=include_self)
    isolated = hypergraph(HYPEREDGES, 6)
    found, _, pairs = HyperSAGESampler(2).sample(isolated, {"node": torch.tensor([4, 5])})
    for graph, count in ((hypergraph([], 6), 6), (hypergraph([[0], [1]], 6), 6), (pairs, 2)):
        x = features(count, torch.float32).requires_grad_()
        model(graph, x).sum().backward()
        assert torch.isfinite(x.grad).all()
    assert found["node"].tolist() == [4, 5]


def test_a_given_aggregator_keeps_its_parameters():
    lstm, power = LSTM(3), PowerMean(1.0, learn=True)
    before = lstm.lstm.weight_ih_l0.detach().clone()
    power.p.data.fill_(3.0)
    HyperSAGEConv(3, 2, power, intra_aggr=lstm)
    assert torch.equal(lstm.lstm.weight_ih_l0, before)
    assert power.p.item() == 3.0


def test_own_data_called_size_or_degree_survive_growing():
    graph = hypergraph(HYPEREDGES)
    graph.nodes["node"].data["size"] = torch.arange(4)
    graph.nodes["hyperedge"].data["degree"] = torch.arange(3)
    graph.edges["in"].data["size"] = torch.arange(7)
    grown = add_nodes(graph, 1)
    assert grown.nodes["node"].data["size"].tolist() == [0, 1, 2, 3, 0]
    assert grown.nodes["hyperedge"].data["degree"].tolist() == [0, 1, 2]
    assert grown.edges["in"].data["size"].tolist() == list(range(7))


@pytest.mark.parametrize(
    ("p", "eps", "scale"), [(-100, 1e-4, 1), (-50, 1e-7, 1), (100, 1e-2, 1.5e4)]
)
def test_sparse_features_at_extreme_powers(p, eps, scale):
    graph, x = hypergraph(HYPEREDGES), scale * (features(4) - 0.3).clamp_min(0)
    conv = HyperSAGEConv(3, 2, p, eps=eps).double()
    dense = conv.aggregate(graph, x)
    assert torch.isfinite(dense).all()
    torch.testing.assert_close(conv.aggregate(graph, x.to_sparse_csr()), dense, rtol=1e-7, atol=0)


def test_second_derivatives_through_sparse_features_are_refused():
    model, x = HyperSAGE(3, 4, 2, dropout=0), features(4).to_sparse_csr()
    loss = model.double()(hypergraph(HYPEREDGES), x).square().sum()
    (slope,) = torch.autograd.grad(loss, [model.layers[0].linear.weight], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        slope.sum().backward()


def test_unknown_reduce_is_refused():
    class Product(Aggregator):
        reduce = "prod"

    with pytest.raises(ValueError, match=r"prod.*mean, sum, max, min"):
        HyperSAGEConv(3, 2, intra_aggr=Product())


def test_model_keeps_kinds_and_shared_aggregators():
    class Own(PowerMean):
        pass

    assert type(HyperSAGE(3, 4, 2, p=Own(2)).layers[0].intra_aggr) is Own
    shared = PowerMean(1.0, learn=True)
    layer = HyperSAGE(3, 4, 2, intra_aggr=shared, inter_aggr=shared).layers[1]
    assert layer.intra_aggr is layer.inter_aggr


BAD_WEIGHTS = [torch.tensor([-1.0, 1, 1]), torch.tensor([math.inf, 1, 1]), torch.ones(3, 1)]


@pytest.mark.parametrize("weight", BAD_WEIGHTS, ids=["negative", "infinite", "two-dimensional"])
def test_stored_hyperedge_weights_are_checked(weight):
    graph = hypergraph(HYPEREDGES)
    graph.nodes["hyperedge"].data["weight"] = weight
    with pytest.raises(ValueError, match="hyperedge weight"):
        HyperSAGEConv(3, 2)(graph, features(4, torch.float32))


def test_growing_checks_weights_and_lengths():
    graph = hypergraph(HYPEREDGES, hyperedge_weight=[1.0, 2, 3], incidence_weight=torch.ones(7))
    with pytest.raises(ValueError, match="weight"):
        add_hyperedges(graph, [[0, 3]], {"weight": torch.tensor([-1.0])})
    with pytest.raises(ValueError, match="1 given"):
        add_incidences(graph, [0], [1], {"weight": torch.tensor([5.0, 7.0])})


@pytest.mark.parametrize(
    ("members", "named"), [([0, None], "None"), ([0, "a"], "'a'"), ([0, True], "True")]
)
def test_errors_name_the_wrong_id(members, named):
    with pytest.raises(TypeError, match=named):
        hypergraph([members])


def test_a_model_warns_once():
    with pytest.warns(UserWarning, match="sum to one") as caught:
        HyperSAGE(3, 4, 2, p=0.05, inter="paper")
    assert len(caught) == 1


def test_neighbours_are_counted_once_for_all_layers(monkeypatch):
    import hypersage_dgl.nn.weighting as weighting

    calls, count = [], weighting.num_neighbors
    monkeypatch.setattr(
        weighting, "num_neighbors", lambda *args: calls.append(args) or count(*args)
    )
    model, graph, x = HyperSAGE(3, 4, 2, 3, inter="invariant"), hypergraph(HYPEREDGES), features(4)
    model.double()(graph, x)
    model.inference(graph, x)
    assert len(calls) == 1
    # A change in place is a new structure.
    graph.add_edges([0], [1], etype="in")
    graph.add_edges([1], [0], etype="contains")
    model(graph, x)
    assert len(calls) == 2


def test_aggregators_of_another_width_are_refused():
    for aggregator in (PowerMean(1.0, learn=True, channels=5), LSTM(5)):
        with pytest.raises(ValueError, match="5 channels"):
            HyperSAGEConv(3, 2, intra_aggr=aggregator)


def test_bfloat16_with_a_learned_large_power():
    conv = HyperSAGEConv(3, 2, PowerMean(20.0, learn=True, channels=3)).bfloat16()
    assert conv(hypergraph(HYPEREDGES), features(4, torch.bfloat16)).dtype == torch.bfloat16


def test_a_tiny_floor_leaves_p_one_alone():
    conv = HyperSAGEConv(1, 1, 1.0, eps=1e-36)
    out = conv.aggregate(hypergraph([[0, 1]]), torch.tensor([[-1.0], [-3.0]]))
    assert out.flatten().tolist() == [-2.0, -2.0]


def test_inference_restores_each_module_and_takes_weights():
    model = HyperSAGE(3, 4, 2, norm=torch.nn.BatchNorm1d).double()
    model.layers[0].norm.eval()
    graph, x, weight = hypergraph(HYPEREDGES), features(4), torch.arange(1.0, 8.0)
    out = model.inference(graph, x, 2, edge_weight=weight)
    assert model.training
    assert not model.layers[0].norm.training
    torch.testing.assert_close(out, model.eval()(graph, x, weight))
    assert "weight" not in graph.edges["in"].data


def test_blocks_of_two_samplings_are_refused():
    graph = hypergraph([[0, 1], [2, 3]])
    one, other = (
        HyperSAGESampler(1).sample(graph, {"node": torch.tensor([seed])})[2][0] for seed in (0, 2)
    )
    with pytest.raises(ValueError, match="blocks do not fit"):
        HyperSAGEConv(3, 2)((one[0], other[1]), features(2, torch.float32))


@pytest.mark.parametrize("feat", [{"node": 1}, [[1.0]]], ids=["dict", "list"])
def test_features_that_are_no_tensor(feat):
    with pytest.raises(TypeError, match="one tensor"):
        HyperSAGEConv(3, 2)(hypergraph(HYPEREDGES), feat)


def test_model_refuses_the_name_of_an_aggregator():
    with pytest.raises(TypeError, match=r"Max\(\)"):
        HyperSAGE(3, 4, 2, intra_aggr="max")
