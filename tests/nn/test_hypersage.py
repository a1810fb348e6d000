"""The model: copies of aggregators, what it warns of, counts and refuses, and its modes."""

import math

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE, PowerMean

HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]


def features(n=6, dtype=torch.float64):
    return torch.rand(n, 3, dtype=dtype, generator=torch.Generator().manual_seed(0)) + 0.1


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


def test_model_keeps_kinds_and_shared_aggregators():
    class Own(PowerMean):
        pass

    assert type(HyperSAGE(3, 4, 2, p=Own(2)).layers[0].intra_aggr) is Own
    shared = PowerMean(1.0, learn=True)
    layer = HyperSAGE(3, 4, 2, intra_aggr=shared, inter_aggr=shared).layers[1]
    assert layer.intra_aggr is layer.inter_aggr


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


def test_inference_restores_each_module_and_takes_weights():
    model = HyperSAGE(3, 4, 2, norm=torch.nn.BatchNorm1d).double()
    model.layers[0].norm.eval()
    graph, x, weight = hypergraph(HYPEREDGES), features(4), torch.arange(1.0, 8.0)
    out = model.inference(graph, x, 2, edge_weight=weight)
    assert model.training
    assert not model.layers[0].norm.training
    torch.testing.assert_close(out, model.eval()(graph, x, weight))
    assert "weight" not in graph.edges["in"].data


def test_model_refuses_the_name_of_an_aggregator():
    with pytest.raises(TypeError, match=r"Max\(\)"):
        HyperSAGE(3, 4, 2, intra_aggr="max")
