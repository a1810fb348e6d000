"""``hypersage report`` writes the page of the training once more, of a checkpoint and its data."""

from __future__ import annotations

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import About, save_checkpoint

from ..own_data import ARRAYS


def page(path):
    return path.read_text(encoding="utf-8")


def test_the_page_is_that_of_the_training(data, hypersage):
    words = ("--hypergraph", "recipes.npz", "--val-fraction", "0.25", "--epochs", "4")
    assert hypersage("train", *words, "--out", "new").code == 0
    first = page(data / "new" / "report.html")
    (data / "new" / "report.html").unlink()
    done = hypersage("report", "new", "--hypergraph", "recipes.npz")
    assert (done.code, done.err) == (0, "")
    assert done.out == "page on the run: new/report.html\n"
    assert page(data / "new" / "report.html") == first


def test_another_file_and_a_model_without_a_record(data, hypersage):
    about = About(classes=ARRAYS.class_names)
    save_checkpoint("bare", HyperSAGE(12, 8, 3), about)
    done = hypersage("report", "bare", "--hypergraph", "recipes.npz", "--out", "deep/bare.html")
    assert done.code == 0, done
    text = page(data / "deep" / "bare.html")
    assert "Training loss" not in text
    assert "To repeat it" not in text
    assert "<td>hidden feats</td><td>8</td>" in text


def test_nodes_that_were_trained_on_are_no_test(data, hypersage):
    words = ("--hypergraph", "recipes.json", "--split", "random", "--seed", "9", "--label", "kind")
    done = hypersage("report", "hif-model", *words)
    assert done.code == 0
    assert "were trained or validated on, so this is no test" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing", "--dataset", "synthetic"), "nothing holds no checkpoint"),
        (("own-model", "--hypergraph", "incidence.npz"), "no node has the attribute"),
    ],
)
def test_what_cannot_be_reported(data, fails, words, said):
    assert said in fails("report", *words)


@pytest.mark.parametrize(
    ("task", "label", "part"),
    [("regression", "height", "Largest errors"), ("multilabel", "tags", "By label")],
)
def test_other_tasks_have_their_page_as_well(place, tmp_path, hypersage, task, label, part):
    memberships = [f"v{i},e{i % 3}" for i in range(24)]
    nodes = [f"<b>v{i},{i / 10},{'a;b' if i % 3 else 'c'},{i % 2}" for i in range(24)]
    (place / "in.csv").write_text("\n".join(["node,hyperedge", *(f"<b>{m}" for m in memberships)]))
    (place / "nodes.csv").write_text("\n".join(["name,height,tags,x", *nodes]))
    other = "tags" if label == "height" else "height"
    tables = ("--incidences", "in.csv", "--nodes", "nodes.csv", "--ignore", other)
    words = ("--label", label, "--task", task, "--epochs", "2", "--out", "model")
    done = hypersage("train", *tables, *words)
    assert done.code == 0, done
    assert "page on the run: model/report.html" in done.out
    first = page(place / "model" / "report.html")
    assert f"<h2>{part}</h2>" in first
    assert "<b>v" not in first
    done = hypersage("report", "model", *tables)
    assert done.code == 0, done
    assert page(place / "model" / "report.html") == first
    open_in_browser(place / "model" / "report.html")


def test_a_model_of_sets_has_its_own_page(data, hypersage, tmp_path):
    words = ("--task", "hyperedge", "--hypergraph", "recipes.npz", "--epochs", "1")
    done = hypersage("train", *words, "--out", "sets")
    assert done.code == 0, done.err
    assert "page on the run: sets/report.html" in done.out
    first = page(data / "sets" / "report.html")
    assert "By kind of negatives" in first
    assert hypersage("report", "sets", "--hypergraph", "recipes.npz").code == 0
    assert page(data / "sets" / "report.html") == first
    open_in_browser(data / "sets" / "report.html")


def test_a_page_of_sets_is_not_written_where_nobody_wants_it(data, hypersage):
    words = ("--task", "hyperedge", "--hypergraph", "recipes.npz", "--epochs", "1")
    assert hypersage("train", *words, "--out", "bare-sets", "--no-report").code == 0
    assert not (data / "bare-sets" / "report.html").exists()
