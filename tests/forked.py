"""Work in a forked process, to be killed: as one of its own, but spared seconds of imports."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Callable


def start(work: Callable[[], object]) -> int:
    """Fork a process that does the work and ends with code 0, or 1 after an error; its number."""
    with warnings.catch_warnings():
        # Python 3.12 warns of threads, which the child has none of; it touches files alone.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return child


def wait(child: int) -> int:
    """Code that a process ended with, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
