"""Every example runs, and prints what the README shows."""

import contextlib
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from printed import same_output

from hypersage_dgl.cli import main

ROOT = Path(__file__).parents[1]
ACCURACY = re.compile(r"test accuracy \((full|minibatch)\): (\d+\.\d\d)")


def run(name, *arguments):
    """Run an example here, where DGL and torch are loaded already; give what it printed."""
    out, err, path = io.StringIO(), io.StringIO(), str(ROOT / "examples" / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [path, *arguments])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_path(path, run_name="__main__")
    assert err.getvalue() == ""
    return out.getvalue()


def run_alone(name):
    """Run an example as a user does, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def accuracies(output):
    return {name: float(value) for name, value in ACCURACY.findall(output)}


def test_readme_shows_what_train_minibatch_prints():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = next(block for block in re.findall(r"```text\n(.*?)```", readme, re.S))
    printed = run_alone("train_minibatch.py")
    assert same_output(shown, printed), printed
    assert not same_output(shown.replace("26476", "26477"), printed)
    assert not same_output(shown.replace("81.05", "84.05"), printed)


def test_full_and_minibatch_evaluation_agree_at_full_fan_out():
    options = ["--dataset", "synthetic", "--epochs", "3", "--eval", "both"]
    exact, sampled = (
        run("train_minibatch.py", *options, "--alpha", alpha, "--beta", beta)
        for alpha, beta in (("-1", "-1"), ("2", "1"))
    )
    gaps = [float(re.search(r"by (\S+) at most", output)[1]) for output in (exact, sampled)]
    assert gaps[0] < 1e-5 < 1e-2 < gaps[1]
    assert accuracies(exact)["full"] == accuracies(exact)["minibatch"]


def test_train_full():
    output = run("train_full.py", "--epochs", "20")
    assert accuracies(output)["full"] > 75


def test_inductive():
    output = run("inductive.py", "--epochs", "15", "--arrivals", "3")
    assert "3 predictions equal those on the grown hypergraph" in output
    assert accuracies(output)["full"] > 75


@pytest.mark.exhaustive
def test_predict_hyperedges():
    output = run("predict_hyperedges.py", "--epochs", "12")
    scores = {
        kind: float(found) for kind, found in re.findall(r"(\w+) +(0\.\d+) +0\.\d+\n", output)
    }
    assert list(scores) == ["sized", "motif", "clique", "mean"]
    # Chance is 0.5; any nodes are easier to tell than connected ones.
    assert scores["sized"] > 0.58
    assert scores["mean"] == pytest.approx(sum(list(scores.values())[:3]) / 3, abs=0.002)


def test_the_page_on_hyperedges_runs(capsys):
    page = (ROOT / "docs" / "hyperedge-prediction.md").read_text(encoding="utf-8")
    code, _, labels = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(code, {})
    first, second = capsys.readouterr().out.splitlines()
    exec(labels, {})
    assert float(capsys.readouterr().out) > 0.8
    assert float(re.search(r"auroc=([\d.]+)", first)[1]) > 0.75
    friends, strangers = map(float, re.findall(r"\d\.\d+", second))
    assert friends > strangers


def test_the_page_on_hyperedges_goes_from_tables_to_a_ranking(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "hyperedge-prediction.md").read_text(encoding="utf-8")
    _, tables, _ = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(tables, {})
    for line in re.search(r"```sh\n(.*?)```", page, re.S)[1].splitlines():
        capsys.readouterr()
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "candidate,probability,known"
    assert [row.split(",")[0] for row in printed[1:]] == ["sauce", "sushi"]


def test_use_in_dgl_project():
    output = run("use_in_dgl_project.py", "--epochs", "5")
    # Four classes: chance is 25.
    assert accuracies(output)["full"] > 60


def test_train_distributed_alone_says_what_starts_it(monkeypatch):
    monkeypatch.delenv("HYPERSAGE_PARTS", raising=False)
    with pytest.raises(SystemExit, match="hypersage launch"):
        run("train_distributed.py")


def test_draw_neighbourhood_draws_the_picture_of_the_readme(tmp_path):
    output = run("draw_neighbourhood.py", "--out", str(tmp_path))
    assert output.startswith("whois: 4 hyperedges, 12 members\n")
    # Other versions of matplotlib draw a letter otherwise; the parts of the picture are the same.
    folders = (tmp_path, ROOT / "docs" / "figures")
    drawn, shown = ((folder / "whois.svg").read_text("utf-8") for folder in folders)
    parts = [re.findall(r'<!-- (.*?) -->|<g id="([a-z]+_\d+)"', text) for text in (drawn, shown)]
    assert {("net", ""), ("python", ""), ("utils", "")} < set(parts[0])
    assert parts[0] == parts[1]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_is_short_and_starts_with_its_call_tree(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert "main\n    ├──" in text.split('"""')[1]
    # The page of the site leads to each.
    assert f"examples/{path.name})" in (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")


@pytest.mark.exhaustive
@pytest.mark.real_data
def test_eight_epochs_on_dblp_do_what_the_readme_shows():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```text\n(.*?)```", readme, re.S)[1]
    options = ["--dataset", "dblp", "--epochs", "8", "--alpha", "5", "--eval", "both"]
    printed = run("train_minibatch.py", *options)
    assert accuracies(printed)["full"] >= 85
    assert same_output(shown, printed), printed


def test_the_page_on_embeddings_runs(capsys):
    page = (ROOT / "docs" / "embeddings.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(code, {})
    assert capsys.readouterr().out == "tensor(True)\n"


def test_embed_nodes():
    output = run("embed_nodes.py", "--epochs", "2", "5", "--layers", "1", "--lr", "0.005")
    scores = {name: float(found) for name, found in re.findall(r"(\w+) +(\d+\.\d) ±", output)}
    assert list(scores) == ["features", "untrained", "trained"]
    assert scores["trained"] > scores["features"] + 5
