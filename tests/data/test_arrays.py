"""What arrays of a hypergraph must be, in memory and in files that were damaged or forged."""

import io
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.data import ArraysDataset, HypergraphArrays, Split, load_dataset
from hypersage_dgl.data.benchmark import load_benchmark
from hypersage_dgl.data.debian import KEYS, load_debian

SPLIT = Split(np.array([0, 1]), np.arange(0), np.array([2]))


def make_arrays(**changes):
    arrays = HypergraphArrays(
        node_ids=np.array([0, 1, 1, 2]),
        hyperedge_ids=np.array([0, 0, 1, 1]),
        num_hyperedges=2,
        features=sparse.csr_matrix(np.eye(3, dtype=np.float32)),
        labels=np.array([0, 1, 1]),
        class_names=("red", "blue"),
        splits=(SPLIT,),
    )
    return replace(arrays, **changes)


def with_column(column):
    """Rows of one entry each, all in a column that scipy does not look at."""
    parts = (np.ones(3, np.float32), np.full(3, column), np.arange(4))
    return sparse.csr_matrix(parts, shape=(3, 2))


@pytest.mark.parametrize("column", [2, 100, -1])
def test_a_column_that_is_not_there_is_refused_before_scipy_follows_it(column):
    with pytest.raises(ValueError, match="ind"):
        ArraysDataset("x", make_arrays(features=with_column(column)))


def test_forged_words_of_debian_are_refused(tmp_path):
    with np.load(
        io.BytesIO((files("hypersage_dgl.data") / "files" / "debian.npz").read_bytes())
    ) as npz:
        stored = {key: npz[key] for key in KEYS}
    stored["word_ids"] = np.full_like(stored["word_ids"], 1001)
    np.savez(tmp_path / "forged.npz", **stored)
    with pytest.raises(ValueError, match=r"forged\.npz is not a file of.*run that again"):
        load_debian(tmp_path / "forged.npz")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_whole_numbers_of_any_type_become_int64(dtype):
    given = make_arrays()
    changes = {key: getattr(given, key).astype(dtype) for key in ("node_ids", "labels")}
    splits = (Split(*(ids.astype(dtype) for ids in SPLIT)),)
    dataset = ArraysDataset("x", make_arrays(**changes, splits=splits))
    arrays = dataset.arrays
    for values in (arrays.node_ids, arrays.labels, *arrays.splits[0]):
        assert values.dtype == np.int64
    assert dataset[0].nodes["node"].data["train_mask"].tolist() == [True, True, False]
    assert dataset.labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": np.array([0.0, 1, 1])}, "labels are float64; they must be whole"),
        ({"labels": np.array([[0], [1], [1]])}, r"labels are int64 of shape \(3, 1\); they must"),
        ({"labels": np.array([False, True, True])}, "labels are bool"),
        ({"node_ids": np.array([0, 1, 1, 2.5])}, "node_ids are float64"),
        ({"node_ids": np.array([0, 1, 1, 2**63], np.uint64)}, "node_ids have 9223372036854775808"),
        ({"splits": (SPLIT._replace(test=np.array([2.0])),)}, "test nodes of split 1 are float64"),
        ({"class_names": ("red", "red")}, "must be distinct strings"),
        ({"class_names": (0, 1)}, "must be distinct strings"),
        ({"features": np.eye(3, dtype=np.float32)}, "features are a ndarray"),
    ],
)
def test_values_of_another_kind_are_refused(changes, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make_arrays(**changes).check()


def saved(arrays):
    content = io.BytesIO()
    arrays.save(content)
    return content.getvalue()


def test_no_damage_to_any_byte_of_a_header_gets_through(tmp_path):
    whole, path = saved(make_arrays()), tmp_path / "changed.npz"
    names = [match.start() for match in re.finditer(rb"PK\x01\x02", whole)]
    refused = 0
    for position in [*range(60), *range(names[0], names[1]), *range(len(whole) - 22, len(whole))]:
        for value in (whole[position] ^ 1, whole[position] ^ 0xFF, 12, 14):
            path.write_bytes(whole[:position] + bytes([value]) + whole[position + 1 :])
            try:
                found = HypergraphArrays.load(path)
            except ValueError:
                refused += 1
            else:
                assert saved(found) == whole
    assert refused > 100


@pytest.mark.parametrize("tiny", ["cocitation"], indirect=True)
@pytest.mark.parametrize(
    "damage",
    [
        # Compressed by an unknown method; encrypted; labels that are no classes.
        lambda npz: re.sub(rb"(PK\x01\x02.{6})..", lambda m: m[1] + b"\x63\0", npz, flags=re.S),
        lambda npz: re.sub(rb"(PK\x01\x02.{4})..", lambda m: m[1] + b"\1\0", npz, flags=re.S),
        lambda npz: saved(make_arrays(labels=np.array([0, 1, 7]))),
    ],
    ids=["method", "encrypted", "labels"],
)
def test_a_conversion_that_is_no_more_what_it_was_is_made_anew(tiny, own_cache, damage):
    first = load_benchmark(tiny.source, tiny.root)
    (converted,) = own_cache.rglob("*.npz")
    converted.write_bytes(damage(converted.read_bytes()))
    assert load_benchmark(tiny.source, tiny.root).labels.tolist() == first.labels.tolist()
    assert saved(HypergraphArrays.load(converted)) == saved(first)


def test_unknown_arrays_in_a_file_are_not_read(tmp_path):
    path = tmp_path / "more.npz"
    with np.load(io.BytesIO(saved(make_arrays()))) as npz:
        np.savez(path, **dict(npz), more=np.array([object()], dtype=object))
    assert HypergraphArrays.load(path).labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize("name", ["debian", "synthetic"])
def test_sets_that_read_no_files_need_no_home(name, monkeypatch, tmp_path):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", nowhere)
    monkeypatch.delenv("DGL_DOWNLOAD_DIR")
    assert load_dataset(name).arrays.num_nodes > 0
    with pytest.raises(FileNotFoundError, match="set DGL_DOWNLOAD_DIR"):
        load_dataset("citeseer")


@pytest.mark.parametrize("number", [1, np.int64(1), np.uint8(1)])
def test_a_split_may_be_a_number_of_numpy(number):
    assert ArraysDataset("x", make_arrays(), number).split.train.tolist() == [0, 1]


@pytest.mark.parametrize("wanted", [np.array([1, 2]), np.arange(3), 1.0, True, [1], "all"])
def test_other_splits_are_refused_with_the_choice(wanted):
    with pytest.raises(ValueError, match=r"x has the splits 1 to 1\. Other values are 'random'"):
        ArraysDataset("x", make_arrays(), wanted)


def test_no_splits_is_said():
    with pytest.raises(ValueError, match="split is 1; x has no splits of its own"):
        ArraysDataset("x", make_arrays(splits=()))
