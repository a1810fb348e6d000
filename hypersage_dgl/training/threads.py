"""As many threads as a step is worth: beside busy processes they wait for one another."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from .._utils import entries
from ..hypergraphs import one_thread
from ..nn import FirstLayer
from .batches import Batch

# Entries of the input up to which a step takes some ten milliseconds on one thread, and with two
# of them beside busy processes a second, since each operation waits for the slower one.
SMALL = 1 << 22


def threads_for(batch: Batch) -> AbstractContextManager[None]:
    """One thread for a small batch on the CPU, by its features alone; else as many as torch has."""
    feat = batch.feat
    count = feat.entries if isinstance(feat, FirstLayer) else entries(feat)
    is_small = batch.labels.device.type == "cpu" and count <= SMALL
    return one_thread() if is_small else nullcontext()
