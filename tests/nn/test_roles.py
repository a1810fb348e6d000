"""Roles of members: an aggregator and a matrix for each, by loops, and on every path."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracle import power_mean
from random_hypergraphs import WIDTH, hypergraphs
from small_hypergraph import model_for, small

from hypersage_dgl import add_hyperedges, add_incidences, add_nodes, hypergraph
from hypersage_dgl.convert import from_hif_dict, to_hif_dict
from hypersage_dgl.nn import LSTM, Attention, ByRole, HyperSAGE, HyperSAGEConv, Max, Mean, PowerMean
from hypersage_dgl.training import (
    FullGraph,
    Predictor,
    decode_config,
    encode_config,
    fit,
    sampler_for,
)

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
POWERS = [1, 2, -1, 0, 0.5, 3]
ROLES = 3


def with_roles(case=None):
    case = case or small()
    numbers = torch.Generator().manual_seed(5)
    roles = torch.randint(ROLES, (case.graph.num_edges("in"),), generator=numbers)
    case.graph.edges["in"].data["role"] = roles
    return case


def three(feats=None, **options) -> ByRole:
    return ByRole([PowerMean(2), Max(), PowerMean(-1)], feats=feats, **options)


def f1_by_loops(members, rows, weights, roles, powers, maps):
    """Σ_r A_r/A · U_r M_{p_r} over the members of role r."""
    width, total = len(rows[0]), sum(weights)
    out = [0.0] * width
    for r, p in enumerate(powers):
        chosen = [i for i in range(len(members)) if roles[i] == r]
        if chosen:
            a = [weights[i] for i in chosen]
            mean = [power_mean([rows[i][c] for i in chosen], a, p, 1e-2) for c in range(width)]
            for c in range(width):
                mapped = sum(maps[r][c][d] * mean[d] for d in range(width))
                out[c] += sum(a) / total * mapped
    return out


@SELF
@given(h=hypergraphs(), data=st.data())
def test_a_layer_is_the_formula(h, data, include_self):
    powers = [data.draw(st.sampled_from(POWERS)) for _ in range(ROLES)]
    graph, x = h.graph(), h.features(least=0.1)
    roles = torch.randint(ROLES, (graph.num_edges("in"),), generator=h.numbers(7))
    graph.edges["in"].data["role"] = roles
    conv = HyperSAGEConv(
        WIDTH,
        2,
        inter="mean",
        include_self=include_self,
        intra_aggr=ByRole([PowerMean(p) for p in powers], feats=WIDTH),
    ).double()
    torch.nn.init.uniform_(conv.intra_aggr.maps)
    case, maps = h.case(x, (1, 1)), conv.intra_aggr.maps.tolist()
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    role_of = dict(zip(pairs, roles.tolist()))
    heavy = case.hyperedge_weight or [1.0] * len(h.hyperedges)
    expected = torch.zeros_like(x)
    for v in range(len(x)):
        total = 0.0
        for e, members in enumerate(h.hyperedges):
            n = [j for j in members if include_self or j != v]
            if v in members and n:
                weights = [case.incidence_weight.get((j, e), 1.0) for j in n]
                own = [role_of[j, e] for j in n]
                f1 = f1_by_loops(n, [case.x[j] for j in n], weights, own, powers, maps)
                expected[v] += heavy[e] * torch.tensor(f1, dtype=torch.float64)
                total += heavy[e]
        expected[v] /= total or 1.0
    for fast in (True, False):
        actual = conv.aggregate(graph, x, fast=fast)
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)


@SELF
@given(h=hypergraphs())
def test_one_mean_for_all_roles_is_that_mean(h, include_self):
    graph, x = h.graph(), h.features(signed=True)
    graph.edges["in"].data["role"] = torch.arange(graph.num_edges("in")) % ROLES
    by_role = ByRole([Mean() for _ in range(ROLES)], feats=WIDTH)
    ours = HyperSAGEConv(WIDTH, 2, include_self=include_self, intra_aggr=by_role).double()
    plain = HyperSAGEConv(WIDTH, 2, include_self=include_self).double()
    torch.testing.assert_close(ours.aggregate(graph, x), plain.aggregate(graph, x))


@SELF
@pytest.mark.parametrize("feats", [None, 5], ids=["plain", "matrices"])
def test_every_path_gives_the_same(feats, include_self):
    case = with_roles()
    model = model_for(intra_aggr=three(feats), include_self=include_self).eval()
    expected = model(case.graph, case.feat)
    torch.testing.assert_close(model(case.graph, case.feat.to_sparse_csr()), expected)
    for size in (1, 5, 100):
        torch.testing.assert_close(model.inference(case.graph, case.feat, size), expected)
    found, out, pairs = sampler_for(model, case.graph).sample(case.graph, [4, 0, 12])
    torch.testing.assert_close(model(pairs, case.feat[found["node"]]), expected[out["node"]])
    labels = torch.zeros(13).long()
    (batch,) = FullGraph(case.graph, case.feat, labels, torch.arange(5), model=model)
    torch.testing.assert_close(model(batch.graph, batch.feat), expected[:5])


@SELF
def test_gradients_are_those_of_finite_differences(include_self):
    graph = hypergraph([[0, 1, 2, 3], [2, 3], [4], [0, 3, 4]], 6)
    graph.edges["in"].data["role"] = torch.tensor([0, 1, 2, 0, 1, 1, 2, 0, 2, 1])
    by_role = ByRole([PowerMean(2.0, learn=True), Attention(2, hidden=3), Mean()], feats=2)
    conv = HyperSAGEConv(2, 2, include_self=include_self, intra_aggr=by_role).double()
    x = (torch.rand(6, 2, dtype=torch.float64) + 0.3).requires_grad_()
    learned = list(by_role.parameters())
    assert len(learned) == 5
    assert torch.autograd.gradcheck(lambda *_: conv.aggregate(graph, x), (x, *learned))


def test_arrivals_have_role_0():
    case = with_roles()
    predictor = Predictor(model_for(intra_aggr=three(5)))
    predictor.attach(case.graph, case.feat)
    new = torch.rand(1, 5, dtype=torch.float64)
    grown = add_incidences(add_nodes(case.graph, 1), [13], [2])
    grown = add_hyperedges(grown, [[13, 3]])
    assert grown.edges["in"].data["role"][-3:].tolist() == [0, 0, 0]
    expected = predictor.predict(grown, torch.cat((case.feat, new))).probabilities
    found = predictor.predict_new(new, [[2]], [[13, 3]]).probabilities
    torch.testing.assert_close(found, expected[-1:])
    predictor.commit(new, [[2]], [[13, 3]])
    now = predictor.attached().graph.edges["in"].data["role"]
    assert torch.equal(now, grown.edges["in"].data["role"])
    torch.testing.assert_close(predictor.predict_attached(range(14)).probabilities, expected)


def test_the_direction_of_a_hif_file_is_a_role():
    records = [("e", "a", "tail"), ("e", "b", "tail"), ("e", "c", "head"), ("f", "c", None)]
    incidences = [
        {"edge": e, "node": v, **({"direction": way} if way else {})} for e, v, way in records
    ]
    named = from_hif_dict({"network-type": "directed", "incidences": incidences})
    assert to_hif_dict(named)["incidences"] == incidences
    by_role = ByRole([Mean(), Mean(), Max(), Mean()], key="direction", feats=1)
    conv = HyperSAGEConv(1, 1, intra_aggr=by_role)
    with torch.no_grad():
        by_role.maps[2] *= 10
    rows = conv.hyperedge_embed(named.graph, torch.tensor([[1.0], [3.0], [6.0]]))
    # Two tails of mean 2, one head of 60; a member of which nothing is said.
    torch.testing.assert_close(rows, torch.tensor([[(2 * 2 + 60) / 3], [6.0]]))


def test_it_is_kept_where_nothing_is_learned_and_told_from_others():
    case = with_roles()
    model = model_for(intra_aggr=three()).eval()
    kept = model.first_layer(case.graph, case.feat)
    torch.testing.assert_close(model(case.graph, kept), model(case.graph, case.feat))
    twin = model_for(intra_aggr=three()).eval()
    torch.testing.assert_close(twin(case.graph, kept), model(case.graph, case.feat))
    other = model_for(intra_aggr=ByRole([PowerMean(2), Max(), PowerMean(-2)]))
    with pytest.raises(ValueError, match="kept by a model with intra_aggr"):
        other(case.graph, kept)
    assert not model_for(intra_aggr=three(5)).first.is_constant


def test_json_widths_and_repr():
    model = HyperSAGE(4, 8, 2, intra_aggr=ByRole([LSTM, Attention, Max()], feats=1))
    first, second = (layer.intra_aggr for layer in model.layers)
    assert (first.width, second.width) == (4, 8)
    assert tuple(second.maps.shape) == (3, 8, 8)
    coded = encode_config(model.config)
    assert encode_config(decode_config(coded)) == coded
    again = HyperSAGE(4, 8, 2, intra_aggr=decode_config(coded).intra_aggr)
    again.load_state_dict(model.state_dict())
    assert repr(first) == "ByRole([LSTM(4), Attention(4), Max()], feats=4)"
    assert repr(ByRole([Max()], key="direction")) == "ByRole([Max()], key='direction')"
    with torch.no_grad():
        first.maps.zero_()
    model.reset_parameters()
    assert torch.equal(first.maps[1], torch.eye(4))


def test_what_cannot_be_is_named():
    case = small()
    conv = HyperSAGEConv(5, 2, intra_aggr=ByRole([Mean(), Max()])).double()
    with pytest.raises(ValueError, match="needs the roles of members; set g"):
        conv(case.graph, case.feat)
    count = case.graph.num_edges("in")
    for bad, words in (
        (torch.zeros(count), "an integer for each"),
        (torch.full((count,), 2), "roles from 2 to 2"),
        (torch.full((count,), -1), "aggregators for 0 to 1"),
    ):
        case.graph.edges["in"].data["role"] = bad
        with pytest.raises(ValueError, match=words):
            conv(case.graph, case.feat)
    with pytest.raises(ValueError, match="so it is an intra_aggr"):
        HyperSAGEConv(5, 2, inter_aggr=ByRole([Mean()]))
    with pytest.raises(TypeError, match="give a layer objects"):
        HyperSAGEConv(5, 2, intra_aggr=ByRole([LSTM]))
    with pytest.raises(ValueError, match="made for 3 channels"):
        HyperSAGEConv(5, 2, intra_aggr=ByRole([Mean()], feats=3))
    with pytest.raises(ValueError, match="one for each role"):
        ByRole([])


@pytest.mark.exhaustive
def test_it_learns_that_heads_alone_tell_the_class():
    numbers = torch.Generator().manual_seed(2)
    count, size = 300, 5
    labels = torch.randint(2, (count,), generator=numbers)
    said = torch.randint(2, (count, size), generator=numbers)
    head = torch.randint(1, size, (count,), generator=numbers)
    said[torch.arange(count), head] = labels
    feat = F.one_hot(said, 2).float()
    feat[:, 0] = 0  # the one to classify
    graph = hypergraph([list(range(i * size, (i + 1) * size)) for i in range(count)])
    roles = torch.zeros(count, size).long()
    roles[torch.arange(count), head] = 1
    nodes, targets = torch.arange(count) * size, torch.zeros(count * size).long()
    targets[nodes] = labels
    scores = {}
    for name in ("roles", "shuffled"):
        if name == "shuffled":
            roles = roles[:, [0, *(1 + torch.randperm(size - 1)).tolist()]].roll(1, 0)
        graph.edges["in"].data["role"] = roles.flatten()
        torch.manual_seed(0)
        by_role = ByRole([Mean(), Mean()], feats=2)
        model = HyperSAGE(2, 8, 2, 1, intra_aggr=by_role, dropout=0.0, normalize=False)
        parts = (graph, feat.reshape(-1, 2), targets, nodes[:200])
        fit(model, FullGraph(*parts), epochs=200, lr=0.05)
        with torch.no_grad():
            found = model.eval()(graph, parts[1])[nodes[200:]].argmax(1)
        scores[name] = float((found == labels[200:]).float().mean())
    assert scores["roles"] > 0.95
    assert scores["shuffled"] < 0.85
