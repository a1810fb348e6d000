"""The log of a run; an optimizer and a scheduler of one's own resumed to the bit, or refused."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from small_hypergraph import model_for
from torch.optim import SGD, Adam, AdamW, lr_scheduler

from hypersage_dgl.training import Epoch, History, fit
from hypersage_dgl.training.saving.progress import (
    check_score,
    pack,
    pack_groups,
    restore_optimizer,
    unpack,
)

from ..cases import assert_weights, full, small


def test_the_log_has_a_row_for_each_epoch():
    history = History([Epoch(1, 0.123456789123, None, 2.0), Epoch(2, 0.5, 0.75, 0.001)])
    assert history.to_csv() == ("epoch,loss,val,seconds\n1,0.123456789,,2\n2,0.5,0.75,0.001\n")
    assert History().to_csv() == "epoch,loss,val,seconds\n"


def test_a_score_is_a_finite_number():
    assert check_score(torch.tensor(0.5)) == 0.5
    assert isinstance(check_score(1), float)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="validate gave"):
            check_score(bad)


def test_a_history_comes_back_from_the_progress_of_a_checkpoint():
    rows = [{"epoch": 1, "loss": 2.0, "val": None, "seconds": 0.1}]
    noted = {"epochs": rows, "best_epoch": 1, "best_val": 0.5, "options": {}}
    found = History.from_progress(noted, "done")
    assert found == History([Epoch(1, 2.0, None, 0.1)], 1, 0.5, "done")


@pytest.mark.parametrize("noted", [None, {}, {"epochs": 3, "best_epoch": 1, "best_val": None}])
def test_progress_of_another_kind_is_no_history(noted):
    assert History.from_progress(noted).epochs == []


TRAIN = torch.tensor([7, 2, 12, 4, 0])
OPTIMIZERS = {
    "SGD": lambda model: SGD(model.parameters(), lr=0.1, momentum=0.9),
    "plain SGD": lambda model: SGD(model.parameters(), lr=0.1),
    "AdamW": lambda model: AdamW(model.parameters(), lr=0.02, betas=(0.8, 0.99)),
    "groups": lambda model: Adam(
        [{"params": m.parameters(), "lr": 0.1 / (i + 1)} for i, m in enumerate(model.layers)]
    ),
}
SCHEDULERS = {
    "none": lambda optimizer: None,
    "step": lambda optimizer: lr_scheduler.StepLR(optimizer, 2, gamma=0.5),
    "milestones": lambda optimizer: lr_scheduler.MultiStepLR(optimizer, [1, 3, 4]),
    "cosine": lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, 6),
    "function": lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch)),
    "plateau": lambda optimizer: lr_scheduler.ReduceLROnPlateau(optimizer, patience=0),
}


def make(optimizer: str, scheduler: str):
    model = model_for(dropout=0.5)
    made = OPTIMIZERS[optimizer](model)
    return model, {"optimizer": made, "scheduler": SCHEDULERS[scheduler](made)}


def train(kinds, folder, epochs, **options):
    model, own = make(*kinds)
    options = {**own, "seed": 3, **options}
    history = fit(model, full(model, *small(), TRAIN), epochs=epochs, folder=folder, **options)
    return [epoch.loss for epoch in history.epochs], model, own["optimizer"]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.many
def test_a_resumed_run_is_the_unbroken_one(tmp_path, optimizer, scheduler):
    kinds = (optimizer, scheduler)
    losses, expected, unbroken = train(kinds, None, 6)
    train(kinds, tmp_path, 2)
    train(kinds, tmp_path, 5, resume=True)
    resumed, model, moved = train(kinds, tmp_path, 6, resume=True)
    assert resumed == losses
    assert_weights(model, expected.state_dict())
    assert [g["lr"] for g in moved.param_groups] == [g["lr"] for g in unbroken.param_groups]


def test_epochs_are_its_steps_and_the_schedulers():
    case = small()
    model, own = model_for(), model_for()
    optimizer = SGD(own.parameters(), lr=0.5, momentum=0.5)
    for epoch in range(4):
        loss = F.cross_entropy(own(case.graph, case.feat)[TRAIN], case.labels[TRAIN])
        optimizer.zero_grad()
        loss.backward()
        optimizer.param_groups[0]["lr"] = 0.5 * 0.1**epoch
        optimizer.step()
    given = SGD(model.parameters(), lr=0.5, momentum=0.5)
    scheduler = lr_scheduler.ExponentialLR(given, 0.1)
    fit(model, full(model, *case, TRAIN), epochs=4, optimizer=given, scheduler=scheduler)
    torch.testing.assert_close(model.state_dict(), own.state_dict(), rtol=1e-9, atol=1e-12)
    assert given.param_groups[0]["lr"] == pytest.approx(0.5 * 0.1**4)


def test_a_plateau_of_the_score_lowers_the_rate():
    model = model_for()
    optimizer = SGD(model.parameters(), lr=1.0)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.5, patience=1)
    scores, rates = [0.1, 0.2, 0.2, 0.2, 0.3], []

    def validate(_):
        rates.append(optimizer.param_groups[0]["lr"])
        return scores[len(rates) - 1]

    batches = full(model, *small(), TRAIN)
    fit(model, batches, epochs=5, optimizer=optimizer, scheduler=scheduler, validate=validate)
    assert rates == [1.0, 1.0, 1.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (("AdamW", "step"), "optimizer='SGD', not 'AdamW'|groups="),
        (("plain SGD", "step"), "groups="),
        (("SGD", "cosine"), "scheduler='StepLR', not 'CosineAnnealingLR'"),
        (("SGD", "none"), "groups=|scheduler="),
    ],
)
def test_resume_with_another_is_turned_away(tmp_path, now, message):
    train(("SGD", "step"), tmp_path, 1)
    with pytest.raises(ValueError, match=f"was trained with ({message})"):
        train(now, tmp_path, 2, resume=True)
    model = model_for(dropout=0.5)
    with pytest.raises(ValueError, match="was trained with"):
        fit(model, full(model, *small(), TRAIN), epochs=2, folder=tmp_path, seed=3, resume=True)


def test_schedulers_that_cannot_work_are_named():
    model = model_for()
    batches = full(model, *small(), TRAIN)
    optimizer = SGD(model.parameters(), lr=1.0)
    scheduler = lr_scheduler.StepLR(SGD(model.parameters(), lr=1.0), 1)
    with pytest.raises(ValueError, match="another optimizer"):
        fit(model, batches, epochs=1, optimizer=optimizer, scheduler=scheduler)
    with pytest.raises(ValueError, match="another optimizer"):
        fit(model, batches, epochs=1, scheduler=scheduler)
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, mode="max")
    with pytest.raises(ValueError, match="give validate"):
        fit(model, batches, epochs=1, optimizer=optimizer, scheduler=plateau)


def test_a_state_comes_back_as_it_was():
    state = {"a": (1, [2.5, None]), 3: {"x": -math.inf}, "b": True, "c": "text", "d": {}}
    assert unpack(pack(state, "it")) == state
    assert pack(torch.tensor(2.0), "it") == 2.0
    with pytest.raises(ValueError, match="cannot be saved as JSON"):
        pack({"f": len}, "it")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("99.exp_avg", r"optimizer\.99\.exp_avg is of a parameter that the model has not"),
        ("x.exp_avg", "that the model has not"),
        ("0.momentum", r"optimizer\.0\.momentum is no state of Adam"),
        ("0.exp_avg", "needs step, exp_avg, exp_avg_sq of each"),
    ],
)
def test_state_of_other_parameters_is_named(name, words):
    parameter = torch.nn.Parameter(torch.zeros(2))
    optimizer = torch.optim.Adam([parameter])
    with pytest.raises(ValueError, match=words):
        restore_optimizer(optimizer, {name: torch.zeros(2)}, pack_groups(optimizer), is_adam=True)


@pytest.mark.parametrize("betas", [(0.9,), (0.9, 0.99, 0.5), (0.9, "x"), 0.9, [0.9, 0.99]], ids=str)
def test_options_of_another_kind_are_refused_before_a_step(betas):
    optimizer = Adam(model_for().parameters())
    groups = [{**group, "betas": pack(betas, "betas")} for group in pack_groups(optimizer)]
    with pytest.raises(ValueError, match="the optimizer's betas is"):
        restore_optimizer(optimizer, {}, groups, is_adam=True)


@pytest.mark.parametrize("lr", [1e39, -1.0, 0.02, 1], ids=str)
def test_a_step_of_another_length_than_the_runs_is_refused(lr):
    optimizer = Adam(model_for().parameters(), lr=0.01)
    groups = [{**group, "lr": lr} for group in pack_groups(optimizer)]
    with pytest.raises(ValueError, match=r"the optimizer's lr is .*, and the run's 0\.01"):
        restore_optimizer(optimizer, {}, groups, is_adam=True)
