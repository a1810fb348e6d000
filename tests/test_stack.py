"""How an import on a stack that cannot work fails, and what an import leaves alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

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


def test_missing_packaging_names_the_cure(tmp_path):
    report = run("import sys; sys.modules['packaging'] = None" + REPORT, tmp_path)
    assert_names_the_cure(report, "packaging")


def test_missing_dgl_names_the_cure(tmp_path):
    report = run("import sys; sys.modules['dgl'] = None" + REPORT, tmp_path)
    assert_names_the_cure(report, "dgl")


def test_dgl_without_its_graphbolt_library_names_the_cure(tmp_path):
    # What DGL 2.1.0 does beside a newer torch.
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
