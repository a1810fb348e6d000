"""What an epoch of training goes through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import dgl
from torch import Tensor

from ..nn import FirstLayer

Pairs = Sequence[tuple[dgl.DGLGraph, dgl.DGLGraph]]


class Batch(NamedTuple):
    """What a model is called with, and the labels of some rows of its logits.

    A loop reads ``loss = objective(model(batch.graph, batch.feat)[batch.rows], batch.labels)``.
    Where several ranks share a batch, the loss of a part counts ``share`` of their mean.
    """

    graph: dgl.DGLGraph | Pairs
    feat: Tensor | FirstLayer
    labels: Tensor
    rows: Tensor | slice = slice(None)
    share: float = 1.0


class Batches(Protocol):
    """An epoch: :class:`FullGraph`, :class:`Minibatches`, a list of batches, or your own.

    What they have besides, ``fit`` reads: ``nodes`` and ``targets``, the nodes to train on and
    their labels; ``options``, numbers that decide the curve; ``check(model)``, which refuses a
    model that does not fit.
    """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Batch]: ...
