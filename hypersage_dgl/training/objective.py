"""The loss: one class or several labels for each node, with class weights on request."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .checks import check_targets, require_classes


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
