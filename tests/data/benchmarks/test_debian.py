"""The embedded data set against its datasheet."""

import io
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from plain_arrays import arrays_of
from scipy import sparse

from hypersage_dgl.data.benchmarks.debian import KEYS, load_debian

ROOT = Path(__file__).parents[3]
FILES = ROOT / "hypersage_dgl" / "data" / "files"


@pytest.fixture(scope="module")
def debian():
    return arrays_of(load_debian())


@pytest.fixture(scope="module")
def names():
    data = load_debian()
    kinds, hyperedges = zip(*(name.split(" ", 1) for name in data.hyperedge_names))
    return SimpleNamespace(
        packages=data.node_names, words=data.feature_names, hyperedges=hyperedges, kinds=kinds
    )


def datasheet():
    """Return all rows of the datasheet's tables, numbers as numbers, by their first cell."""
    text = (FILES / "debian.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", text, flags=re.MULTILINE)
    numbers = [(k, re.findall(r"\d[\d,]*\.?\d*", v)) for k, v in rows]
    return [(k, [float(n.strip(",").replace(",", "")) for n in found]) for k, found in numbers]


def test_datasheet_states_the_counts(debian, names):
    sizes = np.bincount(debian.hyperedge_ids, minlength=debian.num_hyperedges)
    degrees = np.bincount(debian.node_ids, minlength=debian.num_nodes)
    members = np.split(debian.node_ids, np.cumsum(sizes)[:-1])
    is_source = np.array(names.kinds) == "source"
    shape = [
        [round(float(s.mean()), 2), round(float(s.std()), 2), s.max()]
        for s in (sizes[~is_source], sizes[is_source])
    ]
    rows = datasheet()
    assert rows[:14] == [
        ("nodes", [debian.num_nodes]),
        ("classes", [len(debian.class_names)]),
        ("depends-hyperedges", [np.sum(~is_source)]),
        ("their size, mean ± sd, max", shape[0]),
        ("source-hyperedges", [np.sum(is_source)]),
        ("their size, mean ± sd, max", shape[1]),
        ("incidences", [len(debian.node_ids)]),
        ("hyperedges equal to an earlier one", [len(members) - len({tuple(m) for m in members})]),
        ("nodes in no hyperedge", [np.sum(degrees == 0)]),
        ("largest degree", [degrees.max()]),
        ("features", [debian.features.shape[1]]),
        ("non-zero features", [debian.features.nnz]),
        ("nodes with no word", [np.sum(np.diff(debian.features.indptr) == 0)]),
        ("train / val / test nodes", [len(ids) for ids in debian.splits[0]]),
    ]
    of_class = [debian.labels == k for k in range(len(debian.class_names))]
    assert [(k, v) for k, v in rows[14:] if v] == [
        (name, [mine.sum(), np.sum(mine & (degrees == 0))])
        for name, mine in zip(debian.class_names, of_class)
    ]


def test_is_a_sound_hypergraph(debian):
    pairs = debian.hyperedge_ids * debian.num_nodes + debian.node_ids
    assert len(np.unique(pairs)) == len(pairs)
    assert np.bincount(debian.hyperedge_ids, minlength=debian.num_hyperedges).min() >= 2
    assert debian.features.dtype == np.float32
    assert set(debian.features.data) == {1.0}
    assert debian.features.has_canonical_format
    assert debian.node_ids.dtype == debian.hyperedge_ids.dtype == debian.labels.dtype == np.int64


def test_file_is_small_and_has_no_pickle():
    content = (FILES / "debian.npz").read_bytes()
    assert len(content) < 500_000
    with np.load(io.BytesIO(content), allow_pickle=False) as npz:
        assert {npz[key].dtype.kind for key in npz.files} == {"u"}


def test_ten_splits_by_class(debian):
    assert len(debian.splits) == 10
    per_class = np.bincount(debian.labels) // 20
    for split in debian.splits:
        assert np.array_equal(np.bincount(debian.labels[split.train]), per_class)
        assert np.array_equal(np.bincount(debian.labels[split.val]), per_class)
        assert np.array_equal(np.sort(np.concatenate(split)), np.arange(debian.num_nodes))
    # A node is in a given training set by one chance in twenty, so two sets share few.
    first, second = debian.splits[0].train, debian.splits[1].train
    assert 20 < len(np.intersect1d(first, second)) < 130


def test_names_lead_back_to_debian(debian, names):
    ids = {name: i for i, name in enumerate(names.packages)}
    hyperedges = {pair: i for i, pair in enumerate(zip(names.kinds, names.hyperedges))}

    def members(kind, name):
        found = debian.node_ids[debian.hyperedge_ids == hyperedges[kind, name]]
        return {names.packages[i] for i in found}

    assert len(hyperedges) == debian.num_hyperedges
    assert debian.class_names[debian.labels[ids["libmoose-perl"]]] == "perl"
    assert {"python3-asgiref", "python3-sqlparse"} < members("depends", "python3-django")
    assert {"openssh-client", "openssh-server"} < members("source", "openssh")
    # "Fast array facility to the Python 3 language"
    words = {names.words[j] for j in debian.features[ids["python3-numpy"]].indices}
    assert words == {"fast", "array", "python", "language"}


def accuracy_of_ridge_regression(features, labels, split):
    train = features[split.train].toarray()
    one_hot = np.eye(labels.max() + 1)[labels[split.train]]
    weight = np.linalg.solve(train.T @ train + 3 * np.eye(train.shape[1]), train.T @ one_hot)
    return np.mean((features[split.test] @ weight).argmax(1) == labels[split.test])


def test_features_tell_the_class_and_hyperedges_add_to_them(debian):
    """Majority class: 0.17. Measured: 0.73 on features, 0.81 with the hyperedges' means."""
    incidence = sparse.csr_matrix(
        (np.ones(len(debian.node_ids)), (debian.node_ids, debian.hyperedge_ids))
    )
    incidence.resize(debian.num_nodes, debian.num_hyperedges)
    met = incidence @ (incidence.T @ debian.features)
    num_met = np.maximum(incidence @ incidence.sum(0).T, 1)
    both = sparse.csr_matrix(sparse.hstack([debian.features, met.multiply(1 / num_met)]))
    alone = accuracy_of_ridge_regression(debian.features, debian.labels, debian.splits[0])
    together = accuracy_of_ridge_regression(both, debian.labels, debian.splits[0])
    assert alone > 0.65
    assert together > alone + 0.05


def npz_of_others():
    file = io.BytesIO()
    np.savez(file, labels=np.arange(3))
    return file.getvalue()


def npy():
    file = io.BytesIO()
    np.save(file, np.arange(3))
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage", (FILES / "debian.npz").read_bytes()[:9999], npz_of_others(), npy()],
    ids=["empty", "garbage", "cut off", "other npz", "npy"],
)
def test_other_files_are_refused_with_the_cure(tmp_path, content):
    path = tmp_path / "debian.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"debian\.npz is not a file of .* run that again"):
        load_debian(path)


def test_forged_words_of_debian_are_refused(tmp_path):
    with np.load(io.BytesIO((FILES / "debian.npz").read_bytes())) as npz:
        stored = {key: npz[key] for key in KEYS}
    stored["word_ids"] = np.full_like(stored["word_ids"], 1001)
    np.savez(tmp_path / "forged.npz", **stored)
    with pytest.raises(ValueError, match=r"forged\.npz is not a file of.*run that again"):
        load_debian(tmp_path / "forged.npz")
