"""Training by a recipe: it reads no test label, and samples where it is told to."""

from __future__ import annotations

import pytest
import torch

from experiments.protocol import BATCH_SIZE, METHODS
from experiments.recipe import Recipe
from experiments.runs.data import Bench, open_bench
from experiments.runs.train import train_by_recipe
from hypersage_dgl.training import Minibatches

SHORT = {"epochs": 3}


@pytest.fixture(scope="module")
def bench():
    return open_bench("synthetic")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.many
def test_test_labels_are_not_read(bench, method):
    recipe = Recipe(method, rounds=1, share=0.1, **SHORT)
    split = bench.dataset.data.splits[0]
    nodes = split.train
    other = Bench(bench.dataset)
    other.labels = bench.labels.clone()
    other.labels[split.test] = 0
    ours, theirs = (train_by_recipe(recipe, b, nodes, seed=5) for b in (bench, other))
    assert torch.equal(ours, theirs)


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

    def started(self, graph, feat, labels, nodes, sampler, **options):
        sizes.append((len(nodes), sampler.alpha))
        inner(self, graph, feat, labels, nodes, sampler, **options)

    monkeypatch.setattr(Minibatches, "__init__", started)
    recipe = Recipe("hypersage", epochs=3, alpha=2, rounds=1, share=0.5)
    train_by_recipe(recipe, bench, torch.arange(40), seed=0)
    (first, alpha), (second, alpha_again) = sizes
    assert (first, alpha, alpha_again) == (40, [2, 2], [2, 2])
    rest = len(bench.labels) - 40
    assert 0.5 * rest <= second - 40 <= 0.5 * rest + bench.dataset.num_classes
