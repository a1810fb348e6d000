"""Train in one process for each way to die, and let it die of SIGKILL: no handler, no goodbye.

Run as ``python -m training.killed FOLDER`` in ``tests``, with one thread: then children can be
forked from a process that has computed before, and what torch imports late is imported once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

from hypersage_dgl.training import FullGraph
from hypersage_dgl.training.saving import files

from .runs import EPOCHS, train

# The checkpoint of an epoch takes four renames: weights, state, record, log.
RENAMES = 4
FATAL_EPOCH = 4


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def in_training() -> None:
    """Die with the loss of the fatal epoch computed."""
    inner, calls = FullGraph.__iter__, []

    def iterate(self):
        for batch in inner(self):
            calls.append(batch)
            if len(calls) == FATAL_EPOCH:
                die()
            yield batch

    FullGraph.__iter__ = iterate


def at_rename(number: int, after: bool):
    """Die just before or after one of the renames of the fatal epoch."""
    inner, calls = Path.replace, []

    def patch() -> None:
        def replace(self, target):
            calls.append(target)
            is_last = len(calls) == RENAMES * (FATAL_EPOCH - 1) + number
            if is_last and not after:
                die()
            result = inner(self, target)
            if is_last:
                die()
            return result

        Path.replace = replace

    return patch


def in_write() -> None:
    """Die with half of a file of tensors written."""
    inner, calls = files.replacing, []

    @contextlib.contextmanager
    def replacing(path):
        with inner(path) as file:
            calls.append(path)
            if len(calls) == 2 * FATAL_EPOCH:
                file.write(b"half of it")
                file.flush()
                die()
            yield file

    files.replacing = replacing


# For each way to die, the epochs that must be in the checkpoint afterwards.
WAYS = {
    "training": (in_training, FATAL_EPOCH - 1),
    "write": (in_write, FATAL_EPOCH - 1),
    **{
        f"{'after' if after else 'before'} rename {number}": (
            at_rename(number, after),
            FATAL_EPOCH - 1 + (number > 3 or (number == 3 and after)),
        )
        for number in range(1, RENAMES + 1)
        for after in (False, True)
    },
}


def main(folder: Path) -> None:
    train("full", None, 1)
    for name, (patch, _) in WAYS.items():
        child = os.fork()
        if child == 0:
            patch()
            train("full", folder / name, EPOCHS)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(name, os.waitstatus_to_exitcode(status), sep=": ")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
