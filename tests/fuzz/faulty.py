"""Readers with every kind of fault, which the attack must see."""

from __future__ import annotations

import os
import time

from .children import Reader


def _take_memory() -> None:
    bytearray(1 << 40)


def _loop() -> None:
    while True:
        pass


def _raise(error: Exception) -> None:
    raise error


FAULTS = {
    "good": Reader("good", lambda rng, folder: lambda: None),
    "refused": Reader("refused", lambda rng, folder: lambda: _raise(ValueError(str(folder)))),
    "unnamed": Reader("unnamed", lambda rng, folder: lambda: _raise(ValueError("no file"))),
    "raw": Reader("raw", lambda rng, folder: lambda: _raise(KeyError("x"))),
    "memory": Reader("memory", lambda rng, folder: _take_memory),
    "endless": Reader("endless", lambda rng, folder: _loop),
    "asleep": Reader("asleep", lambda rng, folder: lambda: time.sleep(1000)),
    "crash": Reader("crash", lambda rng, folder: lambda: os.kill(os.getpid(), 11)),
}
