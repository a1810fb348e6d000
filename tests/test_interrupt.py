"""Ctrl-C while ``python -m hypersage_dgl`` imports the package: one line, the signal."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no process ends by a signal there")
MODULE = Path(__file__).parents[1] / "hypersage_dgl" / "_interrupt.py"


def run(folder: Path, what: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python beside a stand-in of the package, whose import ends in this way."""
    package = folder / "hypersage_dgl"
    package.mkdir()
    shutil.copy(MODULE, package)
    (package / "__init__.py").write_text(f"from . import _interrupt\n{what}")
    (package / "__main__.py").write_text("print('never')")
    # Whoever started the tests may ignore Ctrl-C, and children would too.
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_ctrl_c_during_the_import(tmp_path):
    done = run(tmp_path, "raise KeyboardInterrupt", "-m", "hypersage_dgl", "datasets")
    assert (done.stdout, done.stderr) == ("", "hypersage: interrupted\n")
    # A shell shows it as 130.
    assert done.returncode == -signal.SIGINT


def test_another_error_is_told_in_full(tmp_path):
    done = run(tmp_path, "raise RuntimeError('broken')", "-m", "hypersage_dgl")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("RuntimeError: broken\n")


def test_who_imports_the_package_keeps_the_traceback(tmp_path):
    done = run(tmp_path, "raise KeyboardInterrupt", "-c", "import hypersage_dgl")
    assert done.stderr.endswith("KeyboardInterrupt\n")
    assert "interrupted" not in done.stderr
