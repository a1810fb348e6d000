"""Warn of a run whose model hardly tells classes apart."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

CURE = "try more epochs, features from 0 to 1, or `hypersage tune`"


def collapse_of(scores: Tensor, labels: Tensor, nodes: Tensor, names: Sequence[str]) -> str | None:
    """Say which classes no node is ever predicted as, if those are half of them or more.

    Examples
    --------
    >>> import torch
    >>> scores = torch.tensor([[2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    >>> collapse_of(scores, torch.arange(3), torch.arange(3), ("a", "b", "c"))[:52]
    'the model found 1 of the 3 classes: no b, c is predi'
    """
    occurring = sorted(set(labels[nodes].tolist()))
    predicted = set(scores[nodes].argmax(dim=1).tolist())
    missed = [k for k in occurring if k not in predicted]
    if len(occurring) < 2 or 2 * len(missed) < len(occurring):
        return None
    few = ", ".join(names[k] if names else str(k) for k in missed[:5])
    more = ", ..." if len(missed) > 5 else ""
    return (
        f"the model found {len(occurring) - len(missed)} of the {len(occurring)} classes: no "
        f"{few}{more} is predicted; {CURE}"
    )
