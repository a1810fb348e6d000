"""Work on the next items of a list while the caller is busy with the last one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import torch

from ..hypergraphs import one_thread

Item = TypeVar("Item")
Done = TypeVar("Done")

WORKERS = 2


def ahead(items: Iterable[Item], work: Callable[[Item], Done]) -> Iterator[Done]:
    """``work`` on each item, in order, by threads of one core each where there are several cores.

    The items are drawn by the caller's own thread, one after another and up to ``WORKERS`` before
    they are asked for: what is drawn is what it would be without threads. An error of the work
    comes where its item would. However the loop ends, no thread stays behind.

    Examples
    --------
    >>> list(ahead(range(5), lambda number: number**2))
    [0, 1, 4, 9, 16]
    """
    if torch.get_num_threads() == 1:
        # Asked for no more than one.
        yield from map(work, items)
        return

    def on_one_thread(item: Item) -> Done:
        # With more, a step of one batch would wait for the threads of the next.
        with one_thread():
            return work(item)

    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="hypersage-ahead") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(on_one_thread, item))
                if len(waiting) > WORKERS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
