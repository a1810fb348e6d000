"""The model: its layers against the oracle, inference, learning, and what it refuses."""

from __future__ import annotations

import copy
import math
import pickle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import layer
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import LSTM, HyperSAGE, HyperSAGEConv, Max, Mean, PowerMean, Question

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]
POWERS = [-20, -1, 0.5, 1, 2, 20, INF, -INF, (INF, 1), (-1, 3)]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


def features(graph, width: int = WIDTH) -> torch.Tensor:
    return torch.rand(graph.num_nodes("node"), width, dtype=torch.float64)


def fixed_features(n=6, dtype=torch.float64):
    return torch.rand(n, 3, dtype=dtype, generator=torch.Generator().manual_seed(0)) + 0.1


@SELF
@pytest.mark.parametrize("inter", INTERS)
@given(h=hypergraphs(), p=st.sampled_from([-1, 0.5, 1, 2, (INF, 1)]))
def test_equals_the_oracle_layer_by_layer(h, p, inter, include_self):
    torch.manual_seed(h.seed)
    model = HyperSAGE(WIDTH, 4, 2, 3, p, inter=inter, include_self=include_self).double().eval()
    convs = [m for m in model.modules() if isinstance(m, HyperSAGEConv)]
    assert [(c.in_feats, c.out_feats) for c in convs] == [(WIDTH, 4), (4, 4), (4, 2)]
    x = h.features()
    rows = x
    for i, conv in enumerate(convs):
        pair = p if isinstance(p, tuple) else (p, p)
        case = h.case(rows, pair, inter=inter, include_self=include_self)
        rows = layer(case, conv.linear.weight.tolist(), conv.linear.bias.tolist())
        rows = torch.tensor(rows, dtype=torch.float64)
        if i < 2:
            rows = rows.clamp_min(0)
        if i == 1:
            torch.testing.assert_close(model.embed(h.graph(), x), rows, rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(model(h.graph(), x), rows, rtol=1e-6, atol=1e-8)


@SELF
@pytest.mark.parametrize("inter", INTERS)
@settings(max_examples=2 * settings.default.max_examples)
@given(h=hypergraphs(), p=st.sampled_from(POWERS), batch_size=st.sampled_from([1, 7, 4096]))
def test_inference_equals_forward(h, p, batch_size, inter, include_self):
    model = HyperSAGE(WIDTH, 5, 2, p=p, inter=inter, include_self=include_self).double()
    graph, x = h.graph(), h.features()
    streamed = model.inference(graph, x, batch_size=batch_size)
    assert model.training
    assert not streamed.requires_grad
    torch.testing.assert_close(streamed, model.eval()(graph, x), rtol=1e-7, atol=1e-9)


@SELF
@pytest.mark.parametrize("p", [0, 0.01])
@pytest.mark.parametrize("batch_size", [1, 7])
def test_inference_equals_forward_at_small_powers(p, batch_size, include_self):
    graph = hypergraph([[0, 1, 2, 3], [2, 3, 4], [5], [4, 6, 0]], 9)
    x = features(graph)
    model = HyperSAGE(WIDTH, 5, 2, p=p, include_self=include_self).double()
    streamed = model.inference(graph, x, batch_size)
    torch.testing.assert_close(streamed, model.eval()(graph, x))


@SELF
@pytest.mark.parametrize(
    "options",
    [
        {"inter_aggr": LSTM},
        {"intra_aggr": LSTM},
        {"intra_aggr": Max(), "inter_aggr": Mean()},
        {"p": PowerMean(0.5, learn=True, channels=WIDTH)},
        {"norm": torch.nn.LayerNorm},
        {"normalize": False, "bias": False},
    ],
    ids=["lstm across", "lstm inside", "max and mean", "learned", "norm", "bare"],
)
@pytest.mark.parametrize("batch_size", [1, 7, 100])
@pytest.mark.many
def test_inference_equals_forward_with_other_options(options, batch_size, include_self):
    numbers = torch.Generator().manual_seed(0)
    hyperedges = [
        torch.randperm(20, generator=numbers)[: int(n)].tolist()
        for n in torch.randint(1, 7, (15,), generator=numbers)
    ]
    graph = hypergraph(hyperedges, 22)
    model = HyperSAGE(WIDTH, 5, 2, include_self=include_self, **options).double()
    x = features(graph)
    streamed = model.inference(graph, x, batch_size)
    torch.testing.assert_close(streamed, model.eval()(graph, x))


def test_inference_of_bad_batch_sizes():
    graph = hypergraph([[0, 1]])
    for bad in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="batch_size"):
            HyperSAGE(WIDTH, 4, 2).inference(graph, torch.rand(2, WIDTH), bad)


def test_one_layer_is_the_layer_and_has_no_embedding():
    graph = hypergraph([[0, 1, 2], [2, 3]])
    x = torch.rand(4, WIDTH)
    model = HyperSAGE(WIDTH, 8, 2, num_layers=1).eval()
    conv = HyperSAGEConv(WIDTH, 2)
    conv.load_state_dict(model.layers[0].state_dict())
    assert torch.equal(model(graph, x), conv(graph, x))
    with pytest.raises(ValueError, match="num_layers"):
        model.embed(graph, x)


def test_the_last_layer_gives_logits():
    torch.manual_seed(0)
    graph = hypergraph([[0, 1, 2], [2, 3]], 30)
    model = HyperSAGE(WIDTH, 8, 4).eval()
    assert float(model(graph, torch.rand(30, WIDTH)).detach().min()) < 0
    assert float(model.embed(graph, torch.rand(30, WIDTH)).detach().min()) >= 0


def test_a_learned_p_is_each_layers_own():
    model = HyperSAGE(WIDTH, 5, 2, p=PowerMean(2.0, learn=True, channels=WIDTH))
    shapes = sorted(tuple(q.shape) for n, q in model.named_parameters() if n.endswith(".p"))
    # Shared by the two levels of a layer, so named once for each layer.
    assert shapes == [(WIDTH,), (5,)]


@pytest.mark.parametrize("p", [1.0, 2.0, 0.0, (INF, 1), PowerMean(1.0, learn=True)], ids=str)
def test_learns_which_community_a_node_is_in(p):
    torch.manual_seed(0)
    label = torch.arange(60) % 3
    hyperedges = [(torch.randperm(20)[:4] * 3 + c).tolist() for c in range(3) for _ in range(15)]
    graph = hypergraph(hyperedges, 60)
    x = torch.rand(60, 16) + 0.3 * torch.eye(16)[label]
    model = HyperSAGE(16, 8, 3, p=p, dropout=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(60):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(graph, x)[:30], label[:30]).backward()
        optimizer.step()
    accuracy = (model.eval()(graph, x)[30:].argmax(1) == label[30:]).float().mean()
    assert float(accuracy) > 0.8


def test_copies_state_dict_and_float64():
    graph = hypergraph([[0, 1, 2], [2, 3]])
    x = torch.rand(4, WIDTH, dtype=torch.float64)
    model = HyperSAGE(WIDTH, 4, 2, p=PowerMean(0.5, learn=True)).double().eval()
    out = model(graph, x)
    assert out.dtype == torch.float64
    assert torch.equal(copy.deepcopy(model)(graph, x), out)
    assert torch.equal(pickle.loads(pickle.dumps(model))(graph, x), out)
    other = HyperSAGE(WIDTH, 4, 2, p=PowerMean(3.0, learn=True)).double().eval()
    other.load_state_dict(model.state_dict())
    assert torch.equal(other(graph, x), out)


def test_edge_weight_reaches_every_layer():
    hyperedges = [[0, 1, 2], [2, 3]]
    weight = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    model, x = HyperSAGE(WIDTH, 4, 2).eval(), torch.rand(4, WIDTH)
    stored = hypergraph(hyperedges, incidence_weight=weight)
    torch.testing.assert_close(model(hypergraph(hyperedges), x, weight), model(stored, x))


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_bad_num_layers_is_named(bad):
    with pytest.raises(ValueError, match="num_layers"):
        HyperSAGE(3, 4, 2, num_layers=bad)


def test_dropout_and_normalize_may_differ_by_layer():
    graph, x = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, WIDTH)
    model = HyperSAGE(WIDTH, 8, 2, dropout=(0.0, 0.5), normalize=(False, True))
    first = HyperSAGEConv(WIDTH, 8, normalize=False, activation=torch.relu)
    last = HyperSAGEConv(8, 2, normalize=True)
    for conv, other in zip((first, last), model.layers):
        conv.load_state_dict(other.state_dict())
    assert torch.equal(model.eval()(graph, x), last(graph, first(graph, x)))
    assert [layer.dropout for layer in model.layers] == [0.0, 0.5]
    with pytest.raises(ValueError, match="one for each of the 2 layers"):
        HyperSAGE(WIDTH, 8, 2, dropout=(0.5,))
    with pytest.raises(ValueError, match="dropout is 1"):
        HyperSAGE(WIDTH, 8, 2, dropout=(0.5, 1))


@pytest.mark.parametrize("p", [INF, -INF, (1, INF), 20, 2])
@pytest.mark.parametrize("include_self", [True, False])
def test_backward_where_nothing_has_an_edge(p, include_self):
    model = HyperSAGE(3, 4, 2, p=p, include_self=include_self)
    isolated = hypergraph(HYPEREDGES, 6)
    found, _, pairs = HyperSAGESampler(2).sample(isolated, {"node": torch.tensor([4, 5])})
    for graph, count in ((hypergraph([], 6), 6), (hypergraph([[0], [1]], 6), 6), (pairs, 2)):
        x = fixed_features(count, torch.float32).requires_grad_()
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
    model, graph, x = (
        HyperSAGE(3, 4, 2, 3, inter="invariant"),
        hypergraph(HYPEREDGES),
        fixed_features(4),
    )
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
    graph, x, weight = hypergraph(HYPEREDGES), fixed_features(4), torch.arange(1.0, 8.0)
    out = model.inference(graph, x, 2, edge_weight=weight)
    assert model.training
    assert not model.layers[0].norm.training
    torch.testing.assert_close(out, model.eval()(graph, x, weight))
    assert "weight" not in graph.edges["in"].data


def test_model_refuses_the_name_of_an_aggregator():
    with pytest.raises(TypeError, match=r"Max\(\)"):
        HyperSAGE(3, 4, 2, intra_aggr="max")


def test_what_is_no_list_of_pairs_is_refused():
    g, feat = hypergraph([[0, 1], [1, 2]]), torch.rand(3, WIDTH)
    model = HyperSAGE(WIDTH, 4, 2, num_layers=2)
    for wrong in ((g, g), Question(g, g), [g, g]):
        with pytest.raises(TypeError, match="expected a hypergraph, or the pairs of blocks"):
            model(wrong, feat)


@pytest.mark.parametrize("weight", [torch.ones(3), torch.ones(5, 1), torch.zeros(5), [1.0] * 5])
def test_streams_refuse_weights_as_the_layer_does(weight):
    graph, feat = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, 3)
    model = HyperSAGE(3, 4, 2)
    with pytest.raises(ValueError, match="incidence weight"):
        model.inference(graph, feat, edge_weight=weight)
    with pytest.raises(ValueError, match="incidence weight"):
        model(graph, feat, weight)
