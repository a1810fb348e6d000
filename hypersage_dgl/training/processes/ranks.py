"""Train one model by several processes (ranks): shares of the batches, one gradient, one result."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from ..._utils import IntArray
from ..seed import seed_everything

Made = TypeVar("Made")


class Ranks(NamedTuple):
    """Which process of how many this is, and where it computes."""

    rank: int
    size: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this process prints, scores and saves."""
        return self.rank == 0


@contextmanager
def joined_ranks(device: str | torch.device = "cpu", timeout: float = 1800.0) -> Iterator[Ranks]:
    """Join the processes that ``torchrun`` started; alone where it did not.

    gloo connects them on the CPU, nccl on GPUs, where each rank takes the one of its
    ``LOCAL_RANK``. A rank that dies, or does not answer for ``timeout`` seconds, ends the others
    with a message and exit code 1.

    Examples
    --------
    >>> with joined_ranks() as ranks:
    ...     ranks.rank, ranks.size
    (0, 1)
    """
    where = torch.device(device)
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        yield Ranks(0, 1, where)
        return
    if where.type == "cuda" and where.index is None:
        where = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(where)
    dist.init_process_group(
        "nccl" if where.type == "cuda" else "gloo", timeout=timedelta(seconds=timeout)
    )
    # Held to the end of the process: where a model's reducer is the last to let go of the group, it
    # waits for the group's threads with the interpreter locked, and they may wait for that lock.
    atexit.register(id, dist.group.WORLD)
    rank, count = dist.get_rank(), dist.get_world_size()
    lost = (
        f"rank {rank} of {count} ends: another rank died or did not answer for {timeout:g} s; see "
        "its own error, then start all ranks again (a folder's last full epoch goes on with "
        "resume=True)"
    )

    def told_to_end(*_: Any) -> None:
        # torchrun ends the others so once one is dead.
        raise SystemExit(lost)

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, told_to_end) if is_main else None
    try:
        # Or one that is done at once takes their meeting point from those that still connect.
        dist.barrier(device_ids=None if where.index is None else [where.index])
        yield Ranks(rank, count, where)
    except RuntimeError as error:
        if not _is_of_the_group(error):
            raise
        raise SystemExit(f"{lost}: {str(error).splitlines()[0]}") from None
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)
        dist.destroy_process_group()


def _is_of_the_group(error: RuntimeError) -> bool:
    return any(word in str(error) for word in ("gloo", "NCCL", "onnection", "imed out"))


def data_parallel(model: nn.Module) -> nn.Module:
    """The model in a ``DistributedDataParallel`` where there are several ranks, else itself.

    ``fit`` takes either, and trains the model itself.
    """
    if num_ranks() == 1:
        return model
    device = next(model.parameters()).device
    return DistributedDataParallel(model, None if device.type == "cpu" else [device])


def bare(model: nn.Module) -> nn.Module:
    """The model itself, out of what makes it parallel."""
    return model.module if isinstance(model, DistributedDataParallel) else model


def num_ranks() -> int:
    """How many processes train together."""
    is_joined = dist.is_available() and dist.is_initialized()
    return dist.get_world_size() if is_joined else 1


def my_rank() -> int:
    """Number of this process, from 0."""
    return dist.get_rank() if num_ranks() > 1 else 0


def from_first(make: Callable[[], Made]) -> Made:
    """What the first rank makes, on every rank."""
    if num_ranks() == 1:
        return make()
    made = [make() if my_rank() == 0 else None]
    dist.broadcast_object_list(made, src=0)
    return made[0]  # type: ignore[return-value]


def summed(*values: float) -> tuple[float, ...]:
    """Sums over all ranks."""
    if num_ranks() == 1:
        return values
    is_gpu = dist.get_backend() == "nccl"
    total = torch.tensor(values, dtype=torch.float64, device="cuda" if is_gpu else "cpu")
    dist.all_reduce(total)
    return tuple(total.tolist())


def check_shares(batch_size: int) -> None:
    """Refuse batches that the ranks cannot share equally."""
    if batch_size % num_ranks():
        raise ValueError(
            f"batch_size is {batch_size} for {num_ranks()} ranks; it counts the nodes of all "
            f"ranks together, so make it a multiple of {num_ranks()}"
        )


def own_share(nodes: Tensor, batch_size: int, shuffle: bool) -> tuple[Tensor, list[float]]:
    """Nodes of this rank in the batches of all, and what its part of each batch counts.

    All ranks draw the same order from the seed that they share, that of one process alone. A part
    of n_r of a batch's n nodes counts n_r·ranks/n, so that the mean of the gradients over the
    ranks is the gradient of the batch. Where a last batch has less nodes than there are ranks, a
    rank without one takes the first, and counts it 0.
    """
    order: IntArray = np.arange(len(nodes))
    if shuffle:
        np.random.shuffle(order)  # noqa: NPY002  (the generator that DGL's DataLoader uses)
    count, rank = num_ranks(), my_rank()
    # From here on each draws its own: dropout masks and neighbours.
    seed_everything((int(np.random.randint(2**31)) + rank) % 2**31)  # noqa: NPY002
    parts, counts = [], []
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        part = np.array_split(batch, count)[rank]
        counts.append(len(part) * count / len(batch))
        parts.append(part if len(part) else batch[:1])
    return nodes[torch.from_numpy(np.concatenate(parts)).to(nodes.device)], counts
