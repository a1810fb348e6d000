"""What ``train --out`` leaves of a run: run.json and report.html."""

from __future__ import annotations

import json
import re
import shlex
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.cli.run_files import (
    RunRecord,
    _fan_out,
    command_of,
    options_of,
    read_run_record,
)

from .own_data import losses

EVIL = "<script>alert('x')</script>"
SHORT = ("--epochs", "4", "--hidden", "8")


def args(*words, **more):
    return Namespace(prog="hypersage train", words=words, runs=1, seed=0, out="x", **more)


def test_a_record_comes_back(tmp_path):
    record = RunRecord("hypersage train", {"p": 2.0}, {"accuracy (full)": 0.5}, "done")
    record.write(tmp_path)
    assert read_run_record(tmp_path) == record
    assert read_run_record(tmp_path / "nothing") == RunRecord()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "is not a run of hypersage_dgl"),
        ({"scores": {"accuracy": "high"}}, "the score 'accuracy' is 'high'; it must be a number"),
        ({"command": 3}, "must be of type string"),
    ],
)
def test_a_changed_record_is_an_error(tmp_path, changes, said):
    RunRecord().write(tmp_path)
    file = tmp_path / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))
    with pytest.raises(ValueError, match=said):
        read_run_record(tmp_path)


def test_the_command_quotes_and_forgets_that_it_resumed():
    words = ("train", "--hypergraph", "my data.npz", "--resume", "--out", "x")
    assert command_of(args(*words)) == "hypersage train --hypergraph 'my data.npz' --out x"


def test_one_of_several_runs_is_named_by_its_seed():
    given = args("train", "--runs", "3", "--out", "x")
    given.runs, given.seed, given.out = 3, 2, "x/seed-2"
    assert command_of(given).endswith("--runs 3 --out x --runs 1 --seed 2 --out x/seed-2")


def test_options_are_those_that_decide_and_json_holds_them():
    given = args(p=(float("inf"), 1.0), split=Path("a.csv"), label=None, learn_p=False, text=[])
    found = options_of(given, epochs=7)
    assert found == {"seed": 0, "p": "inf,1.0", "split": "a.csv", "epochs": 7}
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_noted_command_trains_the_same(data, hypersage):
    words = ("train", "--hypergraph", "recipes.npz", "--epochs", "3", "--seed", "4", "--out", "one")
    assert hypersage(*words).code == 0
    record = read_run_record("one")
    again = shlex.split(record.command.replace("--out one", "--out two"))
    assert hypersage(*again[1:]).code == 0
    assert losses(data / "one" / "log.csv") == losses(data / "two" / "log.csv")
    assert read_run_record("two").scores == record.scores
    assert (record.options["seed"], record.options["data"]) == (4, "recipes.npz")


def page(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_page_says_what_the_command_printed(data, hypersage):
    done = hypersage("train", "--hypergraph", "recipes.npz", "--out", "new", *SHORT)
    assert "page on the run: new/report.html\n" in done.out
    # Four epochs are few, and the command says so.
    assert [line for line in done.err.splitlines() if "underfits" not in line] == []
    text = page(data / "new")
    accuracy = float(re.search(r"test accuracy \(full\): (\S+)", done.out)[1])
    shown = re.search(r"<b>(\S+)</b><span>accuracy, %", text)[1]
    assert float(shown) == pytest.approx(accuracy, abs=0.051)
    for part in (
        *("Training loss", "Confusion matrix", "By class", "By number of hyperedges"),
        *("Map of the embeddings", "Surest errors", "Configuration", "Data", "Environment"),
    ):
        assert f"<h2>{part}</h2>" in text
    assert "hypersage train --hypergraph recipes.npz --out new --epochs 4 --hidden 8" in text
    assert re.search(r"<h2>What \S+ sees</h2>", text)
    assert "one draw of the sampler" not in text


def test_samples_are_shown_where_the_run_drew_them(data, hypersage):
    words = ("--mode", "minibatch", "--alpha", "5,1", "--eval", "minibatch")
    done = hypersage("train", "--hypergraph", "recipes.npz", "--out", "new", *words, *SHORT)
    assert done.code == 0, done
    text = page(data / "new")
    assert "one draw of the sampler" in text
    # Evaluated by samples alone: the page works in chunks, and has no hidden layer at hand.
    assert "The logarithms of the probabilities" in text


@pytest.mark.parametrize(("alpha", "expected"), [("5,1", 1), (3, 3), (None, -1), ("many", -1)])
def test_the_fan_out_is_that_of_the_last_layer(alpha, expected):
    assert _fan_out({} if alpha is None else {"alpha": alpha}, "alpha") == expected


def test_baselines_and_models_of_one_layer_have_a_page(data, hypersage):
    for name, words in (("one", ("--layers", "1")), ("two", ("--model", "mlp"))):
        done = hypersage("train", "--hypergraph", "recipes.npz", "--out", name, *words, *SHORT)
        assert done.code == 0, done
        assert "Map of the embeddings" in page(data / name)


def test_no_report_leaves_it_out(data, hypersage):
    words = ("train", "--hypergraph", "recipes.npz", "--no-report", "--out", "new", *SHORT)
    assert "page on the run" not in hypersage(*words).out
    assert not (data / "new" / "report.html").exists()
    assert (data / "new" / "run.json").exists()


def test_without_matplotlib_the_training_succeeds_and_names_the_cure(data, hypersage, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = hypersage("train", "--hypergraph", "recipes.npz", "--out", "new", *SHORT)
    assert done.code == 0
    assert len([line for line in done.err.splitlines() if "underfits" not in line]) == 1
    assert 'pip install "hypersage-dgl[viz]"' in done.err
    assert "Confusion matrix" in page(data / "new")


def test_each_of_several_runs_has_its_page(data, hypersage):
    words = ("train", "--hypergraph", "recipes.npz", "--runs", "2", "--out", "many", *SHORT)
    assert hypersage(*words).code == 0
    assert "--seed 1 --out many/seed-1" in page(data / "many" / "seed-1")


def evil_tables(folder):
    names = [f"{EVIL}{i}" for i in range(24)]
    members = ["node,hyperedge", *(f'"{n}",{EVIL}{i // 6}' for i, n in enumerate(names))]
    rows = ["node,kind,x,y"]
    rows += [f'"{n}",{EVIL}{i % 2},{i % 2},{1 - i % 2}' for i, n in enumerate(names)]
    (folder / "m.csv").write_text("\n".join(members))
    (folder / "n.csv").write_text("\n".join(rows))
    return ("--incidences", "m.csv", "--nodes", "n.csv", "--label", "kind")


def test_a_browser_opens_the_page_of_a_run_with_names_that_are_code(place, hypersage):
    done = hypersage("train", *evil_tables(place), "--out", "new", *SHORT)
    assert done.code == 0, done
    text = page(place / "new")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    open_in_browser(place / "new" / "report.html")


def test_the_same_run_has_the_same_page(data, hypersage):
    pages = []
    for name in ("one", "two"):
        words = ("train", "--hypergraph", "recipes.npz", "--out", name, *SHORT)
        assert hypersage(*words).code == 0
        pages.append(page(data / name).replace(f"--out {name}", ""))
        assert json.loads((data / name / "run.json").read_text())["version"] == 1
    assert pages[0] == pages[1]
