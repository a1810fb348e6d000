"""The run of CI, with stand-ins for what takes long: what it calls, and what it prints."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import chain
from pathlib import Path

import pytest
from products import is_in_share

RUN = Path(__file__).parents[1] / ".ci" / "run"
README = (
    "    mkdir -p .venv/bin && cp pytest .venv/bin/python && echo 7 passed # python -m pytest\n"
)
TOOLS = ("bash", "cp", "dirname", "grep", "mkdir", "mktemp", "rm", "tail", "timeout")
LONG = "full products of options and long runs, 11/16: 3 passed, after"
PACKAGE = "package: sdist and wheel"


def script(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(("#!/usr/bin/env bash", *lines, "")))
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """A tree with the run and stand-ins; no tool but those in ``bin`` is found."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(RUN, tmp_path / ".ci" / "run")
    (tmp_path / "README.md").write_text(README)
    script(tmp_path / "pytest", 'echo "$@" >>called', "echo 3 passed, 1 skipped")
    script(tmp_path / "scripts" / "check_package.sh", 'echo "package $@" >>called', "echo built")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    script(tmp_path / "bin" / "id", "echo 0")
    script(tmp_path / "bin" / "git", "echo 000001a")
    script(tmp_path / "bin" / "apt-get", 'echo "apt-get $@" >>called', "echo long story")
    return tmp_path


def run(tree: Path) -> tuple[int, list[str], list[str]]:
    command = [tree / "bin" / "bash", ".ci/run"]
    found = {**os.environ, "PATH": str(tree / "bin")}
    done = subprocess.run(command, cwd=tree, env=found, capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines(), (tree / "called").read_text().splitlines()


def test_what_is_called_in_which_order_and_told(tree):
    code, lines, called = run(tree)
    assert code == 0
    assert lines[:2] == [README.rstrip(), "7 passed"]
    assert lines[2].startswith(LONG)
    assert lines[3].startswith("site: built strictly")
    assert lines[4].startswith(PACKAGE)
    assert called == [
        "apt-get update",
        "apt-get install -y --no-install-recommends libgomp1",
        "apt-get install -y --no-install-recommends chromium chromium-driver",
        "-m pytest -q --exhaustive --share 11/16 -m exhaustive or hypothesis",
        "-m pytest -q --exhaustive tests/test_site.py",
        "package .venv/bin/python",
    ]


def test_no_browser_is_one_line_and_no_failure(tree):
    script(tree / "bin" / "apt-get", "echo reading", "echo no network >&2", "exit 100")
    code, lines, _ = run(tree)
    assert (code, len(lines)) == (0, 6)
    assert lines[0] == "chromium could not be installed: no network"


@pytest.mark.parametrize("there", ["chromium", "id"])
def test_it_is_installed_where_it_is_missing_and_root_asks(tree, there):
    script(tree / "bin" / there, "echo 1000")
    code, lines, called = run(tree)
    assert (code, len(lines)) == (0, 5)
    assert "apt-get" not in " ".join(called)


def test_a_package_that_does_not_work_fails_the_run(tree):
    script(
        tree / "scripts" / "check_package.sh",
        "echo called >called; echo not in the sdist: tests >&2",
        "exit 3",
    )
    code, lines, _ = run(tree)
    assert code == 1
    assert lines[-2:] == ["not in the sdist: tests", "package: failed"]


def test_without_a_commit_it_is_the_first_part(tree):
    script(tree / "bin" / "git", "exit 128")
    assert "--share 1/16" in " ".join(run(tree)[2])


@pytest.mark.parametrize("parts", [1, 2, 8])
def test_the_parts_are_all_tests_and_each_once(parts):
    names = [f"tests/test_a.py::test_b[{i}]" for i in range(1000)]
    shares = [[n for n in names if is_in_share(n, f"{i + 1}/{parts}")] for i in range(parts)]
    assert sorted(chain(*shares)) == sorted(names)
    assert min(map(len, shares)) > 700 / parts
