"""A resumed run is the unbroken run, to the bit, or is refused."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
import torch

from hypersage_dgl.nn import PowerMean
from hypersage_dgl.training import Batch, Objective, fit, load_checkpoint, save_checkpoint
from hypersage_dgl.training.saving import run

from ..cases import write_record
from ..runs import (
    ABOUT,
    EPOCHS,
    KINDS,
    WHOLE,
    epochs_in,
    kinds_of_files,
    make,
    outcome,
    train,
    unbroken,
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_resumed_run_is_the_unbroken_one(tmp_path, kind):
    first, _ = train(kind, tmp_path, 2)
    assert len(first.epochs) == 2
    train(kind, tmp_path, 5, resume=True)
    history, model = train(kind, tmp_path, resume=True)
    assert outcome(history, model) == unbroken(kind)
    losses = [loss for _, loss, _ in unbroken(kind)["curve"]]
    assert len(set(losses)) == EPOCHS
    assert kinds_of_files(tmp_path) == WHOLE
    rows = (tmp_path / "log.csv").read_text().splitlines()[1:]
    assert [float(row.split(",")[1]) for row in rows] == pytest.approx(losses, rel=1e-8)


def test_an_epoch_depends_on_the_seed_and_not_on_those_before():
    other = outcome(*train("full", None, seed=9))
    assert other["curve"] != unbroken("full")["curve"]


def test_with_nothing_left_to_do_the_run_is_given_back(tmp_path):
    expected = outcome(*train("full", tmp_path))
    (tmp_path / "log.csv").unlink()
    assert outcome(*train("full", tmp_path, resume=True)) == expected
    assert len((tmp_path / "log.csv").read_text().splitlines()) == EPOCHS + 1


def test_patience_counts_through_a_resume(tmp_path):
    def scores(left):
        return lambda model: left.pop(0)

    train("full", tmp_path, 3, validate=scores([0.9, 0.5, 0.4]), patience=3)
    history, _ = train(
        "full", tmp_path, 20, validate=scores([0.3, 0.2, 0.1]), patience=3, resume=True
    )
    assert (len(history.epochs), history.best_epoch) == (4, 1)
    assert history.stopped == "no better score in 3 epochs"


def test_about_stays_if_none_is_given(tmp_path):
    train("full", tmp_path, 2)
    train("full", tmp_path, 3, resume=True, about=None)
    assert load_checkpoint(tmp_path).about == ABOUT


def test_resume_without_a_checkpoint_is_an_error_and_no_new_start(tmp_path):
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(FileNotFoundError, match="no checkpoint"):
            train("full", folder, resume=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lr": 0.5}, "lr=0.01, not 0.5"),
        ({"weight_decay": 0.0}, "weight_decay"),
        ({"seed": 1}, "seed=8, not 1"),
        ({"validate": None}, "scored"),
        ({"objective": Objective(torch.ones(3))}, "class_weight"),
    ],
)
def test_resume_with_other_options_is_turned_away(tmp_path, change, message):
    train("full", tmp_path, 1)
    with pytest.raises(ValueError, match=message):
        train("full", tmp_path, 2, resume=True, **change)
    assert epochs_in(tmp_path) == 1


def test_resume_with_other_batches_is_turned_away(tmp_path):
    train("full", tmp_path, 1)
    with pytest.raises(ValueError, match=r"alpha|batch"):
        train("minibatches", tmp_path, 2, resume=True)
    train("minibatches", tmp_path / "other", 1)
    with pytest.raises(ValueError, match="num_workers=0, not 2"):
        train("workers", tmp_path / "other", 2, resume=True)
    with pytest.raises(FileExistsError, match="resume=True"):
        train("minibatches", tmp_path / "other", 2)


def test_resume_with_other_labels_is_turned_away(tmp_path):
    _, model, batches = make("full")
    fit(model, batches, epochs=1, folder=tmp_path)
    batches.targets = batches.targets.roll(1)
    with pytest.raises(ValueError, match="was trained on other nodes or labels"):
        fit(model, batches, epochs=2, folder=tmp_path, resume=True)


@pytest.mark.parametrize(
    "changes",
    [{"layers": 3}, {"eps": 0.1}, {"include_self": False}, {"p": PowerMean(2, learn=True)}],
)
def test_resume_of_another_model_is_turned_away(tmp_path, changes):
    # Most of them have weights of the same names and shapes.
    _, model, batches = make("full")
    fit(model, batches, epochs=1, folder=tmp_path)
    _, other, batches = make("full", **changes)
    with pytest.raises(ValueError, match="was trained with"):
        fit(other, batches, epochs=2, folder=tmp_path, resume=True)


def test_a_model_without_a_state_of_training_cannot_be_resumed(tmp_path):
    _, model, batches = make("full")
    save_checkpoint(tmp_path, model)
    with pytest.raises(ValueError, match="no state of training"):
        fit(model, batches, epochs=2, folder=tmp_path, resume=True)


def test_a_run_takes_what_its_optimizer_needs_and_no_more(tmp_path):
    # A parameter that gets no gradient has no state in Adam, before and after.
    case, model, _ = make("full")

    model.layers[0].requires_grad_(False)
    batches = [Batch(case.graph, case.feat, case.labels)]
    fit(model, batches, epochs=2, folder=tmp_path)
    state = load_checkpoint(tmp_path).state
    learned = {name.split(".")[1] for name in state if name.startswith("optimizer.")}
    assert len(learned) == len(list(model.layers[1].parameters()))
    history = fit(model, batches, epochs=3, folder=tmp_path, resume=True)
    assert len(history.epochs) == 3


def test_progress_is_checked_before_it_is_believed(tmp_path):
    train("full", tmp_path, 1)
    record = tmp_path / "checkpoint.json"
    text = record.read_text()
    for before, after in (
        ('"best_epoch": 1', '"best_epoch": "one"'),
        ('"epoch": 1, ', '"epoch": 1, "run": "rm", '),
        ('"options": {', '"choices": {'),
    ):
        assert text.count(before) == 1
        write_record(tmp_path, json.loads(text.replace(before, after)))
        with pytest.raises(ValueError, match="cannot be resumed"):
            train("full", tmp_path, 2, resume=True)


def test_nothing_is_saved_twice(tmp_path, monkeypatch):
    calls = []
    inner = run.write_checkpoint
    monkeypatch.setattr(
        run, "write_checkpoint", lambda *a, **k: (calls.append(a), inner(*a, **k))[1]
    )
    train("full", tmp_path, 3)
    assert len(calls) == 3


def test_between_two_saves_an_interval_passes_and_nothing_is_lost(tmp_path):
    seen = []

    def on_epoch(epoch):
        seen.append((tmp_path / "checkpoint.json").exists())

    done = train("full", tmp_path, save_interval=3600.0, on_epoch=on_epoch)
    assert seen == [False] * EPOCHS
    assert outcome(*done) == unbroken("full")
    assert epochs_in(tmp_path) == EPOCHS
    assert len((tmp_path / "log.csv").read_text().splitlines()) == EPOCHS + 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_the_interval_left_is_saved_on_the_way_out(tmp_path, error):
    def on_epoch(epoch):
        if epoch.epoch == 2:
            raise error

    expected = nullcontext() if error is KeyboardInterrupt else pytest.raises(error)
    with expected:
        train("full", tmp_path, save_interval=3600.0, on_epoch=on_epoch)
    assert epochs_in(tmp_path) == 2
    assert outcome(*train("full", tmp_path, resume=True)) == unbroken("full")


@pytest.mark.parametrize("interval", [-1, float("nan"), "1"])
def test_an_interval_is_a_number_of_seconds(tmp_path, interval):
    with pytest.raises(ValueError, match=r"save_interval is .*; it must be a number of seconds"):
        train("full", tmp_path / "run", save_interval=interval)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_broken_epoch_leaves_no_trace_in_what_the_interval_left(tmp_path, error):
    _, model, batches = make("full")
    calls = []

    def objective(logits, labels):
        calls.append(None)
        if len(calls) == 3:
            # After a step of the third epoch, before its end.
            model.zero_grad()
            torch.nn.functional.cross_entropy(logits, labels).backward(retain_graph=True)
            optimizer.step()
            raise error
        return torch.nn.functional.cross_entropy(logits, labels)

    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    options = {"epochs": 5, "seed": 8, "folder": tmp_path}
    expected = nullcontext() if error is KeyboardInterrupt else pytest.raises(error)
    with expected:
        fit(model, batches, objective=objective, optimizer=optimizer, save_interval=3600, **options)
    assert epochs_in(tmp_path) == 2
    _, again, batches = make("full")
    plain = torch.nn.functional.cross_entropy
    given = torch.optim.Adam(again.parameters(), lr=0.01)
    resumed = fit(again, batches, objective=plain, optimizer=given, resume=True, **options)
    _, whole, batches = make("full")
    given = torch.optim.Adam(whole.parameters(), lr=0.01)
    unbroken_run = fit(whole, batches, objective=plain, optimizer=given, epochs=5, seed=8)
    assert outcome(resumed, again) == outcome(unbroken_run, whole)
