"""A place of its own for tests of the command, and the command in-process."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from experiments.command import PROGRAM, main


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty working folder and cache, away from the data of this machine."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("DGL_DOWNLOAD_DIR", str(tmp_path / "downloads"))
    monkeypatch.delenv("HYPERSAGE_DATA_DIR", raising=False)
    return work


@pytest.fixture
def command(capfd, place):
    """Run ``python -m experiments`` in this process."""

    def run(*words: str) -> Done:
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Done(code, *capfd.readouterr())

    return run


@pytest.fixture
def fails(command):
    """Run the command, which must fail with one line on standard error; return that line."""

    def run(*words: str, code: int = 1) -> str:
        done = command(*words)
        assert done.code == code, done
        assert done.err.count("\n") == 1, done.err
        assert done.err.startswith(f"{PROGRAM}: error: ")
        return done.err

    return run
