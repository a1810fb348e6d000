"""What a model learns, and by which loss: classes, labels, numbers, or what is a hyperedge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from ..data import CLASSIFICATION, MULTILABEL, REGRESSION
from .checks import check_targets, is_multi_label, require_classes


class Objective:
    """Cross-entropy for one class a node, binary cross-entropy for 0/1 rows of labels.

    Parameters
    ----------
    class_weight
        One weight for each class, such as :func:`balanced_weights` gives; for multi-label targets
        the weight of a label's positives.

    Examples
    --------
    >>> loss = Objective()
    >>> loss(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """

    def __init__(self, class_weight: Tensor | None = None) -> None:
        if class_weight is not None:
            class_weight = torch.as_tensor(class_weight, dtype=torch.float32)
            is_fine = (class_weight >= 0) & torch.isfinite(class_weight)
            if class_weight.dim() != 1 or not bool(is_fine.all()) or not bool(class_weight.any()):
                raise ValueError(
                    f"class_weight is {class_weight.tolist()!r:.80}; give one non-negative number "
                    "for each class, not all of them 0"
                )
        self.class_weight = class_weight

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Mean loss over the nodes."""
        weight = None if self.class_weight is None else self.class_weight.to(logits)
        if labels.dim() == 2:
            target = labels.to(logits.dtype)
            return F.binary_cross_entropy_with_logits(logits, target, pos_weight=weight)
        require_classes(labels)
        return F.cross_entropy(logits, labels.long(), weight=weight)


def balanced_weights(labels: Tensor, num_classes: int) -> Tensor:
    """Weights inverse to the frequency of each class, of mean one over the given nodes.

    For 0/1 rows of labels, the negatives for each positive of a label.

    Examples
    --------
    >>> balanced_weights(torch.tensor([0, 0, 0, 1]), 2)
    tensor([0.6667, 2.0000])
    """
    check_targets(labels, num_classes)
    multi_label = labels.dim() == 2
    counts = labels.sum(0) if multi_label else torch.bincount(labels, minlength=num_classes)
    if int(counts.min()) == 0:
        missing = int(counts.argmin())
        raise ValueError(
            f"class {missing} has no training node, so it has no balanced weight; choose another "
            "split or train without class weights"
        )
    if multi_label and int(counts.max()) == len(labels):
        raise ValueError(
            f"label {int(counts.argmax())} is on every training node, so it has no negatives to "
            "balance; leave out its column or train without class weights"
        )
    balanced: Tensor = len(labels) / counts.float()
    return balanced - 1 if multi_label else balanced / num_classes


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
