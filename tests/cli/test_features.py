"""Features that the command takes from files and attributes, and those that it refuses."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy import sparse

from .own_data import ARRAYS, NODES, WORDS, hif_document


def rows(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.filterwarnings("default")
def test_a_feature_at_no_node_counts_as_zero_with_a_warning(data, hypersage):
    document = hif_document()
    for record in document["nodes"]:
        record["attrs"].pop(WORDS[3], None)
    (data / "less.json").write_text(json.dumps(document))
    done = hypersage("predict", "hif-model", "--hypergraph", "less.json")
    assert done.code == 0
    assert done.err == (
        "hypersage predict: warning: 1 of the 12 features are not in the attributes of the nodes "
        "and count as blank: word 03\n"
    )
    words = ARRAYS.features.toarray()
    words[:, 3] = 0
    lines = [",".join(("node", *WORDS))]
    lines += [",".join((name, *map(str, row))) for name, row in zip(NODES, words.tolist())]
    (data / "less.csv").write_text("\n".join(lines))
    same = hypersage("predict", "hif-model", "--hypergraph", "less.json", "--features", "less.csv")
    for line, other in zip(rows(done.out)[1:], rows(same.out)[1:]):
        assert line[:2] == other[:2]
        assert float(line[2]) == pytest.approx(float(other[2]), abs=3e-6)


def test_features_that_are_no_numbers_or_not_there(data, fails):
    document = hif_document()
    document["nodes"][4]["attrs"][WORDS[0]] = "often"
    (data / "words.json").write_text(json.dumps(document))
    error = fails("predict", "hif-model", "--hypergraph", "words.json")
    assert "attribute 'word 00' of node 'recipe 4' is 'often'; a feature must be a number" in error
    for record in document["nodes"]:
        record["attrs"] = {"kind": "class 0"}
    (data / "bare.json").write_text(json.dumps(document))
    error = fails("predict", "hif-model", "--hypergraph", "bare.json")
    assert "no node has one of the attributes that are the features: word 00, word 01" in error
    assert "--features FILE.npz" in error
    error = fails("train", "--hypergraph", "bare.json", "--label", "kind", "--split", "random")
    assert "its nodes have no numeric attributes; give the features with --features" in error


def test_attributes_are_not_guessed_where_the_model_names_none(data, fails):
    for name in ("incidence.npz", "recipes.json"):
        error = fails("predict", "own-model", "--hypergraph", name)
        assert f"{name} has no features stored in it, and the model does not name" in error


def test_features_of_a_wrong_shape(data, fails):
    words = ("predict", "own-model", "--hypergraph", "incidence.npz", "--features")
    np.save("wide.npy", np.zeros((90, 13)))
    assert "shape (90, 13); the model takes 12 columns" in fails(*words, "wide.npy")
    np.save("short.npy", np.zeros((89, 12)))
    assert "shape (89, 12), but incidence.npz has 90 nodes" in fails(*words, "short.npy")
    np.save("flat.npy", np.zeros(90))
    assert "float64 of shape (90,); features are numbers" in fails(*words, "flat.npy")
    np.save("text.npy", np.full((90, 12), "x"))
    assert "features are numbers" in fails(*words, "text.npy")
    np.save("nan.npy", np.full((90, 12), np.nan))
    assert "NaN or infinite" in fails(*words, "nan.npy")
    np.savez("two.npz", a=np.zeros((90, 12)), b=np.zeros(1))
    assert "holds the arrays ['a', 'b']; save one alone" in fails(*words, "two.npz")


class Bomb:
    def __reduce__(self):
        return print, ("ran code of the file",)


def test_files_with_pickles_are_refused_and_not_run(data, hypersage):
    np.save("pickle.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    np.savez("pickle.npz", np.array([Bomb()], dtype=object))
    for name in ("pickle.npy", "pickle.npz"):
        words = ("predict", "own-model", "--hypergraph", "incidence.npz", "--features", name)
        done = hypersage(*words)
        assert (done.code, done.out) == (1, "")
        assert "damaged, or no file of numpy without pickle" in done.err


def test_indices_out_of_range_are_refused(data, fails):
    # Followed, they would lead out of the memory of the matrix.
    for form, name in ((sparse.csr_matrix, "rows.npz"), (sparse.csc_matrix, "columns.npz")):
        matrix = form(ARRAYS.features, copy=True)
        matrix.indices[0] = 2**30
        sparse.save_npz(name, matrix)
        words = ("predict", "own-model", "--hypergraph", "incidence.npz", "--features", name)
        assert "damaged" in fails(*words)
        assert "damaged" in fails("info", name)
