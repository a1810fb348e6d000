"""AllSet's files are read by id, whatever the order of lines; what is no such file is refused."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.allset import READERS, read_allset, read_content, read_trips
from hypersage_dgl.hypergraphs import incidences


def content(folder, rows, name="20newsW100"):
    place = folder / name
    place.mkdir(exist_ok=True)
    (place / f"{name}.content").write_text("".join("\t".join(map(str, r)) + "\n" for r in rows))
    (place / f"{name}.edges").write_text("0\t3\n2\t3\n1\t4\n2\t4\n")
    return place


ROWS = [(0, 1, 0, 7), (1, 0, 1, 5), (2, 1, 1, 7), (3, 9, 9, 5), (4, 9, 9, 5)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 2, 0, 3, 1)])
def test_content_and_edges(tmp_path, order):
    data = read_allset("20newsW100", content(tmp_path, [ROWS[i] for i in order]).parent)
    assert data.feat.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert data.labels.tolist() == [1, 0, 1]
    assert data.num_hyperedges == 2
    nodes, hyperedges = incidences(data.graph)
    assert sorted(zip(nodes.tolist(), hyperedges.tolist())) == [(0, 0), (1, 1), (2, 0), (2, 1)]


def test_ids_that_are_missing(tmp_path):
    with pytest.raises(ValueError, match="not those of the 3 nodes"):
        read_content(content(tmp_path, ROWS[1:]))


def test_trips(tmp_path):
    place = tmp_path / "walmart-trips"
    place.mkdir()
    (place / "node-labels-walmart-trips.txt").write_text("2\n1\n2\n3\n")
    (place / "hyperedges-walmart-trips.txt").write_text("1,2\n2,4\n1,2,4\n")
    data = read_trips(place, noise=0.0)
    # Node 3 is in no trip.
    assert data.labels.tolist() == [1, 0, 2]
    assert np.array_equal(data.feat, np.eye(3)[[1, 0, 2]])
    assert (data.num_nodes, data.num_hyperedges) == (3, 3)
    assert read_trips(place, trips=2).num_hyperedges == 2
    first, again = (read_trips(place, trips=2, noise=1.0) for _ in range(2))
    assert np.array_equal(first.feat, again.feat)


@pytest.mark.parametrize("name", READERS)
def test_a_folder_that_is_not_there(tmp_path, name):
    with pytest.raises(FileNotFoundError, match="by --data-dir"):
        read_allset(name, tmp_path)
