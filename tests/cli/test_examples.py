"""The examples of every help text and of docs/cli.md run, and print what the page says."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil

import pytest

from hypersage_dgl.cli.command import COMMANDS, EXAMPLES

from .conftest import ROOT
from .own_data import hif_document

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
GROUPS = {"hypersage": EXAMPLES, **{c.__name__.rpartition(".")[2]: c.EXAMPLES for c in COMMANDS}}


def run(hypersage, line):
    """Run a line of a shell; what comes after a pipe only shortens the output."""
    command, *words = shlex.split(line.partition(" | ")[0])
    assert command == "hypersage"
    done = hypersage(*words)
    assert done.code == 0, (line, done)
    return done.out


@pytest.mark.parametrize("group", GROUPS)
def test_examples_of_the_help_run(data, hypersage, group, monkeypatch):
    # What it starts takes long, training/processes/test_cluster.py has it; here words are read.
    monkeypatch.setattr(
        "hypersage_dgl.cli.commands.launch.launch", lambda parts, command, **options: None
    )
    (data / "hosts.txt").write_text("10.0.0.1\n10.0.0.2\n")
    if group in ("hypersage", "train"):
        for made in ("model", "own-model"):
            shutil.rmtree(data / made)
    unseen = hif_document()
    (data / "unseen.json").write_text(json.dumps({"incidences": unseen["incidences"]}))
    # Without `nodes` in the file only those in a hyperedge are known.
    words = (data / "words.csv").read_text().splitlines()
    known = {record["node"] for record in unseen["incidences"]}
    kept = [line for line in words[1:] if line.split(",")[0] in known]
    (data / "unseen-words.csv").write_text("\n".join([words[0], *kept]))
    (data / "authors.txt").write_text("author,paper\nann,x\nbob,x\nbob,y\n")
    (data / "copy-of-hypergcn").mkdir()
    for line in GROUPS[group]:
        # Runs in several processes are those of one after the other: test_runs.py has them.
        run(hypersage, line.replace("--jobs 2", "--jobs 1"))


def blocks():
    """The blocks of code of the page in their order: language, content, and text before it."""
    pattern = r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<content>.*?)^```$"
    return list(re.finditer(pattern, PAGE, re.M | re.S))


def masked(text):
    """Text without its numbers, which depend on the machine, and without widths of columns."""
    return re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "0", text)).strip()


@pytest.mark.exhaustive
def test_examples_of_the_page_run_and_print_what_it_says(place, hypersage):
    printed, kinds = "", []
    for block in blocks():
        kind, content = block["kind"], block["content"]
        kinds.append(kind)
        if kind == "sh":
            printed = "".join(run(hypersage, line) for line in content.splitlines())
        elif kind == "text":
            assert masked(printed) == masked(content)
        elif kind == "json":
            name = re.match(r"`(\S+\.json)`", block["before"])[1]
            (place / name).write_text(content)
        else:
            assert kind == "python"
            (place / "example.py").write_text(content)
            runpy.run_path("example.py")
    assert kinds.count("sh") >= 7
    assert (place / "same-classes.csv").read_text() == (place / "classes.csv").read_text()


def test_the_page_has_every_command_and_exit_code():
    for name in GROUPS:
        assert f"`{name}`" in PAGE
    assert re.findall(r"^\| (\d+) \|", PAGE, re.M) == ["0", "1", "2", "130", "141"]
