"""The hyperedges of a batch are not in its graph; what is planted is learned."""

from __future__ import annotations

import dgl
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from hypersage_dgl import hypergraph
from hypersage_dgl.data import member_sets, split_hyperedges
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, Mean, Question
from hypersage_dgl.training import (
    HyperedgeBatches,
    HyperedgeLabels,
    auroc,
    draw_negatives,
    evaluate_hyperedges,
    fit,
    hyperedge_score_on,
    load_checkpoint,
    sampler_for,
    seed_everything,
)

NODES, GROUPS = 60, 4


def made(planted: bool, count=150, seed=0):
    """Hyperedges of 3 or 4 nodes, of one group or of any; every tenth twice; features by group."""
    numbers = np.random.default_rng(seed)
    group = np.arange(NODES) % GROUPS
    sets = []
    for i in range(count):
        chosen = np.flatnonzero(group == i % GROUPS) if planted else np.arange(NODES)
        sets.append(numbers.permutation(chosen)[: 3 + i % 2].tolist())
    feat = torch.from_numpy(np.eye(GROUPS)[group] + 0.5 * numbers.random((NODES, GROUPS)))
    return hypergraph(sets + sets[::10], NODES), feat.float()


def predictor(seed=0, **options) -> HyperedgePredictor:
    torch.manual_seed(seed)
    options = {"dropout": 0.0, "num_layers": 1, **options}
    return HyperedgePredictor(HyperSAGE(GROUPS, 16, 16, **options), CandidateScorer(16, 16))


class Cheat(nn.Module):
    """Looks the candidates up: the largest overlap with a hyperedge of the graph, by Jaccard."""

    def forward(self, question, feat):
        present = [set(s) for s in member_sets(question.graph)]
        found = [
            max(len(set(c) & e) / len(set(c) | e) for e in present)
            for c in member_sets(question.candidates)
        ]
        return torch.tensor(found).unsqueeze(1)


def test_the_graph_of_a_batch_is_one_that_never_had_its_hyperedges():
    g, feat = made(planted=True)
    split = split_hyperedges(g)
    batches = HyperedgeBatches(split, feat, batch_size=20)
    seen = []
    for batch in batches:
        question, labels = batch.graph, batch.labels[:, 0]
        sets = member_sets(question.candidates)
        positives = [s for s, y in zip(sets, labels) if y == 1]
        assert len(positives) * 2 == len(sets)
        assert set(positives) <= set(split.train)
        assert not {s for s, y in zip(sets, labels) if y == 0} & split.real
        rest = [s for s in member_sets(split.graph) if s not in positives]
        assert member_sets(question.graph) == rest
        fresh = hypergraph(rest, NODES)
        for kind, key in (("node", "degree"), ("hyperedge", "size")):
            assert torch.equal(question.graph.nodes[kind].data[key], fresh.nodes[kind].data[key])
        seen += positives
    assert sorted(seen) == sorted(split.train)
    assert len(batches) == -(-len(split.train) // 20)


def test_a_cheat_finds_all_in_the_whole_graph_and_nothing_in_that_of_a_batch():
    g, feat = made(planted=False)
    split, cheat = split_hyperedges(g), Cheat()
    batches, whole, cut, truth = HyperedgeBatches(split, feat, negatives=["sized"]), [], [], []
    torch.manual_seed(0)
    for _ in range(4):
        for batch in batches:
            truth.append(batch.labels)
            cut.append(cheat(batch.graph, feat))
            whole.append(cheat(batch.graph._replace(graph=split.graph), feat))
    truth, cut, whole = (torch.cat(each)[:, 0] for each in (truth, cut, whole))
    assert auroc(truth.long(), whole) == 1.0
    # Of 4 times 90 pairs: the standard deviation of chance is about 0.02.
    assert 0.42 < auroc(truth.long(), cut) < 0.58


def test_a_planted_hypergraph_is_learned_and_a_random_one_is_not():
    found = {}
    for planted in (True, False):
        g, feat = made(planted)
        split = split_hyperedges(g)
        model = predictor()
        batches = HyperedgeBatches(split, feat, batch_size=18)
        fit(model, batches, epochs=12, lr=0.02, weight_decay=0)
        scores = evaluate_hyperedges(model, split, feat, draw_negatives(g, split, seed=2))
        found[planted] = scores["sized"].auroc
    assert found[True] > 0.85
    # 30 against 30: the standard deviation of chance is 0.075.
    assert 0.25 < found[False] < 0.75


def test_blocks_of_all_neighbours_give_what_the_whole_graph_gives():
    g, feat = made(planted=True)
    split, model = split_hyperedges(g), predictor(num_layers=2).double()
    positives, negatives = split.train[:9], [(0, 1, 2), (7, 9, 20, 21)]
    sampler = HyperSAGESampler(2)
    outputs = [
        model(batch.graph, batch.feat)
        for batch in (
            HyperedgeBatches(split, feat.double(), sampler=given).batch(positives, negatives)
            for given in (None, sampler)
        )
    ]
    torch.testing.assert_close(*outputs)
    assert outputs[0].shape == (11, 1)


def test_blocks_hold_no_hyperedge_of_the_batch():
    g, feat = made(planted=True)
    split = split_hyperedges(g)
    batches = HyperedgeBatches(split, feat, sampler=HyperSAGESampler(1))
    positives = split.train[:5]
    batch = batches.batch(positives, [])
    ((inside, _),) = batch.graph.graph
    u, e = inside.edges(etype="in")
    nodes = inside.srcnodes["node"].data[dgl.NID]
    drawn = {}
    for node, edge in zip(nodes[u].tolist(), e.tolist()):
        drawn.setdefault(edge, set()).add(node)
    assert not {tuple(sorted(s)) for s in drawn.values()} & set(positives)


@pytest.mark.parametrize("sampled", [False, True])
def test_a_run_that_is_resumed_is_the_same_run(tmp_path, sampled):
    g, feat = made(planted=True, count=60)
    split = split_hyperedges(g)
    losses = []
    for folder, parts in ((None, [4]), (tmp_path, [2, 4])):
        for epochs in parts:
            seed_everything(0)
            sampler = HyperSAGESampler(1, alpha=2) if sampled else None
            batches = HyperedgeBatches(split, feat, batch_size=10, sampler=sampler)
            model = predictor()
            resume = folder is not None and epochs == 4
            history = fit(model, batches, epochs=epochs, seed=3, folder=folder, resume=resume)
        losses.append([epoch.loss for epoch in history.epochs])
    assert losses[0] == losses[1]
    loaded = load_checkpoint(tmp_path, model=predictor(5)).model
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value)
    other = HyperedgeBatches(split_hyperedges(g, seed=1), feat, batch_size=10)
    with pytest.raises(ValueError, match="resume with the same"):
        fit(predictor(), other, epochs=5, seed=3, folder=tmp_path, resume=True)


def test_sparse_features_serve_as_well():
    g, feat = made(planted=True, count=40)
    split, model = split_hyperedges(g), predictor()
    for given in (None, HyperSAGESampler(1)):
        batches = [
            HyperedgeBatches(split, f, sampler=given).batch(split.train, [(0, 1)])
            for f in (feat, feat.to_sparse_csr())
        ]
        dense, sparse = (model(batch.graph, batch.feat) for batch in batches)
        torch.testing.assert_close(dense, sparse)


def test_a_batch_leaves_most_of_the_graph():
    g, feat = made(planted=True, count=40)
    split = split_hyperedges(g)
    assert HyperedgeBatches(split, feat).batch_size == -(-len(split.train) // 10)
    many = split._replace(train=split.train * 200)
    assert HyperedgeBatches(many, feat).batch_size == 256


def test_what_does_not_fit_is_refused():
    g, feat = made(planted=True, count=40)
    split = split_hyperedges(g)
    for negatives in ([], ["hard"], "sized"):
        with pytest.raises(ValueError, match="negatives are"):
            HyperedgeBatches(split, feat, negatives=negatives)
    model = predictor(inter="paper").encoder
    with pytest.raises(ValueError, match="counted the neighbours"):
        HyperedgeBatches(split, feat, sampler=sampler_for(model, split.graph))
    with pytest.raises(ValueError, match="rows"):
        HyperedgeBatches(split, feat[:5])
    with pytest.raises(ValueError, match="4"):
        fit(predictor(), HyperedgeBatches(split, feat[:, :2]), epochs=1)


EDGES, KINDS = 90, 3


def planted():
    """Nodes of three kinds with noisy features; hyperedges have mostly members of one kind."""
    numbers = np.random.default_rng(0)
    kinds = np.arange(NODES) % KINDS
    sets, labels = [], []
    for i in range(EDGES):
        own = numbers.choice(np.flatnonzero(kinds == i % KINDS), 3 + i % 3, replace=False)
        sets.append([*own.tolist(), int(numbers.integers(NODES))])
        labels.append(i % KINDS)
    feat = torch.eye(KINDS)[kinds] + 0.5 * torch.from_numpy(numbers.random((NODES, KINDS))).float()
    return hypergraph(sets, NODES), feat, torch.tensor(labels)


G, FEAT, LABELS = planted()
ORDER = torch.from_numpy(np.random.default_rng(1).permutation(EDGES))
TRAIN, TEST = ORDER[:50], ORDER[50:]


def trained(labels, outputs, **options):
    seed_everything(0)
    head = CandidateScorer(16, 16, Mean(), out_feats=outputs)
    model = HyperedgePredictor(HyperSAGE(KINDS, 16, 16, 1, dropout=0.0), head)
    batches = HyperedgeLabels(G, FEAT, labels, TRAIN)
    fit(model, batches, epochs=80, lr=0.02, weight_decay=0.0, seed=0, **options)
    return model


def shuffled(labels):
    mixed = labels.clone()
    mixed[TRAIN] = labels[TRAIN[torch.from_numpy(np.random.default_rng(2).permutation(len(TRAIN)))]]
    return mixed


def test_planted_classes_are_learned_and_shuffled_ones_are_not():
    accuracy = hyperedge_score_on(G, FEAT, LABELS, TEST)
    assert accuracy(trained(LABELS, KINDS)) > 0.9
    assert accuracy(trained(shuffled(LABELS), KINDS)) < 0.65


def test_planted_numbers_are_learned_and_shuffled_ones_are_not():
    # The mean of a feature over the members.
    means = torch.stack([FEAT[list(members), 0].mean() for members in member_sets(G)])
    r2 = hyperedge_score_on(G, FEAT, means, TEST, task="regression")
    assert r2(trained(means, 1, task="regression")) > 0.8
    assert r2(trained(shuffled(means), 1, task="regression")) < 0.3


def test_a_score_is_counted_by_hand_and_rows_of_labels_are_learned_too():
    rows = F.one_hot(LABELS, KINDS)
    model = trained(rows, KINDS, task="multilabel")
    with torch.no_grad():
        on = model(Question(G, G), FEAT)[TEST] > 0
    hits = int((on & rows[TEST].bool()).sum())
    f1 = 2 * hits / int(on.sum() + rows[TEST].sum())
    assert hyperedge_score_on(G, FEAT, rows, TEST, task="multilabel")(model) == pytest.approx(f1)
    assert f1 > 0.85


def test_a_checkpoint_remembers_the_task_and_makes_the_model_again(tmp_path):
    model = trained(LABELS, KINDS, folder=tmp_path)
    kept = load_checkpoint(tmp_path)
    assert kept.about.task == "classification"
    with torch.no_grad():
        assert torch.equal(kept.model.eval()(Question(G, G), FEAT), model(Question(G, G), FEAT))


@pytest.mark.parametrize(
    ("labels", "ids", "told"),
    [
        (LABELS[:5], TRAIN, "a class for each of the 90 hyperedges"),
        (LABELS, torch.tensor([90]), "hyperedge id 90"),
        (LABELS, torch.zeros(EDGES, dtype=torch.bool), "there is no hyperedge to train on"),
        (LABELS, torch.tensor([1, 1]), "a hyperedge to train on is repeated"),
    ],
    ids=["labels", "id", "none", "twice"],
)
def test_labels_that_do_not_fit_are_refused(labels, ids, told):
    with pytest.raises(ValueError, match=told):
        HyperedgeLabels(G, FEAT, labels, ids)
