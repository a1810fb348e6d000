"""``hypersage predict`` writes what ``Predictor.predict`` says, and fails in one line."""

from __future__ import annotations

import csv
import gzip
import io

import numpy as np
import pytest

from hypersage_dgl.convert import Named, write_folder
from hypersage_dgl.data import load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Predictor, save_checkpoint

from ..conftest import powerless
from ..own_data import ARRAYS, DATA, NODES


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def expected(model):
    """Classes and probabilities of the recipes by the library itself, on dense features."""
    graph = DATA.to_dgl()
    prediction = Predictor.load(model).predict(graph, graph.nodes["node"].data["feat"])
    names = [ARRAYS.class_names[k] for k in prediction.label.tolist()]
    return names, prediction.probability.numpy()


def assert_same(text, model, nodes):
    heading, *lines = rows(text)
    assert heading == ["node", "class", "probability"]
    names, probabilities = expected(model)
    assert [line[0] for line in lines] == [str(node) for node in nodes]
    assert [line[1] for line in lines] == names
    assert np.array([float(line[2]) for line in lines]) == pytest.approx(probabilities, abs=2e-6)


FORMS = {
    "labelled npz": (("recipes.npz",), range(90)),
    "saved folder": (("saved",), NODES),
    "HIF attributes": (("recipes.json",), NODES),
    "HIF and table": (("recipes.json", "--features", "words.csv"), NODES),
    "folder and table": (("saved", "--features", "words.csv"), NODES),
    "incidence matrix and sparse file": (("incidence.npz", "--features", "words.npz"), range(90)),
    "incidence matrix and dense npy": (("incidence.npz", "--features", "words.npy"), range(90)),
    "incidence matrix and npz of one array": (
        ("incidence.npz", "--features", "one-array.npz"),
        range(90),
    ),
    "in chunks": (("recipes.npz", "--batch-size", "7"), range(90)),
}


@pytest.mark.parametrize("form", FORMS)
def test_csv_is_what_the_predictor_says(data, hypersage, form):
    words, nodes = FORMS[form]
    done = hypersage("predict", "hif-model", "--hypergraph", *words)
    assert (done.code, done.err) == (0, "")
    assert_same(done.out, "hif-model", nodes)


def test_out_is_the_same_as_standard_output(data, hypersage):
    words = ("predict", "own-model", "--hypergraph", "recipes.npz")
    text = hypersage(*words).out
    done = hypersage(*words, "--out", "deep/classes.csv")
    assert (done.code, done.out) == (0, "")
    assert (data / "deep" / "classes.csv").read_text() == text
    assert [path.name for path in (data / "deep").iterdir()] == ["classes.csv"]
    assert hypersage(*words, "--out", "classes.csv.gz").code == 0
    assert gzip.decompress((data / "classes.csv.gz").read_bytes()).decode() == text


def test_data_sets_are_predicted_with_their_names(hypersage):
    assert hypersage("train", "--epochs", "1", "--hidden", "2", "--out", "model").code == 0
    lines = rows(hypersage("predict", "model", "--dataset", "debian").out)[1:]
    assert tuple(line[0] for line in lines) == load("debian").node_names


def test_names_that_csv_must_quote(place, data, hypersage):
    graph = DATA.to_dgl()
    strange = ("a,b", 'say "x"', "line\nbreak", "carriage\rreturn", *NODES[4:])
    write_folder(Named(graph, strange), "strange")
    done = hypersage("predict", "own-model", "--hypergraph", "strange")
    assert [line[0] for line in csv.reader(io.StringIO(done.out, newline=""))][1:] == list(strange)


def test_classes_without_names_are_numbered(data, hypersage):
    save_checkpoint("nameless", HyperSAGE(12, 4, 3))
    done = hypersage("predict", "nameless", "--hypergraph", "recipes.npz")
    assert {line[1] for line in rows(done.out)[1:]} <= {"0", "1", "2"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing", "--hypergraph", "recipes.npz"), "nothing holds no checkpoint"),
        (("saved", "--hypergraph", "recipes.npz"), "saved holds no checkpoint"),
        (("own-model", "--hypergraph", "nothing.npz"), "nothing.npz: No such file"),
        (("own-model", "--hypergraph", "nothing.json"), "nothing.json: No such file"),
        (("own-model", "--hypergraph", "nothing"), "nothing holds no hypergraph"),
        (("own-model", "--hypergraph", "recipes.npz", "--features", "no.npz"), "no.npz: No such"),
        (("own-model", "--dataset", "nothing"), "no data set 'nothing'"),
        (("own-model", "--dataset", "synthetic"), "(1000, 64); the model takes 12 columns"),
    ],
)
def test_what_is_not_there(data, fails, words, said):
    assert said in fails("predict", *words)


def test_unknown_suffix(data, fails):
    error = fails("predict", "own-model", "--hypergraph", "recipes.xml", code=2)
    assert "no form of hypergraph has the suffix '.xml'" in error


def test_foreign_truncated_and_changed_checkpoints(data, fails):
    words = ("predict", "own-model", "--hypergraph", "recipes.npz")
    record = data / "own-model" / "checkpoint.json"
    good, (file, *_) = record.read_text(), (data / "own-model").glob("weights-*")
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert "was changed" in fails(*words)
    file.write_bytes(content[:50])
    assert "truncated" in fails(*words)
    file.unlink()
    assert "is missing" in fails(*words)
    record.write_text('{"weights": "mine"}')
    assert "is not a checkpoint of hypersage_dgl" in fails(*words)
    record.write_text(good[:100])
    assert "not JSON or is cut off" in fails(*words)


def test_truncated_hif(data, fails):
    text = (data / "recipes.json").read_bytes()
    (data / "cut.json").write_bytes(text[:1000])
    assert "cut.json: line 1, column" in fails("predict", "hif-model", "--hypergraph", "cut.json")
    (data / "cut.json.gz").write_bytes(gzip.compress(text)[:-20])
    error = fails("predict", "hif-model", "--hypergraph", "cut.json.gz")
    assert "truncated or damaged gzip file" in error


def test_truncated_npz(data, fails):
    (data / "cut.npz").write_bytes((data / "recipes.npz").read_bytes()[:500])
    assert "cut.npz is damaged" in fails("predict", "own-model", "--hypergraph", "cut.npz")
    np.savez("foreign.npz", x=np.zeros(3))
    error = fails("predict", "own-model", "--hypergraph", "foreign.npz")
    assert "foreign.npz holds the arrays ['x']; a hypergraph is" in error


def test_no_permission(data, fails):
    words = ("predict", "own-model", "--hypergraph", "recipes.npz")
    with powerless(data / "recipes.npz"):
        assert "recipes.npz: Permission denied" in fails(*words)
    (data / "locked").mkdir()
    with powerless(data / "locked"):
        assert "Permission denied" in fails(*words, "--out", "locked/classes.csv")
    assert list((data / "locked").iterdir()) == []
    (data / "folder").mkdir()
    assert "Is a directory" in fails(*words, "--out", "folder")
    assert not [path for path in data.iterdir() if path.name.endswith(".part")]


def test_a_device_that_is_not_here(data, fails):
    words = ("predict", "own-model", "--hypergraph", "recipes.npz", "--device", "cuda:99")
    assert "'cuda:99' cannot be used here" in fails(*words, code=2)
