"""Import DGL once: also beside a torch that its graphbolt library does not fit, else say the cure.

DGL 2.1 and later import ``dgl.graphbolt`` at once, whose library is built for a few versions of
torch and fails beside any other. Nothing here needs it. So while DGL is imported, that one module
may fail: it is then left empty, and whoever uses it is told why.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import FrameType, ModuleType
from typing import Any

OPTIONAL = "dgl.graphbolt"
CURE = "pip install 'dgl>=1.1.3' 'torch>=2.1,<2.14' packaging pandas"
# OpenMP, which DGL's wheels for Linux do not bring, and a bare container does not have.
OPENMP_CURE = "sudo apt-get install libgomp1"


class _ForgivingFinder(MetaPathFinder):
    """Finds ``dgl.graphbolt`` as Python does, with a loader that may fail."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != OPTIONAL:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _ForgivingLoader(spec.loader)
        return spec


class _ForgivingLoader(Loader):
    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Whoever asks the module for its source or files asks its own loader.
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        try:
            self.loader.exec_module(module)
        # A library that is not there, or not for this torch, or a package that it needs. One that
        # was interrupted fails the import of DGL.
        except (AttributeError, ImportError, OSError, RuntimeError) as error:
            if _interrupts:
                raise
            _empty(module, _first_line(error))


def _empty(module: ModuleType, reason: str) -> None:
    """Leave nothing in the module but the reason why."""
    for name in [name for name in sys.modules if name.startswith(f"{module.__name__}.")]:
        del sys.modules[name]
    for name in [name for name in vars(module) if not name.startswith("__")]:
        delattr(module, name)
    module.__path__ = []

    def absent(name: str) -> Any:
        # What asks every module for its __file__ or __wrapped__ does not use it.
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"{module.__name__}.{name} cannot be used here: {reason}")

    vars(module)["__getattr__"] = absent


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


_interrupts: list[int] = []


@contextmanager
def _noting_interrupts() -> Iterator[None]:
    """Note Ctrl-C: some libraries turn it into an error of their own while they are imported."""

    def note(number: int, frame: FrameType | None) -> None:
        _interrupts.append(number)
        signal.default_int_handler(number, frame)

    _interrupts.clear()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def import_dgl() -> None:
    """Import DGL, or raise ``ImportError`` with the cure in one line."""
    # Unset, DGL's first import writes a configuration file into the home directory.
    os.environ.setdefault("DGLBACKEND", "pytorch")
    if "dgl" in sys.modules and sys.modules["dgl"] is not None:
        return
    # An import that failed before leaves its parts behind, which would not be imported again.
    for name in [name for name in sys.modules if name.startswith("dgl.")]:
        del sys.modules[name]
    finder = _ForgivingFinder()
    sys.meta_path.insert(0, finder)
    try:
        with _noting_interrupts():
            importlib.import_module("dgl")
    # A broken library is an OSError, a module that DGL forgets to ask for an ImportError.
    except Exception as error:
        if _interrupts:
            raise KeyboardInterrupt from error
        if not isinstance(error, (ImportError, OSError)):
            raise
        reason = _first_line(error)
        cure = OPENMP_CURE if "libgomp" in reason else CURE
        raise ImportError(
            f"hypersage_dgl needs a working DGL, but `import dgl` failed ({reason}). Cure: {cure}"
        ) from error
    finally:
        sys.meta_path.remove(finder)


import_dgl()
