"""Run inputs in child processes with limits of memory and time; name the one that ended a child."""

from __future__ import annotations

import json
import mmap
import os
import random
import resource
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Processor time, so that a busy machine changes nothing.
SECONDS = 20.0
MEMORY = 3 << 30
# Without a sign of life for so long a child hangs: looks of this process, which stands still where
# both are stopped, and no hours of a clock, which goes on.
LOOK, SILENCE = 0.02, 15_000


@dataclass(frozen=True)
class Reader:
    """What takes data from outside: ``make`` gives a call for a random input.

    ``make(rng, folder)`` may write into the folder. The call must end in a way that is documented:
    a result, or one of ``errors``, which names a file of the folder if ``named``. Of all inputs it
    gets some in proportion to its ``share``: fewer where one takes long.
    """

    name: str
    make: Callable[[random.Random, Path], Callable[[], Any]]
    errors: tuple[type[Exception], ...] = (ValueError,)
    named: bool = True
    share: int = 4


@dataclass
class Outcome:
    """How the inputs of a reader ended."""

    inputs: int = 0
    taken: int = 0
    refused: int = 0
    undocumented: list[str] = field(default_factory=list)


def attack(reader: Reader, inputs: int, seed: int) -> Outcome:
    """Throw so many inputs at a reader."""
    outcome, start = Outcome(), 0
    while start < inputs:
        done, ended = _batch(reader, start, inputs, seed)
        outcome.taken += done["taken"]
        outcome.refused += done["refused"]
        outcome.undocumented += done["undocumented"]
        start = done["next"]
        if ended is not None:
            outcome.undocumented.append(f"{reader.name} {start}: {ended}")
            start += 1
    outcome.inputs = inputs
    return outcome


def one(reader: Reader, index: int, seed: int, folder: Path) -> str:
    """Try one input: ``taken``, ``refused``, or a description of what is not documented."""
    rng = random.Random(f"{seed} {reader.name} {index}")
    call = reader.make(rng, folder)
    try:
        call()
    except reader.errors as error:
        text = str(error)
        if not text:
            return f"{type(error).__name__} without a word"
        if reader.named and not any(name in text for name in (folder.name, "standard")):
            return f"{type(error).__name__} that does not name its file: {text[:300]}"
        return "refused"
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} ({place.filename}:{place.lineno})"
    return "taken"


def _batch(reader: Reader, start: int, stop: int, seed: int) -> tuple[dict[str, Any], str | None]:
    """Inputs in one child, until one ends it; counts, and how it ended if not well."""
    # Written by the child at each input, and still there after its end.
    shared = mmap.mmap(-1, 1 << 20)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    child = os.fork()
    if child == 0:
        try:
            _serve(reader, start, stop, seed, folder, shared)
        finally:
            os._exit(3)
    try:
        status = _wait(child, shared)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    shared.seek(0)
    done = json.loads(shared.readline())
    if status == 0:
        return done, None
    how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {status}"
    return done, f"the process ended with {how}"


def _serve(
    reader: Reader, start: int, stop: int, seed: int, folder: Path, shared: mmap.mmap
) -> None:
    in_use = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
    resource.setrlimit(resource.RLIMIT_AS, (in_use + MEMORY, in_use + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    # What the inputs make the libraries print is no outcome.
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    done: dict[str, Any] = {"next": start, "taken": 0, "refused": 0, "undocumented": []}
    for index in range(start, stop):
        done["next"] = index
        _note(shared, done)
        place = folder / f"fuzz{index}"
        place.mkdir()
        # The action of the signal is the system's own: it ends loops in C too.
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        found = one(reader, index, seed, place)
        signal.setitimer(signal.ITIMER_PROF, 0)
        shutil.rmtree(place, ignore_errors=True)
        if found in ("taken", "refused"):
            done[found] += 1
        elif len(done["undocumented"]) < 500:
            done["undocumented"].append(f"{reader.name} {index}: {found}")
    done["next"] = stop
    _note(shared, done)
    os._exit(0)


def _note(shared: mmap.mmap, done: dict[str, Any]) -> None:
    line = json.dumps(done).encode() + b"\n"
    shared.seek(0)
    shared.write(line)


def _wait(child: int, shared: mmap.mmap) -> int:
    seen, silent = b"", 0
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
        now = bytes(shared[:200])
        if now != seen:
            seen, silent = now, 0
        elif silent > SILENCE:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(LOOK)
        silent += 1
