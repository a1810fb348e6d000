"""AllSet's files are read by id, whatever the order of lines; what is no such file is refused."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
import torch

from hypersage_dgl.data import ALLSET, load, load_dataset, noisy_labels
from hypersage_dgl.data.benchmarks import allset
from hypersage_dgl.data.benchmarks.locate import read_files
from hypersage_dgl.hypergraphs import incidences

ROWS = [(0, 1, 0, 7), (1, 0, 1, 5), (2, 1, 1, 7), (3, 9, 9, 5), (4, 9, 9, 5)]


def content(folder, rows, name="zoo"):
    """Files of three nodes and two hyperedges, whose rows follow those of the nodes."""
    place = folder / name
    place.mkdir(exist_ok=True)
    (place / f"{name}.content").write_text("".join("\t".join(map(str, r)) + "\n" for r in rows))
    (place / f"{name}.edges").write_text("0\t3\n2\t3\n1\t4\n2\t4\n")
    return folder


def lists(folder, name="house-committees"):
    place = folder / name
    place.mkdir()
    (place / f"node-labels-{name}.txt").write_text("2\n1\n2\n5\n")
    (place / f"hyperedges-{name}.txt").write_text("1,2\n2,4\n1,2,4\n")
    return folder


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 2, 0, 3, 1)])
def test_content_and_edges(tmp_path, order):
    data = load("zoo", data_dir=content(tmp_path, [ROWS[i] for i in order]))
    assert data.feat.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert data.labels.tolist() == [1, 0, 1]
    nodes, hyperedges = incidences(data.graph)
    assert sorted(zip(nodes.tolist(), hyperedges.tolist())) == [(0, 0), (1, 1), (2, 0), (2, 1)]


def test_ids_that_are_missing(tmp_path):
    with pytest.raises(ValueError, match="not those of the 3 nodes"):
        load("zoo", data_dir=content(tmp_path, ROWS[1:]))


def test_lists_and_the_features_that_the_seed_makes(tmp_path):
    lists(tmp_path)
    data = load("house-committees", data_dir=tmp_path)
    assert data.labels.tolist() == [1, 0, 1, 2]
    nodes, hyperedges = (ids.tolist() for ids in incidences(data.graph))
    members = [[0, 1], [1, 3], [0, 1, 3]]
    assert sorted(zip(hyperedges, nodes)) == [(e, v) for e, m in enumerate(members) for v in m]
    quiet = load("house-committees:0.6", data_dir=tmp_path)
    one_hot = torch.zeros(4, allset.WIDTH)
    one_hot[range(4), data.labels] = 1
    # The same draws, smaller.
    torch.testing.assert_close((quiet.feat - one_hot) / 0.6, data.feat - one_hot)
    again, other = (load("house-committees", data_dir=tmp_path, seed=s).feat for s in (0, 1))
    assert torch.equal(again, data.feat)
    assert not torch.equal(other, data.feat)


def test_noise_has_the_deviation_that_was_asked_for():
    labels = np.arange(20_000) % 3
    rows = noisy_labels(labels, 0.6, np.random.default_rng(0), width=4)
    assert rows.std(axis=0)[3] == pytest.approx(0.6, abs=0.02)
    for k in range(3):
        np.testing.assert_allclose(rows[labels == k].mean(axis=0), np.eye(4)[k], atol=0.05)


def test_random_splits_are_those_of_the_protocol(tmp_path):
    lists(tmp_path)
    first, again, other = (
        load_dataset("house-committees", "random", data_dir=tmp_path, seed=seed).split
        for seed in (0, 0, 3)
    )
    assert [len(ids) for ids in first] == [2, 1, 1]
    assert all(torch.equal(*pair) for pair in zip(first, again))
    assert not all(torch.equal(*pair) for pair in zip(first, other))
    with pytest.raises(ValueError, match="no splits of its own"):
        load_dataset("house-committees", data_dir=tmp_path)


def test_a_file_with_a_hash_must_have_it(tmp_path):
    folder = content(tmp_path, ROWS) / "zoo"
    source = ALLSET["zoo"]
    digests = {
        file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in source.sha256
    }
    pinned = replace(source, sha256=MappingProxyType(digests))
    assert (pinned.is_pinned, source.is_pinned) == (True, False)
    assert read_files(pinned, folder) == read_files(source, folder)
    (folder / "zoo.edges").write_text("0\t3\n")
    with pytest.raises(ValueError, match="damaged or another version"):
        read_files(pinned, folder)


def test_what_has_no_hash_is_not_downloaded():
    with pytest.raises(FileNotFoundError, match="no SHA-256 of its files is known"):
        load("NTU2012")


def test_text_that_is_none(tmp_path):
    folder = content(tmp_path, ROWS)
    (folder / "zoo" / "zoo.edges").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"zoo\.edges is not UTF-8"):
        load("zoo", data_dir=folder)


# Nobody pins the files of these sets, so whatever is in them must end in one error.
DAMAGE = {
    "zoo.edges": [
        "",
        "0\n",
        "0\tx\n",
        "0\t900000000000\n",
        "0\t3\n1\t400000000\n",
        "-1\t3\n",
        "0\t3\t1\n",
        "\xff",
    ],
    "zoo.content": ["", "0\n", "0\t1e999\t7\n1\t0\t5\n2\t1\t7\n", "0\tx\t7\n"],
    "node-labels-house-committees.txt": ["", "x\n", "1.5\n", "1\n" * 3, "99999999999999999999\n"],
    "hyperedges-house-committees.txt": ["", "0,1\n", "1,,2\n", "1,900000000000\n", "x\n"],
}


@pytest.mark.parametrize(
    ("file", "text"), [(file, text) for file, texts in DAMAGE.items() for text in texts]
)
def test_damaged_files_are_refused_by_name(tmp_path, file, text):
    name = "zoo" if file.startswith("zoo") else "house-committees"
    (content(tmp_path, ROWS) if name == "zoo" else lists(tmp_path))
    (tmp_path / name / file).write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=f"the files of {name} in .*{name} are not as AllSet has"):
        load(name, data_dir=tmp_path)
