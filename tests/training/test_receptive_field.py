"""What a labelled node can see, cut out, gives it the same logits and gradients as the whole."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from products import product
from small_hypergraph import CLASSES

from hypersage_dgl import hypergraph, validate
from hypersage_dgl.nn import HyperSAGE, baselines
from hypersage_dgl.training import FullGraph
from hypersage_dgl.training.receptive_field import sight_of, within_reach

from .cases import full, logits_of, whole

WIDTH = 6
KINDS = {kind.__name__: kind for kind in baselines.BASELINES.values()}
NODES = 90
LABELS = torch.arange(NODES) % CLASSES
LABELLED = torch.tensor([40, 3, 41, NODES - 1])
CUT = [kind for kind in KINDS if kind != "MLPHLR"]
CHAIN = hypergraph([[i, i + 1] for i in range(NODES - 1)])


def features(rows: int) -> torch.Tensor:
    """Double precision, about half zeros."""
    numbers = torch.Generator().manual_seed(11)
    x = torch.rand(rows, WIDTH, generator=numbers, dtype=torch.float64)
    return x * (torch.rand(rows, WIDTH, generator=numbers) > 0.5)


def model_for(kind: str, **options):
    """Double precision, always the same weights, biases that keep hidden units alive; evaluates."""
    torch.manual_seed(2)
    model = KINDS[kind](WIDTH, 4, CLASSES, **options).double().eval()
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.uniform_(parameter, 0.1, 1)
    return model


def long_hypergraph(seed: int, weighted: bool, idtype=torch.int64):
    """Hyperedges of one to four members near each other, some equal; the last nodes isolated."""
    numbers = torch.Generator().manual_seed(seed)
    hyperedges = []
    for _ in range(70):
        start = int(torch.randint(NODES - 10, (1,), generator=numbers))
        size = int(torch.randint(1, 5, (1,), generator=numbers))
        hyperedges.append((start + torch.randperm(6, generator=numbers)[:size]).tolist())
    hyperedges += hyperedges[:2]
    weights = {}
    if weighted:
        count = sum(map(len, hyperedges))
        weights["hyperedge_weight"] = torch.rand(len(hyperedges), generator=numbers) + 0.1
        weights["incidence_weight"] = torch.rand(count, generator=numbers) + 0.1
    return hypergraph(hyperedges, NODES, idtype=idtype, **weights)


def outcome(model, batches: FullGraph) -> list[torch.Tensor]:
    """Logits of the labelled nodes, and the gradients of their loss."""
    (batch,) = batches
    logits = logits_of(model, batch)
    loss = F.cross_entropy(logits, batch.labels)
    return [logits, *torch.autograd.grad(loss, list(model.parameters()))]


@product(
    {
        "kind": CUT,
        "layers": [1, 2, 3],
        "weighted": [False, True],
        "layout": ["dense", "csr", "coo"],
    }
)
@pytest.mark.many
def test_cut_changes_no_logit_and_no_gradient(kind, layers, weighted, layout):
    feat = features(NODES)
    feat = {"csr": feat.to_sparse_csr, "coo": feat.to_sparse_coo, "dense": feat.clone}[layout]()
    model = model_for(kind, num_layers=layers)
    for seed in range(5):
        graph = long_hypergraph(seed, weighted, [torch.int64, torch.int32][seed % 2])
        pruned = full(model, graph, feat, LABELS, LABELLED)
        uncut = whole(model, graph, feat, LABELS, LABELLED)
        assert pruned.graph.num_nodes("node") < NODES
        assert len(pruned.feat) == pruned.graph.num_nodes("node")
        for ours, expected in zip(outcome(model, pruned), outcome(model, uncut)):
            torch.testing.assert_close(ours, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("layers", [2, 3])
@pytest.mark.parametrize("kind", ["HGNN", "FastHyperGCN", "CliqueGCN"])
def test_one_step_less_would_not_do(kind, layers):
    # CliqueSAGE, which needs no degree of the outermost nodes, would be content with it.
    model, feat, is_same = model_for(kind, num_layers=layers), features(NODES), []
    for seed in range(20):
        graph = long_hypergraph(seed, weighted=True)
        rows, cut = within_reach(graph, LABELLED[:1], model.reach - 1)
        (place,) = (rows == LABELLED[0]).nonzero()
        ours, expected = model(cut, feat[rows])[place], model(graph, feat)[LABELLED[:1]]
        is_same.append(torch.allclose(ours, expected))
    assert not all(is_same)


def test_hypergcn_sees_two_steps_a_layer():
    # Seldom, for a signal far away must make another member the end of a hyperedge of four.
    model, is_same = model_for("HyperGCN"), {2: [], 3: []}
    assert model.reach == 3
    for seed in range(95, 125):
        numbers = torch.Generator().manual_seed(seed)
        weight = 10 ** (torch.rand(8, generator=numbers) * 3)
        hyperedges = [list(range(3 * i, 3 * i + 4)) for i in range(8)]
        graph = hypergraph(hyperedges, 32, hyperedge_weight=weight)
        feat = torch.rand(32, WIDTH, dtype=torch.float64, generator=numbers)
        expected = model(graph, feat)[6]
        for reach, found in is_same.items():
            rows, cut = within_reach(graph, torch.tensor([6]), reach)
            (place,) = (rows == 6).nonzero()
            found.append(torch.allclose(model(cut, feat[rows])[place], expected, rtol=1e-9))
    assert all(is_same[3])
    assert not all(is_same[2])


@pytest.mark.parametrize("kind", CUT)
def test_features_with_a_gradient_get_the_same(kind):
    graph, found = long_hypergraph(1, weighted=True), []
    for make in (full, whole):
        feat, model = features(NODES).requires_grad_(), model_for(kind)
        batches = make(model, graph, feat, LABELS, LABELLED)
        # Twice: nothing of the first epoch may be left to go through again.
        for _ in range(2):
            (batch,) = batches
            F.cross_entropy(logits_of(model, batch), batch.labels).backward()
        found.append(feat.grad)
    assert 0 < int((found[1] != 0).any(1).sum()) < NODES
    torch.testing.assert_close(*found, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "layers", "reach"),
    [("HGNN", 1, 1), ("CliqueGCN", 2, 2), ("FastHyperGCN", 3, 3), ("HyperGCN", 2, 3)],
)
def test_a_long_chain_becomes_short(kind, layers, reach):
    model = model_for(kind, num_layers=layers)
    assert model.reach == reach
    batches = full(model, CHAIN, features(NODES), LABELS, torch.tensor([40]))
    # On both sides the nodes within reach and the outermost ones.
    assert batches.graph.num_nodes("node") == 2 * reach + 3
    assert batches.graph.num_nodes("hyperedge") == 2 * reach + 2


def test_mlp_needs_its_nodes_alone():
    batches = full(model_for("MLP"), CHAIN, features(NODES), LABELS, LABELLED)
    assert batches.graph.num_nodes("node") == len(LABELLED)
    assert batches.graph.num_nodes("hyperedge") == 0
    # In the order of the graph, whatever that of the nodes to train on.
    assert torch.equal(batches.feat, features(NODES)[LABELLED.sort().values])


def test_mlphlr_is_not_cut():
    model = model_for("MLPHLR")
    feat = features(NODES)
    batches = full(model, CHAIN, feat, LABELS, LABELLED)
    assert model.reach is None
    assert batches.graph is CHAIN
    assert batches.feat is feat


def test_nothing_is_cut_where_all_is_seen():
    feat, nodes = features(NODES), torch.arange(0, NODES, 2)
    batches = full(model_for("HGNN"), CHAIN, feat, LABELS, nodes)
    assert batches.graph is CHAIN
    assert batches.feat is feat


def test_learned_weights_are_not_cut_off():
    graph = long_hypergraph(0, weighted=True)
    graph.nodes["hyperedge"].data["weight"].requires_grad_()
    batches = full(model_for("HGNN"), graph, features(NODES), LABELS, LABELLED)
    assert batches.graph is graph


def test_cut_is_a_hypergraph_with_its_weights_and_whole_hyperedges():
    graph = long_hypergraph(2, weighted=True)
    rows, cut = within_reach(graph, torch.tensor([40]), 2)
    validate(cut)
    assert torch.equal(rows, rows.unique())
    # All weights differ, so they tell which incidences and hyperedges stayed.
    old, new = graph.edges["in"].data["weight"], cut.edges["in"].data["weight"]
    stays = torch.isin(old, new)
    assert torch.equal(old[stays], new)
    members = graph.edges(etype="in", order="eid")[0]
    assert torch.equal(members[stays], rows[cut.edges(etype="in", order="eid")[0]])
    before, after = graph.nodes["hyperedge"].data, cut.nodes["hyperedge"].data
    stays = torch.isin(before["weight"], after["weight"])
    assert 0 < int(stays.sum()) < len(stays)
    assert torch.equal(before["weight"][stays], after["weight"])
    assert torch.equal(before["size"][stays], after["size"])


def test_a_model_that_says_nothing_is_not_cut():
    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(WIDTH, CLASSES).double()
            self.in_feats = WIDTH

        @property
        def first(self):
            return self

        def forward(self, graph, feat):
            return self.linear(feat - feat.mean(0))

    batches = full(Own(), CHAIN, features(NODES), LABELS, LABELLED)
    assert batches.graph is CHAIN


def test_how_far_a_model_sees():
    sage = HyperSAGE(4, 8, 3, 3, inter="paper", include_self=False)
    assert sight_of(sage) == ("layers", 3, False)
    assert sight_of(HyperSAGE(4, 8, 3)) == ("layers", 2, None)
    assert sight_of(model_for("HyperGCN")) == ("reach", 3, None)
    assert sight_of(model_for("MLPHLR")) is None
    assert sight_of(torch.nn.Linear(2, 2)) is None
