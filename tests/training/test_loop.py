"""The loop does what a few lines of torch would do, stops when it should, and writes it down."""

from __future__ import annotations

import csv
import json

import pytest
import torch
import torch.nn.functional as F
from small_hypergraph import CLASSES, WIDTH, model_for
from torch import nn
from torch.testing import assert_close

from hypersage_dgl.nn import HyperSAGEConv, Mean
from hypersage_dgl.training import (
    Batch,
    FullGraph,
    evaluate,
    fit,
    load_checkpoint,
)

from .cases import assert_weights, full, sampled, small

TRAIN = torch.tensor([7, 2, 12, 4, 0])


def scores(*values):
    """A validation that gives these scores one after the other, and notes what it saw."""
    left, seen = list(values), []

    def validate(model):
        seen.append({k: v.clone() for k, v in model.state_dict().items()})
        return left.pop(0)

    return validate, seen


@pytest.mark.parametrize("make", [full, sampled])
def test_epochs_are_steps_of_adam_on_the_plain_loss(make):
    case, model, other = small(), model_for(2), model_for(2)
    optimizer = torch.optim.Adam(other.parameters(), lr=0.02, weight_decay=1e-3)
    losses = []
    for _ in range(5):
        loss = F.cross_entropy(other(case.graph, case.feat)[TRAIN], case.labels[TRAIN])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    batches = make(model, *case, TRAIN)
    history = fit(model, batches, epochs=5, lr=0.02, weight_decay=1e-3)
    assert losses[-1] < losses[0] - 0.01
    assert [epoch.loss for epoch in history.epochs] == pytest.approx(losses, rel=1e-7)
    torch.testing.assert_close(model.state_dict(), other.state_dict(), rtol=1e-6, atol=1e-8)
    assert not model.training


def test_the_loss_of_an_epoch_is_the_mean_over_its_nodes():
    # Batches of 4, 4 and 3 nodes, and steps of length 0.
    case, model = small(), model_for()
    nodes = torch.arange(11)
    expected = float(
        F.cross_entropy(model(case.graph, case.feat)[nodes], case.labels[nodes]).detach()
    )
    history = fit(model, sampled(model, *case, nodes, batch_size=4), epochs=1, lr=0.0)
    assert history.epochs[0].loss == pytest.approx(expected)


def test_patience_ends_the_run_and_the_best_epoch_comes_back():
    model = model_for()
    validate, seen = scores(0.1, 0.5, 0.5, 0.4, 0.3, 0.9)
    batches = full(model, *small(), TRAIN)
    history = fit(model, batches, epochs=50, validate=validate, patience=3)
    # A score that is as good is not better: epoch 2 counts, and 3, 4 and 5 brought nothing.
    assert [epoch.val for epoch in history.epochs] == [0.1, 0.5, 0.5, 0.4, 0.3]
    assert (history.best_epoch, history.best_val) == (2, 0.5)
    assert history.stopped == "no better score in 3 epochs"
    assert_weights(model, seen[1])
    assert not torch.equal(seen[1]["layers.0.linear.weight"], seen[2]["layers.0.linear.weight"])


def test_the_best_epoch_comes_back_without_patience():
    model = model_for()
    validate, seen = scores(0.1, 0.2, 0.7, 0.6)
    history = fit(model, full(model, *small(), TRAIN), epochs=4, validate=validate)
    assert (history.best_epoch, history.best_val, len(history.epochs)) == (3, 0.7, 4)
    assert history.stopped == "all epochs done"
    assert_weights(model, seen[2])


def test_zero_is_a_score_like_any_other():
    model = model_for()
    validate, _ = scores(-0.5, -0.1, 0.0, -0.2)
    history = fit(model, full(model, *small(), TRAIN), epochs=4, validate=validate)
    assert (history.best_epoch, history.best_val) == (3, 0.0)


def test_without_validation_the_last_epoch_counts():
    model = model_for()
    history = fit(model, full(model, *small(), TRAIN), epochs=3)
    assert (history.best_epoch, history.best_val) == (3, None)


def test_validation_sees_the_model_without_dropout_and_gradients():
    case, model = small(), model_for(dropout=0.5)
    states = []

    def validate(given):
        logits = given(case.graph, case.feat)
        states.append((given is model, given.training, logits.requires_grad))
        return torch.tensor(evaluate(logits, case.labels, TRAIN).accuracy)

    history = fit(model, full(model, *case, TRAIN), epochs=2, validate=validate)
    assert states == [(True, False, False)] * 2
    assert all(isinstance(epoch.val, float) for epoch in history.epochs)


@pytest.mark.parametrize("scored", [True, False])
def test_log_and_record_say_what_the_history_says(tmp_path, scored):
    model = model_for()
    validate, _ = scores(0.25, 0.75, 0.5)
    history = fit(
        model,
        full(model, *small(), TRAIN),
        epochs=3,
        validate=validate if scored else None,
        folder=tmp_path / "new" / "run",
    )
    folder = tmp_path / "new" / "run"
    with (folder / "log.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == [1, 2, 3]
    for row, epoch in zip(rows, history.epochs):
        assert float(row["loss"]) == pytest.approx(epoch.loss, rel=1e-8)
        assert float(row["seconds"]) == pytest.approx(epoch.seconds, rel=1e-8)
        assert epoch.seconds >= 0
        assert row["val"] == ("" if epoch.val is None else str(epoch.val))
    progress = json.loads((folder / "checkpoint.json").read_text())["progress"]
    assert [row["loss"] for row in progress["epochs"]] == [e.loss for e in history.epochs]
    assert progress["best_epoch"] == history.best_epoch == (2 if scored else 3)
    assert_weights(load_checkpoint(folder).model, model.state_dict())


def test_a_function_of_ones_own_sees_each_epoch_once_it_is_kept(tmp_path):
    model, seen = model_for(), []

    def note(epoch):
        kept = json.loads((tmp_path / "checkpoint.json").read_text())["progress"]["epochs"]
        seen.append((epoch, len(kept)))

    history = fit(model, full(model, *small(), TRAIN), epochs=3, folder=tmp_path, on_epoch=note)
    assert seen == [(epoch, i + 1) for i, epoch in enumerate(history.epochs)]


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = model_for()
    fit(model, full(model, *small(), TRAIN), epochs=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("show", [True, False])
def test_progress_goes_to_standard_error_on_request(capsys, show):
    model = model_for()
    fit(model, full(model, *small(), TRAIN), epochs=2, progress=show)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert ("2/2" in captured.err and "loss=" in captured.err) is show


class Own:
    """Batches of someone's own: two of them, with a loss to be learned."""

    def __init__(self, case):
        self.case = case

    def __len__(self):
        return 2

    def __iter__(self):
        for nodes in (TRAIN[:2], TRAIN[2:]):
            yield Batch(self.case.graph, self.case.feat, self.case.labels[nodes], nodes)


def test_batches_of_ones_own():
    model = model_for()
    history = fit(model, Own(small()), epochs=20, lr=0.05)
    assert history.epochs[-1].loss < 0.8 * history.epochs[0].loss


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"patience": 3}, "patience needs validate"),
        ({"patience": 0, "validate": len}, "patience is 0"),
        ({"epochs": 0}, "epochs is 0"),
        ({"epochs": 2.5}, "epochs is 2.5"),
        ({"resume": True}, "resume needs folder"),
        ({"validate": lambda model: float("nan")}, "validate gave nan"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_options_are_named(options, message):
    model = model_for()
    with pytest.raises(ValueError, match=message):
        fit(model, full(model, *small(), TRAIN), **{"epochs": 1, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layers": 3}, "cut to 2 layers of a HyperSAGE, and this HyperSAGE sees 3 layers"),
        ({"p": 2}, r"kept by a model with intra_aggr PowerMean\(.*p=1.0.*this one has .*p=2.0"),
        ({"inter": "paper"}, r"sees 2 layers of a HyperSAGE, \|N\(v\)\| with include_self=True"),
        ({"include_self": False}, "with include_self True, this one has False"),
        ({"normalize": False}, "with normalize True, this one has False"),
        ({"eps": 0.1}, "eps=0.1"),
        ({"feat_drop": 0.1}, "may change in training"),
    ],
)
def test_batches_cut_and_kept_for_other_options_are_turned_away(options, message, tmp_path):
    batches, other = full(model_for(), *small(), TRAIN), model_for(**options)
    with pytest.raises(ValueError, match=message):
        fit(other, batches, epochs=1, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_models_that_differ_in_their_weights_alone_share_batches():
    case, model, other = small(), model_for(), model_for()
    other.reset_parameters()
    expected = F.cross_entropy(other(case.graph, case.feat)[TRAIN], case.labels[TRAIN])
    history = fit(other, full(model, *case, TRAIN), epochs=1)
    assert history.epochs[0].loss == pytest.approx(float(expected.detach()))


def test_an_epoch_without_a_batch_is_turned_away():
    with pytest.raises(ValueError, match="at least one batch"):
        fit(model_for(), [], epochs=1)


def test_a_loss_that_explodes_is_named_and_the_earlier_checkpoint_stays(tmp_path):
    model = model_for()
    batches = full(model, *small(), TRAIN, keep_first=False)
    fit(model, batches, epochs=2, folder=tmp_path)
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    explodes = lambda logits, labels: F.cross_entropy(logits, labels) * float("nan")  # noqa: E731
    with pytest.raises(FloatingPointError, match="loss of epoch 3 is nan"):
        fit(model, batches, epochs=3, objective=explodes, folder=tmp_path, resume=True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == kept


class Drawing(Mean):
    """An aggregator of one's own that does in training what it does not in evaluation."""

    def lift(self, x):
        return F.dropout(x, 0.5, self.training)


@pytest.mark.parametrize("level", ["intra_aggr", "inter_aggr"])
@pytest.mark.parametrize("cached", [False, True])
def test_an_aggregator_that_draws_draws_in_every_epoch(level, cached):
    # Of one layer, since a second one is never kept and would draw in any case.
    case, model = small(), model_for(layers=1, **{level: Drawing()}, cached=cached)
    batches = full(model, *case, TRAIN)
    losses = [epoch.loss for epoch in fit(model, batches, epochs=5, lr=0.0).epochs]
    assert len(set(losses)) == 5
    model.train()(case.graph, case.feat)
    plain = model_for(layers=1, **{level: Mean()})
    plain.load_state_dict(model.state_dict())
    with torch.no_grad():
        told = model.eval()(case.graph, case.feat)
        assert_close(told, plain.eval()(case.graph, case.feat))


class Encoded(nn.Module):
    """A module of one's own with the names that ours give a meaning to."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(WIDTH, 16, dtype=torch.float64)
        self.first = HyperSAGEConv(16, CLASSES).double()
        self.penalty, self.reach = 0.1, 0

    def forward(self, graph, feat):
        return self.first(graph, self.encoder(feat))


def test_names_of_attributes_say_nothing_of_a_module_of_ones_own():
    case, model, twin = small(), Encoded(), Encoded()
    twin.load_state_dict(model.state_dict())
    batches = FullGraph(*case, TRAIN, model=model)
    assert batches.sight is None
    history = fit(model, batches, epochs=2)
    # The same loop as everyone writes it.
    optimizer = torch.optim.Adam(twin.parameters(), lr=0.01, weight_decay=5e-4)
    losses = []
    for _ in range(2):
        loss = F.cross_entropy(twin(case.graph, case.feat)[TRAIN], case.labels[TRAIN])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert [epoch.loss for epoch in history.epochs] == pytest.approx(losses)


def test_what_would_be_ignored_or_fail_later_is_refused_at_once():
    model = model_for()
    batches = full(model, *small(), TRAIN)
    sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    with pytest.raises(ValueError, match=r"lr=0.5 .* are for Adam, and an optimizer was given"):
        fit(model, batches, epochs=1, lr=0.5, optimizer=sgd)
    with pytest.raises(TypeError, match="LBFGS computes the loss several times"):
        fit(model, batches, epochs=1, optimizer=torch.optim.LBFGS(model.parameters()))
    with pytest.raises(TypeError, match="a generator, which is empty after one epoch"):
        fit(model, (batch for batch in batches), epochs=2)
    assert len(fit(model, (batch for batch in batches), epochs=1).epochs) == 1
