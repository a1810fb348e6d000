"""A small search for a recipe: optuna proposes, validation nodes decide, test nodes stay unseen."""

from __future__ import annotations

import math
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ..._utils import PathLike, locked, require_count
from ...data import LabelledHypergraph
from ..seed import epoch_seed
from .recipe import DEFAULT, PAPER, Recipe
from .trials import (
    DONE,
    Bench,
    Space,
    identity_of,
    open_study,
    quiet,
    require_optuna,
    space_for,
    without_test,
)

RECIPE = "recipe.json"
# Tried first, so that what comes out is on these validation nodes no worse than they are.
STARTS = (DEFAULT, PAPER)


@dataclass(frozen=True)
class Tuned:
    """What a search found: the best recipe and its accuracy on the validation nodes.

    ``trials`` counts all trials, those of earlier calls included, and ``pruned`` those that were
    given up early; ``stopped`` says why the search ended.
    """

    recipe: Recipe
    val: float
    trials: int
    pruned: int
    stopped: str


def tune(
    data: LabelledHypergraph,
    *,
    trials: int | None = None,
    minutes: float | None = None,
    epochs: int = 150,
    base: Recipe = DEFAULT,
    seed: int = 0,
    folder: PathLike | None = None,
    device: str = "cpu",
    progress: bool | None = None,
) -> Tuned:
    """Search for the recipe that is best on the validation nodes of a split.

    The first trials are the default recipe and the paper's; then optuna's TPE proposes, and its
    median pruner gives trials up that lag behind. Classes of test nodes are taken away before the
    first trial.

    Parameters
    ----------
    data
        With features, classes and a split that has validation nodes; its first one counts.
    trials, minutes
        The budget: so many trials in all, those before a resume included, or so long in this call;
        the first trial always ends. Both may be given; neither means 30 trials.
    epochs
        Of each trial; its score is that of its best epoch.
    base
        What is not searched: learning rate, ``intra``, ``learn_p`` and ``include_self``.
    seed
        Decides what is proposed, and is the seed of every training.
    folder
        Where to keep ``study.db``, optuna's own storage, and ``recipe.json``, the best so far. A
        search that is there is continued, and proposes what an unbroken one does.
    device
        Where to train.
    progress
        Show a progress bar; by default if standard error is a terminal.

    Examples
    --------
    >>> from hypersage_dgl.data import generate
    >>> data = generate(seed=0).with_split(1, val_fraction=0.25)
    >>> tune(data, trials=1, epochs=5).trials
    1
    """
    optuna = require_optuna()
    epochs = require_count(epochs, "epochs")
    if trials is None and minutes is None:
        trials = 30
    if trials is not None:
        trials = require_count(trials, "trials")
    if minutes is not None and not 0 < minutes < math.inf:
        raise ValueError(f"minutes is {minutes}; it must be a positive number")
    if len(data.part("val")) == 0:
        raise ValueError(
            f"{data.name} has no validation nodes to choose by; with_split(val_fraction=0.25) "
            "makes some of training nodes"
        )
    bench = Bench(without_test(data), data.num_classes, epochs, seed, device, base)
    space = space_for(bench.data)
    show = sys.stderr.isatty() if progress is None else progress
    place = None if folder is None else Path(folder)
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    with (
        nullcontext() if place is None else locked(place, "tune"),
        quiet(optuna),
        open_study(optuna, place, identity_of(bench, space)) as study,
        tqdm(total=trials, unit="trial", disable=not show) as bar,
    ):
        return _Search(optuna, study, bench, space, place, trials, minutes, bar).run()


class _OutOfTimeError(Exception):
    """The minutes are over in the middle of a trial."""


@dataclass
class _Search:
    optuna: Any
    study: Any
    bench: Bench
    space: Space
    folder: Path | None
    trials: int | None
    minutes: float | None
    bar: Any
    start: float = field(default_factory=time.monotonic)

    def run(self) -> Tuned:
        stopped = self._until_the_end()
        best, done = self._best(), self._done()
        if best is None:
            reason = "interrupted" if stopped == "interrupted" else "every trial failed"
            raise ValueError(f"the search found no recipe: {reason}")
        pruned = sum(t.state == self.optuna.trial.TrialState.PRUNED for t in done)
        return Tuned(self._recipe(best.params), best.value, len(done), pruned, stopped)

    def _until_the_end(self) -> str:
        done = len(self._done())
        self.bar.update(done)
        self._keep()
        while self.trials is None or done < self.trials:
            if self._is_over():
                return "the minutes are over"
            try:
                if not self._one(done):
                    return "interrupted"
            except _OutOfTimeError:
                return "the minutes are over"
            except KeyboardInterrupt:
                return "interrupted"
            self._keep()
            self.bar.update()
            done += 1
        return "all trials done"

    def _one(self, number: int) -> bool:
        """Do a trial; what it proposes depends on the seed and on trials that are done alone."""
        state = self.optuna.trial.TrialState
        self.study.sampler = self.optuna.samplers.TPESampler(
            seed=epoch_seed(self.bench.seed, number)
        )
        is_waiting = self.study.get_trials(deepcopy=False, states=(state.WAITING,))
        if number < len(STARTS) and not is_waiting:
            self.study.enqueue_trial({name: getattr(STARTS[number], name) for name in self.space})
        trial = self.study.ask()
        try:
            recipe = self._recipe(
                {name: trial.suggest_categorical(name, v) for name, v in self.space.items()}
            )
            history = self.bench.train(recipe, self._reporter(trial))
            if history.stopped == "interrupted":
                self.study.tell(trial, state=state.FAIL)
                return False
            trial.set_user_attr(DONE, True)
            self.study.tell(trial, history.best_val)
        except self.optuna.TrialPruned:
            trial.set_user_attr(DONE, True)
            self.study.tell(trial, state=state.PRUNED)
        except FloatingPointError as error:
            trial.set_user_attr(DONE, True)
            trial.set_user_attr("error", str(error))
            self.study.tell(trial, state=state.FAIL)
        except BaseException:
            self.study.tell(trial, state=state.FAIL)
            raise
        return True

    def _reporter(self, trial: Any) -> Any:
        best, every = -math.inf, max(1, self.bench.epochs // 10)

        def report(epoch: int, accuracy: float) -> None:
            nonlocal best
            best = max(best, accuracy)
            if self._is_over():
                raise _OutOfTimeError
            # Not each epoch: every report is a write to the disk.
            if epoch % every == 0:
                trial.report(best, epoch)
                if trial.should_prune():
                    raise self.optuna.TrialPruned

        return report

    def _is_over(self) -> bool:
        """Whether the minutes are over; never before there is a recipe to give."""
        if self.minutes is None or time.monotonic() - self.start < 60 * self.minutes:
            return False
        return self._best() is not None

    def _done(self) -> list[Any]:
        return [
            trial for trial in self.study.get_trials(deepcopy=False) if DONE in trial.user_attrs
        ]

    def _best(self) -> Any:
        """The first of the best trials."""
        complete = self.optuna.trial.TrialState.COMPLETE
        ended = [trial for trial in self._done() if trial.state == complete]
        return max(ended, key=lambda trial: trial.value, default=None)

    def _recipe(self, params: dict[str, Any]) -> Recipe:
        return replace(self.bench.base, **params, epochs=self.bench.epochs)

    def _keep(self) -> None:
        best = self._best()
        if best is not None:
            self.bar.set_postfix(val=f"{best.value:.4f}")
            if self.folder is not None:
                self._recipe(best.params).save(self.folder / RECIPE)
