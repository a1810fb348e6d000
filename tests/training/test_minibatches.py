"""Minibatches: any sampler and module, the device, and logits by samples."""

from __future__ import annotations

import pytest
import torch
from small_hypergraph import CLASSES, NODES, WIDTH, model_for
from torch import nn

from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv
from hypersage_dgl.training import Minibatches, fit, sampled_logits
from hypersage_dgl.training.minibatches import _unless_killed

from .cases import sampled, small

TRAIN = torch.tensor([7, 2, 12, 4, 0])


class Own(nn.Module):
    """Someone's own module for pairs of blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.below = HyperSAGEConv(WIDTH, 8, activation=torch.relu)
        self.above = HyperSAGEConv(8, CLASSES)

    def forward(self, pairs, feat):
        return self.above(pairs[1], self.below(pairs[0], feat))


def test_a_module_of_ones_own_learns_from_samples():
    torch.manual_seed(0)
    case, model = small(), Own().double()
    batches = Minibatches(*case, TRAIN, HyperSAGESampler(2, alpha=2), batch_size=3)
    assert len(batches) == 2
    history = fit(model, batches, epochs=30, lr=0.05)
    assert history.epochs[-1].loss < 0.8 * history.epochs[0].loss


def test_a_batch_is_what_the_model_is_called_with():
    case, model = small(), model_for()
    for batch in sampled(model, *case, TRAIN, batch_size=2, alpha=1):
        assert len(batch.graph) == 2
        assert len(batch.feat) == batch.graph[0][0].num_src_nodes("node")
        assert len(model(batch.graph, batch.feat)[batch.rows]) == len(batch.labels)


def test_a_sampler_for_another_number_of_layers_is_refused():
    batches = Minibatches(*small(), TRAIN, HyperSAGESampler(3))
    with pytest.raises(ValueError, match="3 pairs of blocks for 2 layers"):
        fit(model_for(), batches, epochs=1)


def test_a_sampler_without_the_counts_of_a_weighting_is_refused():
    batches = Minibatches(*small(), TRAIN, HyperSAGESampler(2))
    with pytest.raises((KeyError, ValueError), match="num_neighbors"):
        fit(model_for(inter="paper"), batches, epochs=1)


def test_logits_by_full_samples_are_those_of_the_whole():
    case, model = small(), model_for(2, dropout=0.5).train()
    found = sampled_logits(model, case.graph, case.feat, TRAIN, batch_size=2)
    assert model.training
    assert not found.requires_grad
    expected = model.eval()(case.graph, case.feat).detach()
    torch.testing.assert_close(found[TRAIN], expected[TRAIN])
    others = torch.ones(NODES, dtype=torch.bool)
    others[TRAIN] = False
    assert not found[others].any()


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, FileNotFoundError])
def test_a_pipe_that_a_dead_worker_closed_is_an_error_that_names_the_cure(error):
    def loader():
        yield "batch"
        raise error

    batches = _unless_killed(loader())
    assert next(batches) == "batch"
    with pytest.raises(RuntimeError, match=r"worker exited unexpectedly.*num_workers=0"):
        next(batches)


def test_what_a_living_worker_raises_is_its_own_error():
    def loader():
        yield "batch"
        raise OSError("Caught OSError in DataLoader worker process 0.")

    batches = _unless_killed(loader())
    next(batches)
    with pytest.raises(OSError, match="Caught OSError"):
        next(batches)
