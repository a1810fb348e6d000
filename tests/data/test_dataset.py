"""What a data set offers, on one made up here and on the tiny benchmark."""

import io
from dataclasses import replace

import dgl
import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import validate
from hypersage_dgl.data import (
    ArraysDataset,
    BenchmarkDataset,
    HypergraphArrays,
    HypergraphDataset,
    Split,
    dataset_names,
    load_dataset,
)

HYPEREDGES = [[0, 2, 4], [1, 2], [4, 2, 0], [6]]
ISOLATED = {3, 5, 7}
LABELS = np.array([0, 1, 2, 0, 1, 2, 0, 1])
SPLITS = (
    Split(np.array([0, 1, 3, 4]), np.array([2]), np.array([5, 6, 7])),
    Split(np.array([7, 6]), np.arange(0), np.array([0, 1])),
)


def make_arrays(**changes):
    arrays = HypergraphArrays(
        node_ids=np.concatenate(HYPEREDGES),
        hyperedge_ids=np.repeat(np.arange(4), [3, 2, 3, 1]),
        num_hyperedges=4,
        features=sparse.random(8, 5, 0.5, random_state=1, dtype=np.float32, format="csr"),
        labels=LABELS,
        class_names=("red", "green", "blue"),
        splits=SPLITS,
    )
    return replace(arrays, **changes)


class Tiny(HypergraphDataset):
    def __init__(self, *args, **options):
        super().__init__("tiny", *args, **options)

    def load_arrays(self):
        return make_arrays()


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
        ({"features": sparse.csr_matrix((7, 5), dtype=np.float32)}, "features are 7 rows"),
        ({"features": sparse.csr_matrix((8, 5))}, "features are 8 rows of float64"),
        ({"labels": LABELS + 1}, "labels go from 1 to 3; with the 3 classes"),
        ({"splits": (Split(np.array([1, 1]), *SPLITS[0][1:]),)}, "split 1 lists node 1 2 times"),
        ({"node_ids": np.array([0, 1, 2, 3, 4, 5, 6, 7, 8])}, "node id 8 is too large"),
    ],
)
def test_arrays_that_do_not_fit(changes, message):
    with pytest.raises(ValueError, match=message):
        ArraysDataset("tiny", make_arrays(**changes))[0]


@pytest.mark.parametrize("splits", [SPLITS, SPLITS[:1], ()])
def test_arrays_come_back_from_npz(splits, tmp_path):
    arrays = make_arrays(splits=splits, class_names=("rot", "grün", "蓝"))
    path = tmp_path / "a.npz"
    with path.open("wb") as file:
        arrays.save(file)
    loaded = HypergraphArrays.load(path)
    for name in ("node_ids", "hyperedge_ids", "labels"):
        assert np.array_equal(getattr(loaded, name), getattr(arrays, name))
        assert getattr(loaded, name).dtype == np.int64
    assert (loaded.num_hyperedges, loaded.class_names) == (4, arrays.class_names)
    assert (loaded.features != arrays.features).nnz == 0
    assert loaded.features.dtype == np.float32
    assert len(loaded.splits) == len(splits)
    for got, given in zip(loaded.splits, splits):
        assert all(np.array_equal(a, b) for a, b in zip(got, given))
    assert all(ids.dtype == np.int64 for split in loaded.splits for ids in split)


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        npz(node_ids=np.arange(3)),
        npz(node_ids=np.array([{}], dtype=object)),
        npy(np.arange(3)),
    ],
    ids=["empty", "garbage", "too few arrays", "pickled", "npy"],
)
def test_other_files_are_no_arrays(content, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.npz does not hold the arrays of a hypergraph"):
        HypergraphArrays.load(path)


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


# The two largest are measured in the benchmarks.
@pytest.mark.parametrize("name", [name for name in dataset_names() if not name.endswith("m")])
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
    one, again, other = (load_dataset("synthetic", seed=seed).arrays for seed in (1, 1, 2))
    assert one.node_ids.tolist() == again.node_ids.tolist() != other.node_ids.tolist()
