"""Labelled hypergraphs as data sets of DGL."""

from __future__ import annotations

import dgl
import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph_from_incidence, validate
from hypersage_dgl.data import (
    ALLSET_NAMES,
    BenchmarkDataset,
    HypergraphDataset,
    LabelledHypergraph,
    Split,
    dataset_names,
    load_dataset,
)
from hypersage_dgl.hypergraphs import incidences

HYPEREDGES = [[0, 2, 4], [1, 2], [4, 2, 0], [6]]
ISOLATED = {3, 5, 7}
LABELS = np.array([0, 1, 2, 0, 1, 2, 0, 1])
SPLITS = (
    Split(np.array([0, 1, 3, 4]), np.array([2]), np.array([5, 6, 7])),
    Split(np.array([7, 6]), np.arange(0), np.array([0, 1])),
)


def make(**changes):
    given = {
        "graph": hypergraph_from_incidence(
            np.concatenate(HYPEREDGES), np.repeat(np.arange(4), [3, 2, 3, 1]), 8, 4
        ),
        "name": "tiny",
        "feat": sparse.random(8, 5, 0.5, random_state=1, dtype=np.float32, format="csr"),
        "labels": LABELS,
        "class_names": ("red", "green", "blue"),
        "splits": SPLITS,
    }
    return LabelledHypergraph(**{**given, **changes})


class Tiny(HypergraphDataset):
    def __init__(self, *args, **options):
        super().__init__(make(), *args, **options)


def test_the_graph_and_its_data():
    dataset = Tiny()
    assert isinstance(dataset, dgl.data.DGLDataset)
    assert len(dataset) == 1
    graph = dataset[0]
    validate(graph)
    assert graph is dataset[0]
    v, e = graph.edges(etype="in")
    assert [sorted(v[e == i].tolist()) for i in range(4)] == [sorted(m) for m in HYPEREDGES]
    data = graph.nodes["node"].data
    assert data["feat"].dtype == torch.float32
    assert np.array_equal(data["feat"].numpy(), dataset.features.toarray())
    assert data["label"].dtype == torch.int64
    assert data["label"].tolist() == LABELS.tolist()
    for part, ids in SPLITS[0]._asdict().items():
        assert data[f"{part}_mask"].dtype == torch.bool
        assert data[f"{part}_mask"].nonzero().ravel().tolist() == ids.tolist()


def test_classes_and_features():
    dataset = Tiny()
    assert (dataset.num_classes, dataset.class_names) == (3, ("red", "green", "blue"))
    assert isinstance(dataset.features, sparse.csr_matrix)
    assert dataset.features.shape == (8, 5)


def test_parts_without_dense_features():
    dataset = Tiny()
    validate(dataset.structure)
    assert "feat" not in dataset.structure.nodes["node"].data
    assert dataset.sparse_feat.layout == torch.sparse_csr
    assert np.array_equal(dataset.sparse_feat.to_dense().numpy(), dataset.features.toarray())
    assert dataset.labels.tolist() == LABELS.tolist()


def test_statistics_against_counts_by_hand():
    dataset = Tiny()
    statistics = dataset.statistics()
    assert statistics == {
        "nodes": 8,
        "hyperedges": 4,
        "incidences": 9,
        "size_mean": 2.25,
        "size_sd": pytest.approx(0.6875**0.5),
        "size_max": 3,
        "degree_mean": 1.125,
        "degree_max": 3,
        "isolated_nodes": 3,
        "singleton_hyperedges": 1,
        "empty_hyperedges": 0,
        "duplicate_hyperedges": 1,
        "features": 5,
        "nonzeros": int((dataset.features.toarray() != 0).sum()),
        "classes": 3,
        **{"train": 4, "val": 1, "test": 3},
        **{"isolated_train": 1, "isolated_val": 0, "isolated_test": 2},
    }


def test_repr_is_one_line():
    assert repr(Tiny()) == 'Tiny("tiny", nodes=8, hyperedges=4, classes=3, train=4, val=1, test=3)'


def test_splits_by_number():
    assert Tiny(2).split.train.tolist() == [7, 6]
    assert Tiny(2)[0].nodes["node"].data["train_mask"].nonzero().ravel().tolist() == [6, 7]


@pytest.mark.parametrize("split", [0, 3, -1, True, 1.0, "first", None])
def test_wrong_splits(split):
    with pytest.raises(ValueError, match=r"split is .*; tiny has the splits 1 to 2"):
        Tiny(split)


def test_random_split_by_seed():
    one, again, other = (Tiny("random", seed=seed).split for seed in (1, 1, 2))
    assert [len(ids) for ids in one] == [4, 2, 2]
    assert one.train.tolist() == again.train.tolist() != other.train.tolist()


@pytest.mark.parametrize("make", [list, np.array, torch.tensor])
def test_own_split(make):
    dataset = Tiny(Split(make([5, 2]), make([1]), make([0])))
    assert dataset.split.train.tolist() == [5, 2]
    assert dataset[0].nodes["node"].data["val_mask"].nonzero().ravel().tolist() == [1]


@pytest.mark.parametrize(
    ("split", "message"),
    [
        (Split([0, 8], [], []), "node id 8 is too large"),
        (Split([-1], [], []), "node id -1 is negative"),
        (Split([0], [0], []), "split lists node 0 2 times"),
    ],
)
def test_wrong_own_split(split, message):
    with pytest.raises(ValueError, match=message):
        Tiny(split)


def test_val_fraction():
    dataset = Tiny(val_fraction=0.5, seed=3)
    # Of the training nodes two are red and two green: one of each moves.
    moved = np.setdiff1d(dataset.split.val, [2])
    assert sorted(LABELS[moved]) == [0, 1]
    data = dataset[0].nodes["node"].data
    assert int(data["train_mask"].sum()) == 2
    assert not (data["train_mask"] & data["val_mask"]).any()


def test_other_indices():
    for index in (1, -1):
        with pytest.raises(IndexError, match="one hypergraph, at index 0"):
            Tiny()[index]


def test_nothing_is_written(own_cache, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    dataset = Tiny()
    assert dataset[0].num_nodes("node") == 8
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"feat": sparse.csr_matrix((7, 5), dtype=np.float32)}, r"shape \(7, 5\), but tiny has 8"),
        (
            {"feat": sparse.csr_matrix((8, 5), dtype=complex)},
            "features of tiny are complex128; they must be real numbers",
        ),
        ({"labels": LABELS + 1}, "labels go from 1 to 3; with the 3 classes"),
        (
            {"splits": (Split(np.array([1, 1]), *SPLITS[0][1:]),)},
            "split 1 of tiny lists node 1 2 times",
        ),
    ],
)
def test_data_that_do_not_fit(changes, message):
    with pytest.raises(ValueError, match=message):
        HypergraphDataset(make(**changes))[0]


def test_a_node_that_is_not_there():
    with pytest.raises(ValueError, match="node id 8 is too large"):
        hypergraph_from_incidence(np.arange(9), np.repeat(np.arange(4), [3, 2, 3, 1]), 8, 4)


def test_what_is_handed_out_may_be_changed():
    dataset = Tiny()
    dataset.structure.nodes["node"].data["new"] = torch.ones(8)
    dataset.labels[0] = 2
    assert "new" not in dataset.structure.nodes["node"].data
    assert dataset.labels.tolist() == LABELS.tolist()


def test_benchmark_dataset(tiny):
    dataset = BenchmarkDataset(tiny.source, 3, data_dir=tiny.root, val_fraction=0.0)
    assert dataset.name == "tiny"
    assert dataset.statistics()["duplicate_hyperedges"] == 1
    assert dataset.statistics()["isolated_nodes"] == 3
    assert dataset.split.train.tolist() == [2, 3, 7]
    validate(dataset[0])


def test_unknown_names():
    with pytest.raises(ValueError, match="no data set 'imdb'; there are dblp, cora-coauthorship"):
        load_dataset("imdb")
    with pytest.raises(ValueError, match="no benchmark 'debian'; there are dblp"):
        BenchmarkDataset("debian")


@pytest.mark.parametrize("name", ["dblp", "debian", "synthetic"])
def test_only_co_citations_have_citing_papers(name):
    with pytest.raises(ValueError, match=f"citing_member is of co-citation, and {name} is none"):
        load_dataset(name, citing_member=True)


# The two largest are measured in the benchmarks.
@pytest.mark.parametrize(
    "name",
    [name for name in dataset_names() if not name.endswith("m") and name not in ALLSET_NAMES],
)
def test_every_name_opens_or_says_where_it_looked(name, tmp_path):
    if name in ("dblp", "cora-coauthorship", "cora-cocitation", "citeseer", "pubmed"):
        with pytest.raises(FileNotFoundError, match=f"{name} is not in data_dir {tmp_path}"):
            load_dataset(name, data_dir=tmp_path)
        return
    with pytest.raises(ValueError, match=f"{name} reads no files"):
        load_dataset(name, data_dir=tmp_path)
    dataset = load_dataset(name)
    validate(dataset[0])
    assert dataset.name == name
    assert int(dataset[0].nodes["node"].data["train_mask"].sum()) == len(dataset.split.train) > 0


def test_the_seed_decides_what_is_generated():
    one, again, other = (
        incidences(load_dataset("synthetic", seed=seed).structure)[0].tolist() for seed in (1, 1, 2)
    )
    assert one == again != other


@pytest.mark.parametrize("name", ["debian", "synthetic"])
def test_sets_that_read_no_files_need_no_home(name, monkeypatch, tmp_path):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", nowhere)
    monkeypatch.delenv("DGL_DOWNLOAD_DIR")
    assert load_dataset(name).data.num_nodes > 0
    with pytest.raises(FileNotFoundError, match="set DGL_DOWNLOAD_DIR"):
        load_dataset("citeseer")
