"""How long the protocol of random splits still takes: runs that are left, and seconds a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from hypersage_dgl._utils import PathLike

from .allset import (
    CHOICE,
    METHODS,
    SETS,
    Row,
    budget_of,
    candidates,
    choose,
    one_run,
    read_rows,
)
from .defaults import on_one_thread

# Epochs that are timed where a method has no run on a set yet.
TIMED = 2
Once = Callable[..., dict[str, Any]]


class Left(NamedTuple):
    """What a method still has to do on a set; seconds that are not measured are guessed."""

    dataset: str
    method: str
    runs: int
    seconds: float
    measured: bool


def estimate(
    path: PathLike,
    data_dir: str | None,
    sets: Sequence[str] = (),
    methods: Sequence[str] = (),
    once: Once = one_run,
) -> Iterator[Left]:
    """For each set and method the runs left, and the seconds that one takes.

    Seconds are the mean of the runs that are there. Where there are none a few epochs of the
    deepest candidate are timed, and taken for as many as the method's runs on other sets had on
    average; for all that the budget allows if there are no such runs.
    """
    rows = read_rows(path)
    for name in sets or SETS:
        for method in methods or METHODS:
            mine = [row for row in rows if (row["dataset"], row["method"]) == (name, method)]
            runs = len(runs_left(mine, name, method))
            if mine:
                seconds = fmean(row["seconds"] for row in mine)
            else:
                others = [row["epochs_run"] for row in rows if row["method"] == method]
                most = budget_of(name).epochs
                epochs = min(most, fmean(others)) if others else most
                seconds = _by_few_epochs(name, method, epochs, data_dir, once)
            yield Left(name, method, runs, seconds, bool(mine))


def runs_left(mine: Sequence[Row], name: str, method: str) -> list[tuple[int | None, int]]:
    """Candidate and seed of each run that is left; of the last no candidate before the choice."""
    there, budget = {(row["candidate"], row["seed"]) for row in mine}, budget_of(name)
    search = [(i, seed) for i in budget.candidates for seed in CHOICE]
    left: list[tuple[int | None, int]] = [each for each in search if each not in there]
    if left:
        return [*left, *((None, seed) for seed in budget.seeds)]
    chosen = choose(mine, name, method)
    return [(chosen, seed) for seed in budget.seeds if (chosen, seed) not in there]


def _by_few_epochs(
    name: str, method: str, epochs: float, data_dir: str | None, once: Once
) -> float:
    options = candidates(method)
    deepest = max(budget_of(name).candidates, key=lambda i: options[i]["num_layers"])
    run = {"dataset": name, "method": method, "seed": CHOICE[0], "candidate": deepest}
    with on_one_thread():
        # The first one loads the data and what torch imports late.
        once(run, data_dir, 1)
        one, more = (float(once(run, data_dir, n)["seconds"]) for n in (1, 1 + TIMED))
    return one + max(0.0, more - one) / TIMED * (epochs - 1)


def told(found: Iterator[Left]) -> Iterator[str]:
    """A line for each set and method, as they are found, and the hours of all."""
    total = 0.0
    for each in found:
        total += each.runs * each.seconds
        how = "" if each.measured else ", guessed"
        yield (
            f"{each.dataset:18} {each.method:22} {each.runs:3} runs left, "
            f"{each.seconds:7.1f} s a run{how}"
        )
    yield f"{total / 3600:.1f} hours of one core"
