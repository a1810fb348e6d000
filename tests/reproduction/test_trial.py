"""What a run does: its nodes, its seed, its lines."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from hypersage_dgl.data import load_dataset
from hypersage_dgl.reproduction.bench import Bench, open_bench
from hypersage_dgl.reproduction.recipe import METHODS, Recipe
from hypersage_dgl.reproduction.train import BATCH_SIZE, train_by_recipe
from hypersage_dgl.reproduction.trial import Trial, run_trial
from hypersage_dgl.training import FullGraph, Minibatches, evaluate, fit, seed_everything

SHORT = {"epochs": 3}
EASY = {"epochs": 40}


@pytest.fixture(scope="module")
def bench():
    return open_bench("synthetic")


def trial(table="table1", method="hypersage", **fields):
    return Trial(table, "synthetic", method, "paper", 1, **fields)


def test_a_line_has_what_was_run_and_what_came_out(bench):
    (row,) = run_trial(trial(p=1.0), Recipe("hypersage", {"p": 1.0}, **EASY), None, "the command")
    assert row["seconds"] > 0
    assert {
        key: row[key] for key in row if key not in ("seconds", "test_acc", "connected_acc")
    } == {
        "dataset": "synthetic",
        "method": "hypersage",
        "column": "paper",
        "split": 1,
        "init": 0,
        "p": 1.0,
        "alpha": None,
        "part": "test",
        "command": "the command",
    }
    split = bench.dataset.data.splits[0]
    model = _trained(bench, split.train, seed=trial().seed)
    with torch.no_grad():
        logits = model(bench.graph, bench.features("raw"))
    scores = evaluate(logits, bench.labels, split.test, bench.graph)
    # The library's plain path, without anything kept, says the same.
    assert row["test_acc"] == pytest.approx(scores.accuracy, abs=0.005)
    assert row["connected_acc"] == pytest.approx(scores.connected_accuracy, abs=0.005)
    assert row["test_acc"] > 2 / bench.dataset.num_classes


def _trained(bench, train, seed):
    seed_everything(seed)
    recipe = Recipe("hypersage", {"p": 1.0})
    model = recipe.build(bench.features("raw").shape[1], bench.dataset.num_classes)
    data = (bench.graph, bench.features("raw"), bench.labels, train)
    fit(model, FullGraph(model, *data), epochs=EASY["epochs"], seed=seed)
    return model


def test_seeds_decide_and_differ_by_split_and_init():
    def accuracy(**fields):
        return run_trial(trial(**fields), Recipe("hypersage", **SHORT), None, "")[0]["test_acc"]

    assert accuracy() == accuracy()
    assert accuracy() != accuracy(init=1)
    assert trial().seed != Trial("table1", "synthetic", "mlp", "paper", 2).seed


@pytest.mark.parametrize("method", METHODS)
def test_test_labels_are_not_read(bench, method):
    recipe = Recipe(method, rounds=1, share=0.1, **SHORT)
    split = bench.dataset.data.splits[0]
    nodes = split.train
    other = Bench(bench.dataset)
    other.labels = bench.labels.clone()
    other.labels[split.test] = 0
    ours, theirs = (train_by_recipe(recipe, b, nodes, seed=5) for b in (bench, other))
    assert torch.equal(ours, theirs)


def test_a_fold_scores_training_nodes_only(bench, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "hypersage_dgl.reproduction.trial.evaluate",
        lambda logits, labels, nodes, graph: seen.append(nodes) or evaluate(logits, labels, nodes),
    )
    rows = run_trial(trial("search", fold=2), Recipe("mlp", **SHORT), None, "")
    assert [row["part"] for row in rows] == ["validation"]
    assert np.isin(seen[0].numpy(), bench.dataset.data.splits[0].train).all()


def test_inductive_runs_are_scored_on_seen_and_unseen_nodes():
    recipe = Recipe("hypersage", {"p": 1.0}, **EASY)
    rows = run_trial(trial("table3", p=1.0), recipe, None, "")
    assert [row["part"] for row in rows] == ["seen", "unseen"]
    chance = 1 / load_dataset("synthetic").num_classes
    assert all(row["test_acc"] > 2 * chance for row in rows)


def test_sampled_training_takes_as_many_steps(bench, monkeypatch):
    steps = []
    inner = Minibatches.__iter__

    def iterate(self):
        for batch in inner(self):
            steps.append(len(batch.labels))
            yield batch

    monkeypatch.setattr(Minibatches, "__iter__", iterate)
    nodes = torch.arange(BATCH_SIZE + 20)
    train_by_recipe(Recipe("hypersage", epochs=6), bench, nodes, seed=0, alpha=2)
    assert len(steps) == 6
    assert sum(steps) == 3 * len(nodes)


def test_a_recipe_may_say_how_many_members_to_sample(bench):
    nodes = torch.arange(40)
    of_recipe = train_by_recipe(Recipe("hypersage", epochs=3, alpha=2), bench, nodes, seed=0)
    given = train_by_recipe(Recipe("hypersage", epochs=3), bench, nodes, seed=0, alpha=2)
    assert torch.equal(of_recipe, given)
    full = train_by_recipe(Recipe("hypersage", epochs=3), bench, nodes, seed=0)
    assert not torch.equal(full, given)


def test_sampling_goes_with_self_training(bench, monkeypatch):
    sizes = []
    inner = Minibatches.__init__

    def started(self, model, graph, feat, labels, nodes, **options):
        sizes.append((len(nodes), options["alpha"]))
        inner(self, model, graph, feat, labels, nodes, **options)

    monkeypatch.setattr(Minibatches, "__init__", started)
    recipe = Recipe("hypersage", epochs=3, alpha=2, rounds=1, share=0.5)
    train_by_recipe(recipe, bench, torch.arange(40), seed=0)
    (first, alpha), (second, alpha_again) = sizes
    assert (first, alpha, alpha_again) == (40, 2, 2)
    rest = len(bench.labels) - 40
    assert 0.5 * rest <= second - 40 <= 0.5 * rest + bench.dataset.num_classes


def test_rows_of_features_sum_to_one(bench):
    rows = bench.features("rows").to_dense()
    raw = bench.features("raw").to_dense()
    expected = raw / raw.sum(dim=1, keepdim=True).clamp(min=1e-30)
    torch.testing.assert_close(rows, expected)
    with pytest.raises(ValueError, match="'raw', 'rows' or 'idf'"):
        bench.features("columns")


def test_rare_columns_weigh_more_and_rows_have_unit_length(bench):
    raw = bench.features("raw").to_dense()
    expected = torch.zeros_like(raw, dtype=torch.float64)
    for column in range(raw.shape[1]):
        having = int((raw[:, column] != 0).sum())
        if having:
            expected[:, column] = raw[:, column] * math.log(len(raw) / having)
    for row in expected:
        row /= max(math.sqrt(math.fsum(float(value) ** 2 for value in row)), 1e-30)
    torch.testing.assert_close(bench.features("idf").to_dense(), expected.float())


def test_the_first_layer_is_computed_once_for_all_runs_of_a_recipe(bench):
    recipe = Recipe("hypersage", {"p": 2.0})
    models = [recipe.build(bench.features("raw").shape[1], 3) for _ in range(2)]
    first = bench.first(models[0], recipe)
    assert first is bench.first(models[1], recipe)
    with torch.no_grad():
        expected = models[1].first.hidden(bench.graph, bench.features("raw"))
    torch.testing.assert_close(first.to_dense(), expected.to_dense())
    other = Recipe("hypersage", {"p": 3.0})
    assert bench.first(other.build(bench.features("raw").shape[1], 3), other) is not first


def test_loops_give_isolated_nodes_a_hyperedge_of_their_own(bench):
    degree = bench.graph.nodes["node"].data["degree"]
    alone = int((degree == 0).sum())
    assert alone > 0
    looped = bench.structure(loops=True)
    assert bench.structure(loops=False) is bench.graph
    assert looped.num_nodes("hyperedge") == bench.graph.num_nodes("hyperedge") + alone
    assert torch.equal(looped.nodes["node"].data["degree"], degree.clamp(min=1))
    plain, loops = (Recipe("hypersage", {"normalize": False}, loops=on) for on in (False, True))
    model = plain.build(bench.features("raw").shape[1], 3)
    first, doubled = bench.first(model, plain).to_dense(), bench.first(model, loops).to_dense()
    own = bench.features("raw").to_dense()
    torch.testing.assert_close(first[degree == 0], own[degree == 0])
    torch.testing.assert_close(doubled[degree == 0], 2 * own[degree == 0])
    torch.testing.assert_close(doubled[degree > 0], first[degree > 0])


@pytest.mark.parametrize("option", [{"loops": True}, {"rounds": 1}, {"features": "idf"}])
def test_the_inductive_experiment_refuses_what_it_does_not_do(option):
    with pytest.raises(ValueError, match="without loops, self-training and idf"):
        run_trial(trial("table3"), Recipe("hypersage", **SHORT, **option), None, "")


def test_an_interrupted_training_is_no_result(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(FullGraph, "__iter__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_trial(trial(), Recipe("hypersage", **SHORT), None, "")
