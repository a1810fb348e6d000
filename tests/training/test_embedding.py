"""Embeddings without labels: GraphSAGE's loss, what is drawn, and what is learned."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import (
    CoMembership,
    CoMembershipBatches,
    Objective,
    embed,
    fit,
    sampler_for,
    seed_everything,
)

SETS = [[0, 1, 2], [2, 3], [4], [3, 5, 6, 0], [2, 3]]
G = hypergraph(SETS, 8)
FEAT = torch.rand(8, 5, generator=torch.Generator().manual_seed(1))


def encoder(**options):
    seed_everything(0)
    return HyperSAGE(5, 8, 4, dropout=0.0, **options)


def test_the_loss_is_that_of_graphsage():
    model, batches = CoMembership(encoder()), CoMembershipBatches(G, FEAT, negatives=3)
    seed_everything(4)
    (batch,) = batches
    with torch.no_grad():
        z = model.encoder(G, FEAT)
        loss = Objective()(model(batch.graph, batch.feat), batch.labels)
    count = len(batches.nodes)
    left, right = batch.graph.left.tolist(), batch.graph.right.tolist()
    assert left[count:] == [u for u in left[:count] for _ in range(3)]
    expected = 0.0
    for i in range(count):
        expected -= F.logsigmoid(z[left[i]] @ z[right[i]]).item()
        for k in range(3):
            expected -= F.logsigmoid(-z[left[i]] @ z[right[count + 3 * i + k]]).item()
    assert float(loss) == pytest.approx(expected / (4 * count), rel=1e-5)


def test_partners_are_drawn_by_hyperedge_and_then_by_member():
    batches = CoMembershipBatches(G, FEAT)
    # Node 4 is alone in its hyperedge, node 7 in none.
    assert batches.nodes.tolist() == [0, 1, 2, 3, 5, 6]
    seed_everything(2)
    draws = 20_000
    for u in batches.nodes.tolist():
        chances = np.zeros(8)
        own = [s for s in SETS if u in s and len(s) > 1]
        for members in own:
            for v in set(members) - {u}:
                chances[v] += 1 / len(own) / (len(members) - 1)
        found = batches.partners(torch.full((draws,), u)).bincount(minlength=8).numpy() / draws
        assert found[chances == 0].sum() == 0
        np.testing.assert_allclose(found, chances, atol=4.5 * 0.5 / draws**0.5)


def test_negatives_are_drawn_by_degree():
    seed_everything(3)
    draws = 20_000
    found = CoMembershipBatches(G, FEAT, negatives=2).strangers(draws // 2)
    assert found.shape == (draws // 2, 2)
    degrees = np.array([sum(v in s for s in SETS) for v in range(8)]) ** 0.75
    shares = found.flatten().bincount(minlength=8).numpy() / draws
    np.testing.assert_allclose(shares, degrees / degrees.sum(), atol=4.5 * 0.5 / draws**0.5)


def test_blocks_with_all_members_give_the_logits_of_the_whole():
    model = CoMembership(encoder())
    sampled = CoMembershipBatches(G, FEAT.to_sparse_csr(), sampler_for(model.encoder, G))
    whole = CoMembershipBatches(G, FEAT)
    parts = torch.tensor([0, 2, 6]), torch.tensor([1, 3, 5]), torch.tensor([[4], [7], [2]])
    one, other = (model(b.graph, b.feat) for b in (x.batch(*parts) for x in (sampled, whole)))
    torch.testing.assert_close(one, other)


def planted(is_planted, count=240, nodes=90, seed=0):
    """Hyperedges within one of three kinds, or, for the control, of any nodes."""
    numbers = np.random.default_rng(seed)
    kinds = np.arange(nodes) % 3
    sets = []
    for i in range(count):
        pool = np.flatnonzero(kinds == i % 3) if is_planted else np.arange(nodes)
        sets.append(numbers.choice(pool, 4, replace=False).tolist())
    return hypergraph(sets, nodes), torch.from_numpy(kinds)


@pytest.mark.parametrize(("is_planted", "low", "high"), [(True, 0.9, 1.0), (False, 0.0, 0.6)])
def test_kinds_are_found_where_they_are_planted_and_not_in_the_control(is_planted, low, high):
    g, kinds = planted(is_planted)
    feat = torch.eye(90)
    seed_everything(0)
    model = HyperSAGE(90, 16, 16, num_layers=1, dropout=0.0)
    batches = CoMembershipBatches(g, feat, sampler_for(model, g, alpha=3), batch_size=45)
    fit(CoMembership(model), batches, epochs=15, lr=0.02, weight_decay=0.0)
    rows = embed(model, g, feat).numpy()
    judge = LogisticRegression(max_iter=1000).fit(rows[:45], kinds[:45])
    assert low <= judge.score(rows[45:], kinds[45:]) <= high


def test_an_encoder_embeds_what_it_has_never_seen_also_in_chunks():
    model, other = encoder(), hypergraph([[0, 1], [1, 2, 3]])
    rows = embed(model.train(), other, FEAT[:4])
    assert model.training
    with torch.no_grad():
        torch.testing.assert_close(rows, model.eval()(other, FEAT[:4]))
    torch.testing.assert_close(embed(model, other, FEAT[:4], batch_size=2), rows)
    assert embed(HGNN(5, 8, 4), other, FEAT[:4]).shape == (4, 4)


def test_a_resumed_run_draws_the_same(tmp_path):
    found = []
    for folder, stops in ((tmp_path / "a", (4,)), (tmp_path / "b", (2, 4))):
        model = CoMembership(encoder())
        for epochs in stops:
            batches = CoMembershipBatches(G, FEAT, batch_size=2)
            fit(model, batches, epochs=epochs, folder=folder, resume=epochs > stops[0])
        found.append(embed(model.encoder, G, FEAT))
    assert torch.equal(*found)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="nothing to learn from"):
        CoMembershipBatches(hypergraph([[0], [1]]), torch.eye(2))
    with pytest.raises(ValueError, match="features"):
        fit(CoMembership(encoder()), CoMembershipBatches(G, torch.rand(8, 3)), epochs=1)
    with pytest.raises(ValueError, match="negatives"):
        CoMembershipBatches(G, FEAT, negatives=0)


def test_an_embedding_is_a_number():
    model = encoder()
    with torch.no_grad():
        model.first.linear.weight.fill_(torch.nan)
    for batch_size in (None, 2):
        with pytest.raises(FloatingPointError, match=r"embeddings of \d nodes, first of node"):
            embed(model, G, FEAT, batch_size)
