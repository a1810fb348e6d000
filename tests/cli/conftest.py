"""A place of its own for each test, the command in-process, and models trained once."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from hypersage_dgl.cli import main

from .circles import SHORT, TABLES, TRAIN, write
from .own_data import write_all

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty working folder and cache, away from the data of this machine."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("DGL_DOWNLOAD_DIR", str(tmp_path / "downloads"))
    monkeypatch.delenv("HYPERSAGE_DATA_DIR", raising=False)
    return work


@pytest.fixture
def hypersage(capfd):
    """Run the command in this process."""

    def run(*words: str) -> Done:
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Done(code, *capfd.readouterr())

    return run


@pytest.fixture
def fails(hypersage):
    """Run the command, which must fail with one line on standard error; return that line."""

    def run(*words: str, code: int = 1) -> str:
        done = hypersage(*words)
        assert done.code == code, done
        assert done.err.count("\n") == 1, done.err
        assert done.err.startswith("hypersage")
        assert ": error: " in done.err
        return done.err

    return run


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """All own data, with models trained on them: ``own-model`` and ``hif-model``; ``model``."""
    folder = tmp_path_factory.mktemp("trained")
    write_all(folder)
    path = os.environ.get("DGL_DOWNLOAD_DIR")
    short = ("--recipe", "paper", "--epochs", "25", "--hidden", "8")
    own = ("--hypergraph", str(folder / "recipes.npz"), "--out", str(folder / "own-model"))
    hif = ("--hypergraph", str(folder / "recipes.json"), "--out", str(folder / "hif-model"))
    synthetic = ("--dataset", "synthetic", "--out", str(folder / "model"))
    assert main(["train", *own, *short]) == 0
    assert main(["train", *hif, *short, "--split", "random", "--label", "kind"]) == 0
    assert main(["train", *synthetic, *short]) == 0
    assert os.environ.get("DGL_DOWNLOAD_DIR") == path
    return folder


@pytest.fixture
def data(trained, place):
    """A copy of the own data and models, in the working folder."""
    shutil.copytree(trained, place, dirs_exist_ok=True)
    # The copy took over the mode of pytest's folder, which is private.
    place.chmod(0o755)
    return place


@pytest.fixture(scope="session")
def trained_sets(tmp_path_factory):
    """A model of the two circles that was trained once, and what the command printed."""
    folder = tmp_path_factory.mktemp("sets")
    write(folder)
    tables = [str(folder / word) if word.endswith(".csv") else word for word in TABLES]
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert (
            main([*TRAIN[:3], *tables, *SHORT, "--epochs", "15", "--out", str(folder / "m")]) == 0
        )
    return folder / "m", printed.getvalue()


@pytest.fixture
def circles_model(place, trained_sets):
    """The model and its tables, here; what was printed."""
    write(place)
    shutil.copytree(trained_sets[0], place / "model")
    return trained_sets[1]


def start(*words: str, **options: object) -> subprocess.Popen[str]:
    """Start the command as a process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    # Unbuffered, argparse itself would meet the closed pipe, and keep silent.
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.Popen(
        [sys.executable, "-m", "hypersage_dgl", *map(str, words)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        # What a shell runs in the background is deaf to Ctrl-C, and so is what that starts.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        **options,
    )


@contextmanager
def powerless(*paths: Path) -> Iterator[None]:
    """Take away the right to write to folders and to read files; root becomes someone else."""
    modes = {path: path.stat().st_mode for path in paths}
    is_root = os.geteuid() == 0
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o000)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path, mode in modes.items():
            path.chmod(mode)
