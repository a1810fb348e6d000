"""How an import on a stack that cannot work fails, and what an import leaves alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REPORT = """
try:
    import hypersage_dgl
except Exception as error:
    print(type(error).__name__, str(error), sep="|", end="")
"""


def run(code: str, home: Path, *paths: Path) -> str:
    """Run code in a fresh interpreter that has its own home and no setting of DGL."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DGL")}
    environment["HOME"] = environment["USERPROFILE"] = str(home)
    environment["PYTHONPATH"] = os.pathsep.join([*map(str, paths), str(ROOT)])
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=home
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_names_the_cure(report: str, cause: str) -> None:
    error, message = report.split("|", 1)
    assert error == "ImportError"
    assert "\n" not in message
    assert cause in message
    assert re.search(r"pip install 'dgl>=1.1.3' 'torch>=2.1,<2.14' packaging pandas", message)


def test_writes_nothing_into_the_home_directory(tmp_path):
    assert run("import hypersage_dgl; print('fine')", tmp_path).strip() == "fine"
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.exhaustive
def test_missing_packaging_names_the_cure(tmp_path):
    report = run("import sys; sys.modules['packaging'] = None" + REPORT, tmp_path)
    assert_names_the_cure(report, "packaging")


def test_missing_dgl_names_the_cure(tmp_path):
    report = run("import sys; sys.modules['dgl'] = None" + REPORT, tmp_path)
    assert_names_the_cure(report, "dgl")


def test_dgl_without_its_library_names_the_cure(tmp_path):
    # Any failure outside of graphbolt is one that nothing here can work around.
    stub = tmp_path / "site" / "dgl"
    stub.mkdir(parents=True)
    cause = "Cannot find DGL C++ graphbolt library at libgraphbolt_pytorch_2.13.0.so"
    (stub / "__init__.py").write_text(f"raise FileNotFoundError({cause!r})\n")
    assert_names_the_cure(run(REPORT, tmp_path, stub.parent), "graphbolt")


def test_dgl_with_a_broken_library_names_the_cure(tmp_path):
    stub = tmp_path / "site" / "dgl"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise OSError('libdgl.so: undefined symbol\\nmore')\n")
    assert_names_the_cure(run(REPORT, tmp_path, stub.parent), "undefined symbol")


def test_dgl_without_openmp_names_the_package_of_the_system(tmp_path):
    stub = tmp_path / "site" / "dgl"
    stub.mkdir(parents=True)
    reason = "libgomp.so.1: cannot open shared object file: No such file or directory"
    (stub / "__init__.py").write_text(f"raise OSError({reason!r})\n")
    report = run(REPORT, tmp_path, stub.parent)
    assert report.endswith(f"({reason}). Cure: sudo apt-get install libgomp1")


MISSING = "Cannot find DGL C++ graphbolt library at libgraphbolt_pytorch_2.13.0.so"
# What DGL 2.1 does: it imports graphbolt at once, from inside of another part.
FAKE = {
    "__init__.py": "from . import core\nfrom .distributed import gb\n",
    "core.py": "LOADED = True\n",
    "distributed.py": "from . import graphbolt as gb\n",
    "graphbolt/__init__.py": "from .base import *\nfrom .library import load\nload()\nWHOLE = 1\n",
    "graphbolt/base.py": "PART = 1\n",
}
FAILURES = {
    "a library that is not there": f"raise FileNotFoundError({MISSING!r})",
    "a library for another torch": "raise OSError('undefined symbol: _ZN3c10\\nand more')",
    "a package that changed": "import torch_that_has_no_datapipes",
    "a name that is gone": "raise AttributeError('module torch has no attribute _x')",
    "an operator that is there twice": "raise RuntimeError('Tried to register twice')",
}
REASONS = dict(
    zip(FAILURES, [MISSING, "undefined symbol", "no_datapipes", "attribute _x", "register twice"])
)
LOAD = f"""
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location(
    "stack", {str(ROOT / "hypersage_dgl" / "_stack.py")!r}
)
stack = importlib.util.module_from_spec(spec)
before = list(sys.meta_path)
spec.loader.exec_module(stack)
assert sys.meta_path == before, "the finder stays behind"
import dgl
"""


def fake_dgl(home: Path, load: str) -> Path:
    """Write a package ``dgl`` whose graphbolt does this when it loads its library."""
    folder = home / "site"
    for name, text in {**FAKE, "graphbolt/library.py": f"def load():\n    {load}\n"}.items():
        path = folder / "dgl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_graphbolt_that_loads_is_left_alone(tmp_path):
    code = """
from dgl import graphbolt
print(graphbolt.WHOLE, graphbolt.PART, dgl.core.LOADED, "__getattr__" in vars(graphbolt))
print(type(graphbolt.__spec__.loader).__name__)
import dgl.graphbolt.base
"""
    assert run(LOAD + code, tmp_path, fake_dgl(tmp_path, "pass")).split() == [
        *("1", "1", "True", "False"),
        "SourceFileLoader",
    ]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_graphbolt_that_fails_is_emptied_and_says_why(tmp_path, failure):
    code = """
print(dgl.core.LOADED, dgl.distributed.gb is dgl.graphbolt, sorted(
    name for name in vars(dgl.graphbolt) if not name.startswith("__")))
print([name for name in sys.modules if name.startswith("dgl.graphbolt.")])
for use in ("dgl.graphbolt.PART", "dgl.graphbolt.anything", "exec('from dgl.graphbolt import x')"):
    try:
        eval(use)
    except ImportError as error:
        print(error)
"""
    lines = run(LOAD + code, tmp_path, fake_dgl(tmp_path, FAILURES[failure])).splitlines()
    assert lines[:2] == ["True True []", "[]"]
    assert len(lines) == 5
    for line, name in zip(lines[2:], ("PART", "anything", "x")):
        assert line.startswith(f"dgl.graphbolt.{name} cannot be used here: ")
        assert REASONS[failure] in line


def test_what_asks_every_module_for_something_does_not_use_graphbolt(tmp_path):
    code = """
import copy, doctest, inspect
print(hasattr(dgl.graphbolt, "__wrapped__"), hasattr(dgl.graphbolt, "__warningregistry__"))
inspect.unwrap(dgl.graphbolt); inspect.getmodule(dgl.graphbolt); repr(dgl.graphbolt)
print([inspect.getmodule(frame[0]) is not None for frame in inspect.stack()] != None)
"""
    site = fake_dgl(tmp_path, FAILURES["a library that is not there"])
    assert run(LOAD + code, tmp_path, site).split() == ["False", "False", "True"]


def test_a_bug_in_graphbolt_is_not_hidden(tmp_path):
    code = """
try:
    exec(LOADING)
except ZeroDivisionError:
    print("raised")
"""
    site = fake_dgl(tmp_path, "1 / 0")
    assert run(f"LOADING = {LOAD!r}" + code, tmp_path, site).strip() == "raised"


def test_a_broken_dgl_that_was_imported_first_is_recovered(tmp_path):
    before = """
try:
    import dgl
except FileNotFoundError:
    print("failed")
import sys
print("dgl" in sys.modules, "dgl.core" in sys.modules)
"""
    after = "print(dgl.core.LOADED, dgl.distributed.gb is dgl.graphbolt)"
    site = fake_dgl(tmp_path, FAILURES["a library that is not there"])
    assert run(before + LOAD + after, tmp_path, site).split() == [
        "failed",
        # What Python leaves behind of it would not be imported again.
        *("False", "True"),
        *("True", "True"),
    ]


def test_a_dgl_that_was_imported_before_is_used(tmp_path):
    code = "import dgl; first = dgl" + LOAD + "print(first is dgl, 'DGLBACKEND' in os.environ)"
    assert run(code, tmp_path, fake_dgl(tmp_path, "pass")).split() == ["True", "True"]


@pytest.mark.exhaustive
def test_the_real_graphbolt_works_or_says_why(tmp_path):
    code = """
import hypersage_dgl, dgl, importlib
try:
    importlib.import_module("dgl.graphbolt").unique_and_compact
    print("fine")
except ImportError as error:
    print(error)
"""
    # DGL 1 has none, DGL 2.1 one for torch up to 2.2.1.
    said = run(code, tmp_path).strip()
    assert re.match(r"fine|No module named|dgl.graphbolt.unique_and_compact cannot be used", said)


@pytest.mark.exhaustive
def test_a_real_dgl_that_failed_first_is_recovered(tmp_path):
    code = """
try:
    import dgl
except (ImportError, OSError):
    pass
import hypersage_dgl, dgl
print(hypersage_dgl.hypergraph([[0, 1], [1, 2]]).num_nodes("node"))
"""
    assert run("import os; os.environ['DGLBACKEND'] = 'pytorch'" + code, tmp_path).strip() == "3"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize("error", ["ImportError", "RuntimeError"])
@pytest.mark.parametrize("module", ["dgl", "dgl.graphbolt"])
def test_ctrl_c_stays_ctrl_c_whatever_a_library_makes_of_it(tmp_path, error, module):
    stub = tmp_path / "site" / "dgl"
    (stub / "graphbolt").mkdir(parents=True)
    body = (
        "import signal\n"
        "try:\n    signal.raise_signal(signal.SIGINT)\n"
        f"except KeyboardInterrupt:\n    raise {error}('a library failed to import') from None\n"
    )
    inner = module == "dgl.graphbolt"
    (stub / "__init__.py").write_text("import dgl.graphbolt\n" if inner else body)
    (stub / "graphbolt" / "__init__.py").write_text(body if inner else "")
    code = (
        "import signal\n"
        # A process that was started in the background ignores it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n    import hypersage_dgl\n"
        "except KeyboardInterrupt:\n"
        "    print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    assert run(code, tmp_path, tmp_path / "site").strip() == "True"
