"""What a model learns of a node: a class, labels, or a number; or which sets are hyperedges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from ..data import CLASSIFICATION, MULTILABEL, REGRESSION
from .checks import is_multi_label
from .objective import Objective

# Which sets of nodes are hyperedges; and no task at all, but a place for each node.
PREDICTION, EMBEDDING = "hyperedge", "embedding"
# What validation goes by for a task; higher is better.
SCORE_NAMES: Mapping[str, str] = MappingProxyType(
    {CLASSIFICATION: "accuracy", MULTILABEL: "micro-F1", REGRESSION: "R²", PREDICTION: "AUROC"}
)


class Scale(NamedTuple):
    """Mean and standard deviation of the numbers to learn, for a loss of usual size.

    A model learns ``scale.apply(numbers)``, and its outputs are ``scale.undo``-ne; with
    ``About(scale=...)`` a :class:`~hypersage_dgl.training.Predictor` does that.

    Examples
    --------
    >>> scale = Scale.of(torch.tensor([10.0, 20.0, 30.0]))
    >>> scale
    Scale(mean=20.0, sd=10.0)
    >>> scale.apply(torch.tensor([40.0])), scale.undo(torch.tensor([2.0]))
    (tensor([2.]), tensor([40.]))
    """

    mean: float = 0.0
    sd: float = 1.0

    @classmethod
    def of(cls, numbers: Tensor) -> Scale:
        """Measure numbers, those of the training nodes; equal ones keep their unit."""
        given = numbers.double()
        sd = float(given.std()) if given.numel() > 1 else 0.0
        return cls(float(given.mean()), sd if sd > 0 else 1.0)

    def apply(self, numbers: Tensor) -> Tensor:
        """Numbers as the model learns them."""
        return (numbers - self.mean) / self.sd

    def undo(self, outputs: Tensor) -> Tensor:
        """What the model gives, in the unit of the data."""
        return outputs * self.sd + self.mean


class SquaredError:
    """Mean squared error of numbers: one for each node, or a row with one for each output.

    Examples
    --------
    >>> SquaredError()(torch.tensor([[1.0], [3.0]]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """

    def __call__(self, outputs: Tensor, numbers: Tensor) -> Tensor:
        """Mean over the nodes."""
        # As columns: a row against a column would be all pairs.
        return F.mse_loss(outputs, as_columns(numbers, outputs).to(outputs.dtype))


def as_columns(numbers: Tensor, outputs: Tensor) -> Tensor:
    """Numbers in the shape of a model's outputs; refuses those that it has no output for."""
    columns = numbers.unsqueeze(1) if numbers.dim() == 1 else numbers
    if outputs.dim() != 2 or columns.shape != outputs.shape:
        raise ValueError(
            f"numbers of shape {tuple(numbers.shape)} for outputs of shape {tuple(outputs.shape)}; "
            "a model needs one output for each number of a node"
        )
    return columns


def check_task(task: Any) -> str:
    """Refuse what is no task.

    Examples
    --------
    >>> check_task("ranking")
    Traceback (most recent call last):
    ValueError: task is 'ranking'; it must be one of classification, multilabel, regression,
    hyperedge
    """
    if task not in (*SCORE_NAMES, EMBEDDING):
        raise ValueError(f"task is {task!r:.40}; it must be one of {', '.join(SCORE_NAMES)}")
    return str(task)


def task_of(targets: Tensor) -> str:
    """The task that labels look like; integers may be numbers too, and then it must be said.

    Examples
    --------
    >>> task_of(torch.tensor([0, 2])), task_of(torch.eye(2)), task_of(torch.tensor([0.5]))
    ('classification', 'multilabel', 'regression')
    """
    if is_multi_label(targets):
        return MULTILABEL
    is_class = targets.dim() == 1 and not targets.is_floating_point()
    return CLASSIFICATION if is_class else REGRESSION


def objective_of(task: str | None) -> Callable[[Tensor, Tensor], Tensor]:
    """The usual loss of a task: cross-entropy, that of each label, or squared error."""
    return SquaredError() if task == REGRESSION else Objective()


def check_labels(targets: Tensor, task: str) -> None:
    """Refuse labels of training nodes that are not what the task learns."""
    if task == PREDICTION:
        raise ValueError(f"task is {task!r}, and these are labels of nodes; take HyperedgeBatches")
    if task == REGRESSION:
        wrong = int((~torch.isfinite(targets.double())).sum())
        if wrong:
            raise ValueError(
                f"{wrong} of the numbers to train on are NaN or infinite; leave nodes without a "
                "number out"
            )
        return
    looks = task_of(targets)
    if looks != task and not (task == CLASSIFICATION and targets.dim() == 1):
        what = {CLASSIFICATION: "one integer a node", MULTILABEL: "rows of 0 and 1"}[task]
        raise ValueError(
            f"task is {task!r}, which learns {what}; these labels are of type {targets.dtype} and "
            f"shape {tuple(targets.shape)}, as for {looks!r}"
        )
