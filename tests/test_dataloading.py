"""HyperSAGESampler: what it draws, that it draws no more, and DGL's own loader around it."""

from __future__ import annotations

import contextlib

import dgl
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs
from training.cases import edges_by_id, random_graph

from hypersage_dgl import dataloading, hypergraph, num_neighbors
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import seed_everything

FAN_OUT = st.sampled_from([1, 2, 3, -1])


def check_half_hop(block, relation, members, fan_out):
    """Each destination has min(fan-out, all) different neighbours, all of them true ones."""
    _, _, destination = block.to_canonical_etype(relation)
    found: dict[int, list[int]] = {}
    for u, v in edges_by_id(block, relation):
        found.setdefault(v, []).append(u)
    for v in block.dstnodes[destination].data[dgl.NID].tolist():
        chosen, all_of_them = found.pop(v, []), members.get(v, set())
        assert len(chosen) == len(set(chosen))
        assert set(chosen) <= all_of_them
        assert len(chosen) == (
            len(all_of_them) if fan_out == -1 else min(fan_out, len(all_of_them))
        )
    assert not found
    other = {"in": "contains", "contains": "in"}[relation]
    assert block.num_edges(other) == 0


@given(h=hypergraphs(), data=st.data())
def test_draws_at_most_the_fan_out_of_each_layer(h, data):
    layers = data.draw(st.integers(1, 3))
    alpha, beta = (data.draw(st.lists(FAN_OUT, min_size=layers, max_size=layers)) for _ in range(2))
    nodes = st.integers(0, h.num_nodes - 1)
    seeds = data.draw(st.lists(nodes, min_size=1, unique=True))
    graph = h.graph()
    input_nodes, output_nodes, pairs = HyperSAGESampler(layers, alpha, beta).sample(
        graph, {"node": torch.tensor(seeds)}
    )
    members = {e: set(m) for e, m in enumerate(h.hyperedges)}
    joined = {v: {e for e, m in members.items() if v in m} for v in range(h.num_nodes)}
    assert output_nodes["node"].tolist() == seeds
    assert len(pairs) == layers
    above = seeds
    for (first, second), a, b in reversed(list(zip(pairs, alpha, beta))):
        check_half_hop(second, "contains", joined, b)
        check_half_hop(first, "in", members, a)
        # The nodes that a layer makes come first among those that it reads.
        destinations = second.dstnodes["node"].data[dgl.NID].tolist()
        sources = first.srcnodes["node"].data[dgl.NID].tolist()
        assert destinations == above
        assert sources[: len(destinations)] == destinations
        assert torch.equal(
            first.dstnodes["hyperedge"].data[dgl.NID], second.srcnodes["hyperedge"].data[dgl.NID]
        )
        above = sources
    assert input_nodes["node"].tolist() == above
    assert input_nodes["node"].dtype == h.idtype


@given(h=hypergraphs(weighted=True), data=st.data())
def test_true_sizes_degrees_and_weights_ride_along(h, data):
    seeds = data.draw(st.lists(st.integers(0, h.num_nodes - 1), min_size=1, unique=True))
    counts = num_neighbors(h.graph(), True)
    sampler = HyperSAGESampler(2, 1, 1, num_neighbors=counts)
    weights = dict(
        zip(
            [(v, e) for e, m in enumerate(h.hyperedges) for v in m],
            h.incidence_weight.tolist(),
        )
    )
    for first, second in sampler.sample(h.graph(), seeds)[2]:
        hyperedges, nodes = second.srcnodes["hyperedge"].data, second.dstnodes["node"].data
        ids = hyperedges[dgl.NID].tolist()
        assert hyperedges["size"].tolist() == [len(h.hyperedges[e]) for e in ids]
        assert hyperedges["weight"].tolist() == h.hyperedge_weight[ids].tolist()
        members = [set(m) for m in h.hyperedges]
        for v, degree, neighbors in zip(
            *(nodes[key].tolist() for key in (dgl.NID, "degree", "_num_neighbors"))
        ):
            assert degree == sum(v in m for m in members)
            assert neighbors == len(set().union(*(m for m in members if v in m)))
        drawn_weights = first.edges["in"].data["weight"].tolist()
        assert drawn_weights == [weights[pair] for pair in edges_by_id(first, "in")]


def test_every_choice_is_equally_likely():
    # 3000 copies of one hyperedge of five: each of the ten pairs of members, one time in ten.
    copies = 3000
    graph = hypergraph((torch.arange(copies).unsqueeze(1) * 5 + torch.arange(5)).tolist())
    seed_everything(1)
    [(first, _)] = HyperSAGESampler(1, alpha=2).sample(graph, torch.arange(copies) * 5)[2]
    chosen: dict[int, set[int]] = {}
    for v, e in edges_by_id(first, "in"):
        chosen.setdefault(e, set()).add(v % 5)
    assert all(len(pair) == 2 for pair in chosen.values())
    kinds, counts = np.unique(
        [sum(2**v for v in pair) for pair in chosen.values()], return_counts=1
    )
    assert len(kinds) == 10
    # Chi-squared with 9 degrees of freedom exceeds 27.9 one time in a thousand.
    assert float(((counts - copies / 10) ** 2 / (copies / 10)).sum()) < 27.9


@given(h=hypergraphs(), data=st.data())
def test_full_fan_out_is_the_whole_graph(h, data):
    seeds = data.draw(st.lists(st.integers(0, h.num_nodes - 1), min_size=1, unique=True))
    graph, feat = h.graph(), h.features()
    model = HyperSAGE(3, 4, 2, dropout=0, include_self=False).double()
    found, _, pairs = HyperSAGESampler(2).sample(graph, seeds)
    torch.testing.assert_close(
        model(pairs, feat[found["node"].long()]), model(graph, feat)[seeds], rtol=1e-9, atol=1e-9
    )


@torch.no_grad()
def test_fused_sampling_would_be_wrong(monkeypatch, two_threads):
    # DGL's default drops destination nodes from the source side in silence: the reason why the
    # sampler says fused=False. If this fails because nothing is wrong any more, it may go. DGL 2
    # samples so only with more than one thread, so the sampler's own thread alone would hide it.
    monkeypatch.setattr(dataloading, "one_thread", contextlib.nullcontext)
    graph, seeds = random_graph(40, 30), [39, 5, 0, 38, 7]
    feat = graph.nodes["node"].data["feat"].double()
    model = HyperSAGE(4, 8, 3, dropout=0).double()
    whole, errors = model(graph, feat)[seeds], {}
    theirs = dataloading.MultiLayerNeighborSampler
    for fused in (False, True):
        monkeypatch.setattr(
            dataloading,
            "MultiLayerNeighborSampler",
            lambda fan_outs, fused, told=fused, **options: theirs(fan_outs, fused=told, **options),
        )
        found, _, pairs = HyperSAGESampler(2).sample(graph, seeds)
        prefix = pairs[-1][0].srcnodes["node"].data[dgl.NID][: len(seeds)].tolist()
        assert (prefix == seeds) is not fused
        errors[fused] = float((model(pairs, feat[found["node"]]) - whole).abs().max())
    assert errors[False] < 1e-12
    assert errors[True] > 0.01


@pytest.mark.parametrize("name", ["alpha", "beta"])
@pytest.mark.parametrize("value", [0, -2, 2.5, None, "3", True, [2, 0], [2, 1.5], [2], [1, 2, 3]])
def test_bad_fan_outs_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name} is .*must be"):
        HyperSAGESampler(2, **{name: value})


@pytest.mark.parametrize("layers", [0, -1, 1.5, True, "2"])
def test_bad_numbers_of_layers_are_named(layers):
    with pytest.raises(ValueError, match="num_layers is"):
        HyperSAGESampler(layers)


def test_whole_numbers_of_numpy_are_numbers():
    sampler = HyperSAGESampler(2, np.int64(3), (np.int32(2), -1))
    assert sampler.alpha == [3, 3]
    assert sampler.beta == [2, -1]


@pytest.mark.parametrize(
    ("seeds", "error", "message"),
    [
        # DGL itself would end the process here, or return wrong neighbours.
        ([300], ValueError, "node id 300 is too large"),
        ([-1], ValueError, "negative"),
        ([1, 2, 1], ValueError, "repeated"),
        ([True, False], TypeError, "integers"),
        ([0.5], TypeError, "integers"),
        ({"hyperedge": [0]}, ValueError, "must be 'node' alone"),
        ({"node": [0], "hyperedge": [0]}, ValueError, "must be 'node' alone"),
    ],
)
def test_bad_seeds_are_turned_away(seeds, error, message):
    with pytest.raises(error, match=message):
        HyperSAGESampler(1).sample(random_graph(), seeds)


def test_other_graphs_are_turned_away():
    with pytest.raises(ValueError, match="relations"):
        HyperSAGESampler(1).sample(dgl.graph(([0, 1], [1, 2])), torch.tensor([0]))


@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
def test_seeds_of_either_type_fit_a_graph_of_either_type(idtype):
    graph = random_graph(idtype=idtype)
    for seeds in (torch.tensor([3, 1]), torch.tensor([3, 1], dtype=torch.int32), [3, 1]):
        found, output_nodes, _ = HyperSAGESampler(1).sample(graph, seeds)
        assert output_nodes["node"].tolist() == [3, 1]
        assert found["node"].dtype == idtype


def test_no_seed_is_an_empty_sample():
    found, _, pairs = HyperSAGESampler(2, 2).sample(random_graph(), {"node": []})
    assert len(found["node"]) == 0
    assert HyperSAGE(4, 8, 3)(pairs, torch.rand(0, 4)).shape == (0, 3)


@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
@pytest.mark.parametrize("weighted", [True, False])
def test_members_drawn_by_weight_carry_what_they_stand_for(weighted, idtype):
    numbers = torch.Generator().manual_seed(3)
    hyperedges = [torch.randperm(30, generator=numbers)[: 2 + i % 7].tolist() for i in range(25)]
    count = sum(map(len, hyperedges))
    incidence = torch.rand(count, generator=numbers) + 0.5 if weighted else None
    graph = hypergraph(hyperedges, 32, incidence_weight=incidence, idtype=idtype)
    by = torch.rand(32, generator=numbers) + 0.1
    sampler = HyperSAGESampler(2, alpha=(3, -1), beta=2, member_weight=by)
    found, out, pairs = sampler.sample(graph, torch.tensor([3, 31, 7]))
    assert out["node"].tolist() == [3, 31, 7]
    assert found["node"].dtype == idtype
    assert torch.equal(pairs[0][0].srcnodes["node"].data[dgl.NID], found["node"])
    first, _ = pairs[0]
    weight, ids = first.edges["in"].data["weight"], first.edges["in"].data[dgl.EID].long()
    own = torch.ones(len(ids)) if incidence is None else incidence[ids]
    assert bool((weight >= own.double() * (1 - 1e-6)).all())
    sizes = first.in_degrees(etype="in")
    true = graph.in_degrees(first.dstnodes["hyperedge"].data[dgl.NID], etype="in")
    assert torch.equal(sizes, true.clamp_max(3).to(sizes))
    # At -1 all are taken, as they are.
    full = pairs[1][0].edges["in"].data
    assert ("weight" in full) is weighted
    model = HyperSAGE(4, 8, 2)
    whole = HyperSAGESampler(2, alpha=8, member_weight=by)
    feat = torch.rand(32, 4)
    found, _, pairs = whole.sample(graph, torch.tensor([3, 31, 7]))
    expected = model.eval()(graph, feat)[[3, 31, 7]]
    torch.testing.assert_close(model(pairs, feat[found["node"].long()]), expected)


@pytest.mark.parametrize(
    "bad",
    [
        torch.ones(3),
        torch.zeros(5),
        torch.full((5,), torch.inf),
        torch.full((5,), torch.nan),
        torch.ones(5, dtype=torch.complex64),
    ],
)
def test_bad_weights_of_members_are_refused(bad):
    graph = hypergraph([[0, 1, 2], [2, 3, 4]])
    with pytest.raises(ValueError, match="give each a positive finite number"):
        HyperSAGESampler(1, alpha=1, member_weight=bad).sample(graph, [0])
    with pytest.raises(ValueError, match="remove_hyperedges"):
        HyperSAGESampler(1, 1, member_weight=torch.ones(5)).sample(graph, [0], {"in": [0]})
