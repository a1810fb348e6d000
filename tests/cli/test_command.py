"""The whole command: help, exit codes, errors in one line, pipes, signals, processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hypersage_dgl
from hypersage_dgl.cli import command
from hypersage_dgl.cli.commands import info

from .conftest import ROOT, start
from .own_data import losses

NAMES = (
    *("train", "tune", "evaluate", "predict", "report", "compare", "draw", "info"),
    "convert",
    "datasets",
)


def test_help_lists_the_commands(hypersage):
    done = hypersage("--help")
    assert done.code == 0
    for name in NAMES:
        assert re.search(rf"^    {name} ", done.out, re.M)


@pytest.mark.parametrize("name", NAMES)
def test_every_help_has_examples_of_its_command(hypersage, name):
    done = hypersage(name, "--help")
    assert done.code == 0
    examples = done.out.split("\nexamples:\n")[1].splitlines()
    assert examples
    assert all(line.startswith(f"  hypersage {name}") for line in examples)


def test_version(hypersage):
    assert hypersage("--version").out == f"hypersage {hypersage_dgl.__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "required: COMMAND"),
        (("fly",), "invalid choice: 'fly'"),
        (("train", "--no-such-option"), "unrecognized arguments"),
        (("train", "--epoch", "3"), "unrecognized arguments"),
        (("train", "--dataset", "debian", "--hypergraph", "a.npz"), "not allowed with"),
        (("train", "--p", "two"), "'two' is neither a number nor two"),
        (("train", "--p", "1,2,3"), "'1,2,3' is neither a number nor two"),
        (("train", "--alpha", "0"), "'0' must be positive, or -1 for all"),
        (("train", "--alpha", "many"), "'many' must be positive"),
        (("train", "--epochs", "0"), "'0' must be a positive integer"),
        (("train", "--seed", "-1"), "'-1' must be a non-negative integer"),
        (
            ("train", "--split", "first"),
            "'first' must be the number of a split (a positive integer)",
        ),
        (("train", "--device", "abacus"), "'abacus' is not a device that torch knows"),
        (("train", "--device", "cuda:99"), "'cuda:99' cannot be used here, as 'cpu' can"),
        (("train", "--device", "hpu"), "'hpu' cannot be used here, as 'cpu' can"),
        (("train", "--device", "meta"), "'meta' cannot be used here, as 'cpu' can"),
        (("train", "--lr", "-1"), "'-1' must be a positive number"),
        (("train", "--lr", "fast"), "'fast' must be a positive number"),
        (("train", "--weight-decay", "inf"), "'inf' must be a non-negative number"),
        (("train", "--dropout", "1"), "'1' must be at least 0 and below 1"),
        (("train", "--dropout", "nan"), "'nan' must be at least 0 and below 1"),
        (("train", "--resume"), "--resume needs --out"),
        (("train", "--alpha", "5"), "--alpha: nothing is sampled"),
        (("train", "--tensorboard"), "--tensorboard needs --out"),
        (("compare", "model"), "one run cannot be compared"),
        (("compare", "model", "./model"), "a run is named twice"),
        (("draw", "debian"), "required: --node"),
        (("draw", "debian", "--node", "whois", "--out", "a.gif"), "as in picture.svg or .png"),
        (("draw", "debian", "--node", "whois", "--alpha", "3,2"), "--alpha takes one number here"),
        (("train", "--features", "a.npz"), "--features needs --hypergraph"),
        (("train", "--hypergraph", "a.npz", "--data-dir", "x"), "--data-dir needs --dataset"),
        (
            ("evaluate", "model"),
            "one of the arguments --dataset --hypergraph --incidences is required",
        ),
        (("convert", "a.json"), "required: TARGET"),
        (("convert", "a.json", "b.csv", "--node", "v"), "name columns of CSV"),
    ],
)
def test_words_that_make_no_sense(fails, words, said):
    assert said in fails(*words, code=2)


def test_debug_shows_the_traceback_in_either_place(hypersage):
    for words in (("--debug", "info", "nothing"), ("info", "nothing", "--debug")):
        done = hypersage(*words)
        assert done.code == 1
        assert done.err.startswith("Traceback (most recent call last)")
        assert done.err.splitlines()[-1].startswith("hypersage info: error: nothing is neither")


def test_any_error_is_one_line(monkeypatch, fails):
    def broken(*_, **__):
        raise RuntimeError("first\n   second")

    monkeypatch.setattr(info, "load", broken)
    assert fails("info", "debian") == "hypersage info: error: RuntimeError: first second\n"


def test_ctrl_c_is_130(monkeypatch, hypersage):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(info, "load", interrupted)
    done = hypersage("info", "debian")
    assert (done.code, done.err) == (130, "hypersage info: interrupted\n")


def test_the_package_asks_for_the_script():
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    assert 'entry_points={"console_scripts": ["hypersage=hypersage_command:main"]}' in setup
    assert hypersage_dgl.cli.main is command.main


@pytest.mark.exhaustive
def test_help_imports_nothing_heavy_beyond_the_package():
    code = """
import sys, hypersage_dgl
before = set(sys.modules)
from hypersage_dgl.cli import main
main(["train", "--help"])
new = {name: getattr(sys.modules[name], "__file__", None) for name in set(sys.modules) - before}
sys.exit(" ".join(name for name, file in new.items() if "site-packages" in (file or "")))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert done.stderr.strip() == ""


@pytest.mark.parametrize(
    "words",
    [pytest.param(("--help",), marks=pytest.mark.exhaustive), ("datasets",)],
    ids=["help", "datasets"],
)
def test_a_closed_pipe_is_no_traceback(words):
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*words, stdout=writer)
    os.close(writer)
    assert (process.communicate()[1], process.returncode) == ("", 141)


@pytest.mark.exhaustive
def test_a_full_disk_is_one_line():
    with Path("/dev/full").open("w") as full:
        process = start("datasets", stdout=full)
    err = process.communicate()[1]
    assert process.returncode == 1
    assert err == "hypersage: error: standard output: No space left on device\n"


def test_ctrl_c_in_training_keeps_the_run_and_resume_repeats_the_curve(place, hypersage):
    words = ("train", "--dataset", "synthetic", "--hidden", "4", "--out")
    process = start(*words, "broken", "--epochs", "1000000", stdout=subprocess.PIPE)
    log = place / "broken" / "log.csv"
    while not (log.is_file() and len(losses(log)) >= 2):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    done = len(losses(log))
    assert process.returncode == 130
    assert err == (
        f"hypersage train: interrupted after {done} epochs; broken has them, --resume goes on\n"
    )
    epochs = ("--epochs", str(done + 2))
    assert hypersage(*words, "broken", *epochs, "--resume").code == 0
    assert hypersage(*words, "whole", *epochs).code == 0
    assert losses(log) == losses(place / "whole" / "log.csv")
    assert len(losses(log)) == done + 2
