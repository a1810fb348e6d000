"""Threads that share a layer, a model or a predictor get what one thread gets."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.data import split_hyperedges
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, HyperSAGEConv
from hypersage_dgl.training import (
    Predictor,
    accuracy_on,
    auroc_on,
    draw_negatives,
    embed,
    hyperedge_score_on,
    sampled_logits,
    score_candidates,
    score_on,
)

NODES, WIDTH = 300, 6


@pytest.fixture(autouse=True)
def switch_often():
    """Let threads take turns after every few instructions, so that a race shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def graph(seed: int, size: int = 4):
    numbers = torch.Generator().manual_seed(seed)
    members = torch.randint(NODES, (NODES * 3,), generator=numbers)
    return hypergraph_from_incidence(members, torch.arange(len(members)) // size, NODES)


def features(seed: int = 0) -> torch.Tensor:
    return torch.rand(NODES, WIDTH, generator=torch.Generator().manual_seed(seed)) + 0.1


def together(*jobs: Callable[[], torch.Tensor]) -> list[torch.Tensor]:
    """Results of jobs that start at the same moment, each in a thread of its own."""
    barrier = threading.Barrier(len(jobs))

    def start(job):
        barrier.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [done.result() for done in [pool.submit(start, job) for job in jobs]]


@pytest.mark.parametrize("inter", ["paper", "invariant"])
def test_one_layer_on_two_hypergraphs(inter):
    feat = features()
    for trial in range(5):
        graphs = graph(trial, 3), graph(trial + 100, 7)
        torch.manual_seed(trial)
        alone = HyperSAGEConv(WIDTH, 3, inter=inter)
        shared = HyperSAGEConv(WIDTH, 3, inter=inter)
        shared.load_state_dict(alone.state_dict())
        expected = [alone(g, feat) for g in graphs]
        # Fresh graphs: what is derived from them is derived in the threads.
        fresh = [graph(trial, 3), graph(trial + 100, 7)]
        for _ in range(2):
            found = together(
                *(lambda g=g, layer=shared: layer(g, feat).detach() for g in fresh * 2)
            )
            for result, right in zip(found, expected * 2):
                assert torch.equal(result, right)


@pytest.mark.parametrize("batch_size", [None, 64], ids=["whole", "streamed"])
def test_predictions_of_a_model_in_training_mode(batch_size):
    model = HyperSAGE(WIDTH, 8, 3, dropout=0.5, norm=nn.BatchNorm1d, inter="paper").train()
    model(graph(0), features())
    modes = [module.training for module in model.modules()]
    predictor, g, feat = Predictor(model), graph(1), features(1)
    right = predictor.predict(graph(1), feat, batch_size).probabilities
    for _ in range(3):
        jobs = [lambda: predictor.predict(g, feat, batch_size).probabilities] * 8
        assert all(torch.equal(found, right) for found in together(*jobs))
    assert [module.training for module in model.modules()] == modes


@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
def test_arrivals_from_many_threads(include_self):
    model = HyperSAGE(WIDTH, 8, 3, inter="invariant", include_self=include_self).train()
    predictor = Predictor(model)
    predictor.attach(graph(2), features(2))
    new = features(3)[:8]

    def job(i):
        return lambda: predictor.predict_new(new[i : i + 1], [[i, i + 9]]).probabilities

    jobs = [job(i) for i in range(8)]
    right = [job() for job in jobs]
    for _ in range(4):
        found = together(*jobs)
        assert all(torch.equal(a, b) for a, b in zip(found, right))
    assert model.training


def test_inference_beside_training():
    # The weights do not change, but the mode does, and dropout acts in the other thread.
    model = HyperSAGE(WIDTH, 8, 3, dropout=0.9)
    g, feat = graph(4), features(4)
    right, stop = model.inference(g, feat, 50), threading.Event()

    def switch() -> None:
        while not stop.is_set():
            model.train()
            model.eval()

    other = threading.Thread(target=switch)
    other.start()
    try:
        found = [model.inference(g, feat, 50) for _ in range(10)]
    finally:
        stop.set()
        other.join()
    assert all(torch.equal(each, right) for each in found)


def test_arrivals_that_stay_from_many_threads():
    """Each prediction sees all of a commit or nothing of it, and no commit is lost."""
    model = HyperSAGE(WIDTH, 8, 3)
    predictor, new = Predictor(model), features(3)
    predictor.attach(graph(2), features(2))
    alone = [predictor.predict_new(new[i : i + 1], [[i]]).probabilities for i in range(4)]

    def commit(i):
        def job():
            for k in range(20):
                place = 4 + 20 * i + k
                # A hyperedge of two that stays for one more arrival.
                done = predictor.commit(new[place : place + 1], [[]], [[NODES - 1]])
                predictor.commit(incidences=[(done.nodes[0], done.hyperedges[0])])
            return torch.zeros(1)

        return job

    def predict(i):
        def job():
            for _ in range(20):
                predictor.predict_new(new[i : i + 1], [[i]], [[NODES - 2]])
            return predictor.predict_new(new[i : i + 1], [[i]]).probabilities

        return job

    found = together(*(commit(i) for i in range(4)), *(predict(i) for i in range(4)))
    now = predictor.attached()
    assert now.graph.num_nodes("node") == NODES + 80
    assert now.graph.num_edges("in") == graph(2).num_edges("in") + 160
    assert torch.equal(now.feat[NODES:].sort(0).values, new[4:84].sort(0).values)
    again = [predictor.predict_new(new[i : i + 1], [[i]]).probabilities for i in range(4)]
    for result, before, after in zip(found[4:], alone, again):
        assert result.shape == before.shape == after.shape


def test_one_arrival_is_computed_on_one_thread_and_leaks_nothing(monkeypatch):
    before, seen = torch.get_num_threads(), []
    predictor = Predictor(HyperSAGE(WIDTH, 8, 3))
    predictor.attach(graph(2), features(2))
    forward = HyperSAGE.forward

    def watched(*args):
        seen.append(torch.get_num_threads())
        return forward(*args)

    monkeypatch.setattr(HyperSAGE, "forward", watched)
    try:
        torch.set_num_threads(2)
        predictor.predict_new(features(3)[:1], [[1]])
        predictor.predict_new(features(3)[:100], [[1]] * 100)
        assert seen == [1, 2]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_nobody_who_scores_switches_the_mode_of_a_shared_model():
    """Another thread that looks at the model meanwhile would compute in the wrong mode."""
    g, feat = graph(0), features()
    nodes, labels = torch.arange(20), torch.arange(NODES) % 3
    of_hyperedges = torch.arange(g.num_nodes("hyperedge")) % 3
    split = split_hyperedges(g)
    negatives = draw_negatives(g, split, "val", ["sized"])
    of_nodes = HyperSAGE(WIDTH, 8, 3, dropout=0.5)
    of_sets = HyperedgePredictor(HyperSAGE(WIDTH, 8, 4), CandidateScorer(4, dropout=0.5))
    of_classes = HyperedgePredictor(HyperSAGE(WIDTH, 8, 4), CandidateScorer(4, out_feats=3))
    jobs = [
        (of_nodes, accuracy_on(g, feat, labels, nodes)),
        (of_nodes, score_on(g, feat, labels, nodes)),
        (of_nodes, lambda model: sampled_logits(model, g, feat, nodes, alpha=2)),
        (of_nodes, lambda model: embed(model, g, feat)),
        (of_sets, lambda model: score_candidates(model, g, feat, [(0, 1)])),
        (of_sets, auroc_on(split, feat, negatives)),
        (of_classes, hyperedge_score_on(g, feat, of_hyperedges, nodes)),
    ]
    for model, job in jobs:
        model.train()
        seen = []
        handle = model.register_forward_pre_hook(
            lambda view, _, model=model, seen=seen: seen.append(
                [(shared.training, own.training) for shared, own in both(model, view)]
            )
        )
        job(model)
        handle.remove()
        assert seen
        assert all(mode == (True, False) for each in seen for mode in each)
        assert all(module.training for module in model.modules())


def both(model, view):
    return zip(model.modules(), view.modules(), strict=True)
