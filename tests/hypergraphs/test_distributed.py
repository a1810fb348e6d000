"""A hypergraph in parts gives the blocks of the whole one, with its counts and weights."""

from __future__ import annotations

import contextlib
import io

import dgl
import pytest
import torch

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl.data import LabelledHypergraph, Split, partition
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.hypergraphs import check_stored, is_distributed, stored_neighbors
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import sampler_for

WIDTH, NODES = 3, 14


@pytest.fixture(scope="module")
def whole():
    numbers = torch.Generator().manual_seed(4)
    hyperedges = [[i, (i + 2) % 9, (3 * i) % 11] for i in range(11)] + [[4]]
    hyperedges = [sorted(set(e)) for e in hyperedges]
    weights = torch.rand(sum(map(len, hyperedges)), generator=numbers) + 0.5
    g = hypergraph(
        hyperedges,
        NODES,
        hyperedge_weight=torch.rand(12, generator=numbers) + 0.5,
        incidence_weight=weights,
    )
    return LabelledHypergraph(
        g,
        feat=torch.rand(NODES, WIDTH, generator=numbers) + 0.1,
        labels=torch.arange(NODES) % 2,
        class_names=("even", "odd"),
        splits=[Split([0, 1, 2], [], [3])],
    )


@pytest.fixture(scope="module")
def in_parts(whole, tmp_path_factory):
    """The same by DGL's engine without servers, which all in one process is."""
    folder = tmp_path_factory.mktemp("parts")
    config = partition(whole, folder, 1, neighbors="exact")
    with contextlib.redirect_stdout(io.StringIO()):
        dgl.distributed.initialize(str(folder / "none.txt"))
        yield dgl.distributed.DistGraph("hypergraph", part_config=str(config))
        dgl.distributed.exit_client()


def test_is_told_apart(whole, in_parts):
    assert is_distributed(in_parts)
    assert not is_distributed(whole.graph)
    check_stored(in_parts)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("inter", ["size", "mean", "paper", "invariant"])
def test_logits_are_those_of_the_whole(whole, in_parts, inter, include_self):
    model = HyperSAGE(WIDTH, 4, 2, p=2, inter=inter, include_self=include_self).eval()
    expected = model(whole.graph, whole.feat)
    data = in_parts.nodes["node"].data
    sampler = sampler_for(model, in_parts)
    for seeds in (torch.arange(NODES), torch.tensor([5]), torch.tensor([12, 13])):
        found, batch, pairs = sampler.sample(in_parts, {"node": seeds})
        logits = model(pairs, data["feat"][found["node"]])
        original = data["original_id"][batch["node"]]
        torch.testing.assert_close(logits, expected[original])


def test_learned_weights_of_members_have_their_counts(whole, in_parts):
    model = HyperSAGE(WIDTH, 4, 2, node_weight="hypermsg").eval()
    data = in_parts.nodes["node"].data
    found, batch, pairs = sampler_for(model, in_parts).sample(in_parts, torch.arange(NODES))
    logits = model(pairs, data["feat"][found["node"]])
    expected = model(whole.graph, whole.feat)
    torch.testing.assert_close(logits, expected[data["original_id"][batch["node"]]])


def test_samples_have_at_most_alpha_members_and_beta_hyperedges(in_parts):
    sampler = HyperSAGESampler(2, alpha=1, beta=2)
    for _, _, pairs in [sampler.sample_blocks(in_parts, torch.arange(NODES)) for _ in range(3)]:
        for first, second in pairs:
            assert int(first.in_degrees(etype="in").max()) == 1
            assert int(second.in_degrees(etype="contains").max()) == 2


def test_the_loader_of_the_engine_takes_the_sampler(in_parts):
    loader = dgl.dataloading.DistNodeDataLoader(
        in_parts, {"node": torch.arange(NODES)}, HyperSAGESampler(1), batch_size=5, shuffle=False
    )
    assert [len(batch["node"]) for _, batch, _ in loader] == [5, 5, 4]


def test_counts_are_stored_with_and_without_self(whole, in_parts):
    everyone = torch.arange(NODES)
    original = in_parts.nodes["node"].data["original_id"][everyone]
    for include_self in (True, False):
        expected = num_neighbors(whole.graph, include_self)[original]
        assert torch.equal(stored_neighbors(in_parts, include_self)[everyone], expected)


def test_what_lacks_is_named(in_parts):
    class Bare:
        canonical_etypes = in_parts.canonical_etypes

        class Nodes(dict):
            def __missing__(self, key):
                return type("Frame", (), {"data": {}})

        nodes = Nodes()

    with pytest.raises(ValueError, match="stores no 'size' of its hyperedges; write its parts"):
        check_stored(Bare())
    with pytest.raises(ValueError, match="stores no 'num_neighbors'"):
        stored_neighbors(Bare(), True)
    Bare.canonical_etypes = [("_N", "_E", "_N")]
    with pytest.raises(ValueError, match="a hypergraph has exactly"):
        check_stored(Bare())
    with pytest.raises(ValueError, match="member_weight is not known"):
        HyperSAGESampler(1, alpha=1, member_weight=torch.ones(NODES)).check(in_parts)
