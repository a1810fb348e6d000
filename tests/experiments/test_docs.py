"""The examples of the help and of docs/cli.md run, but for the training."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from fake_runs import stand_in

from experiments.command import EXAMPLES, PROGRAM

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def run(command, line):
    assert line.startswith(f"{PROGRAM} ")
    done = command(*shlex.split(line.removeprefix(f"{PROGRAM} ").partition(" | ")[0]))
    assert done.code == 0, (line, done)


@pytest.mark.exhaustive
def test_examples_of_the_help_run(command, monkeypatch):
    calls = stand_in(monkeypatch)
    for line in EXAMPLES:
        run(command, line)
    assert calls
    assert all(call.jobs for call in calls)


@pytest.mark.exhaustive
def test_examples_of_the_page_run_and_make_the_files_that_it_names(place, command, monkeypatch):
    calls = stand_in(monkeypatch)
    compared = []
    monkeypatch.setattr("experiments.command.compare", lambda *told: compared.append(told) or 1)
    monkeypatch.setattr("experiments.command.predict", lambda *told: 1)
    lines = re.findall(r"^    (python -m .*)$", PAGE, re.M)
    assert len(lines) >= 4
    # The page of the search comes with a report after it.
    for line in (*lines, f"{PROGRAM} report"):
        run(command, line)
    assert all(call.jobs for call in calls)
    assert [told[1] for told in compared] == ["allset"]
    files = {path.relative_to(place).as_posix() for path in place.rglob("*.*")}
    told = set(re.findall(r"`((?:experiments/results|docs)/[\w/]+\.[\w.]+)`", PAGE))
    results = {f"experiments/results/{name}.jsonl.gz" for name in ("table1", "search")}
    assert results | {"docs/results.md"} <= told <= files


@pytest.mark.parametrize(
    "name",
    [
        "reproduction.md",
        "results.md",
        "search.md",
        "defaults.md",
        "cli.md",
        "hyperedge-prediction.md",
    ],
)
def test_files_of_the_repository_that_a_page_names_exist(name):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    made = {"table1.jsonl", "recipes.json", "quick/table1.jsonl.gz"}
    for path in re.findall(r"`(experiments/[\w/.-]+)`", text):
        assert (ROOT / path).exists() or path.removeprefix("experiments/results/") in made, path
