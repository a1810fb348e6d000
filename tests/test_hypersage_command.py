"""Ctrl-C in the first moment of the command, while it still imports, is one line and 130."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(__file__).parents[1] / "hypersage_command.py"


def test_ctrl_c_during_the_import(tmp_path):
    # The script's own folder goes first on the path, so it must lie beside the stand-in.
    command = tmp_path / COMMAND.name
    command.write_text(COMMAND.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "hypersage_dgl").mkdir()
    (tmp_path / "hypersage_dgl" / "__init__.py").write_text("raise KeyboardInterrupt")
    code = [sys.executable, str(command), "datasets"]
    done = subprocess.run(code, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "hypersage: interrupted\n"


@pytest.mark.exhaustive
def test_otherwise_it_is_the_command():
    code = [sys.executable, str(COMMAND), "--version"]
    done = subprocess.run(code, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("hypersage ")
