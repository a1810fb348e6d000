"""One function opens every source, and says what it cannot open."""

import json

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import (
    Attributes,
    Named,
    read_hif,
    to_hyperedges,
    to_scipy,
    write_csv,
    write_folder,
    write_hif,
)
from hypersage_dgl.data import (
    LabelledHypergraph,
    UnknownFormError,
    dataset_names,
    form_of,
    load,
    load_dataset,
)

MEMBERS = [[0, 1], [1, 2, 3], [3]]
ATTRIBUTES = Attributes(nodes={i: {"kind": "ab"[i % 2], "age": float(i + 1)} for i in range(4)})
NAMED = Named(hypergraph(MEMBERS), tuple("vwxy"), ("e", "f", "g"), attributes=ATTRIBUTES)


@pytest.fixture
def folder(tmp_path):
    """The hypergraph in every form."""
    for name in ("a.json", "a.json.gz"):
        write_hif(NAMED, tmp_path / name)
    for name in ("a.csv", "a.csv.gz"):
        write_csv(NAMED, tmp_path / name)
    write_folder(NAMED, tmp_path / "a")
    sparse.save_npz(tmp_path / "matrix.npz", to_scipy(NAMED))
    LabelledHypergraph.from_named(NAMED).save(tmp_path / "a.npz")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["a.json", "a.json.gz", "a.csv", "a.csv.gz", "a", "matrix.npz", "a.npz"]
)
@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_every_form_gives_the_same_hypergraph(folder, name, kind):
    data = load(kind(folder / name))
    assert isinstance(data, LabelledHypergraph)
    assert data.name == name
    assert to_hyperedges(data.graph) == MEMBERS
    names = range(4) if name == "matrix.npz" else NAMED.node_names
    assert list(data.node_names) == list(names)
    kept = name in ("a.json", "a.json.gz", "a", "a.npz")
    assert (data.attributes.nodes == ATTRIBUTES.nodes) == kept


def test_classes_and_features_come_from_where_one_says(folder):
    data = load(folder / "a.json", label="kind", feature_names=["age"])
    assert (data.labels.tolist(), data.class_names) == ([0, 1, 0, 1], ("a", "b"))
    assert data.feat.to_dense().flatten().tolist() == [1, 2, 3, 4]
    assert data.feature_names == ("age",)
    np.save(folder / "words.npy", np.eye(4))
    data = load(folder / "matrix.npz", features=folder / "words.npy")
    assert torch.equal(data.feat, torch.eye(4))


def test_columns_of_csv_have_names(tmp_path):
    (tmp_path / "a.txt").write_text("author,paper\nann,x\nbob,x\n")
    data = load(tmp_path / "a.txt", form="csv", node="author", hyperedge="paper")
    assert data.node_names == ("ann", "bob")


@pytest.mark.parametrize("name", ["debian", "synthetic"])
def test_names_of_data_sets(name):
    data, dataset = load(name), load_dataset(name)
    assert (data.name, data.checksum()) == (name, dataset.data.checksum())


def test_a_data_set_goes_before_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_folder(NAMED, "debian")
    assert load("debian").num_nodes == 26476
    assert load("./debian").num_nodes == load("debian", form="folder").num_nodes == 4


def test_the_seed_decides_what_is_generated():
    assert load("synthetic", seed=1).checksum() == load("synthetic", seed=1).checksum()
    assert load("synthetic", seed=1).checksum() != load("synthetic", seed=2).checksum()


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(FileNotFoundError, match="imdb is neither a file or folder nor a data set"):
        load("imdb")
    (tmp_path / "a.xml").write_text("")
    with pytest.raises(UnknownFormError, match=r"no form of hypergraph has the suffix '\.xml'"):
        load(tmp_path / "a.xml")
    with pytest.raises(ValueError, match="form is 'xml'; it must be one of"):
        load(tmp_path / "a.xml", form="xml")
    with pytest.raises(ValueError, match=r"a\.xml is not a benchmark; leave it out"):
        load(tmp_path / "a.xml", data_dir=tmp_path)
    with pytest.raises(ValueError, match="debian reads no files"):
        load("debian", data_dir=tmp_path)
    np.savez(tmp_path / "b.npz", a=np.arange(3))
    with pytest.raises(ValueError, match=r"b\.npz holds the arrays \['a'\]; a hypergraph is"):
        load(tmp_path / "b.npz")
    (tmp_path / "c.json").write_text(json.dumps({"nodes": []}))
    with pytest.raises(ValueError, match=r"c\.json: .*'incidences'"):
        load(tmp_path / "c.json")


def test_forms_by_suffix(tmp_path):
    forms = {"a.JSON": "hif", "a.json.gz": "hif", "a.csv": "csv", "a.npz": "npz", "a": "folder"}
    assert {name: form_of(name) for name in forms} == forms
    (tmp_path / "a.csv").mkdir()
    assert form_of(tmp_path / "a.csv") == "folder"
    assert "debian" in dataset_names()


def test_what_was_read_can_be_written_again(folder):
    data = load(folder / "a.json", label="kind")
    write_hif(data, folder / "b.json")
    again = read_hif(folder / "b.json").attributes.nodes
    assert {i: a["label"] for i, a in again.items()} == {0: "a", 1: "b", 2: "a", 3: "b"}
