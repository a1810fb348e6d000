"""Files of a benchmark that are readable pickles, but not what they must be."""

import pickle

import pytest

from hypersage_dgl.data.benchmark import convert


def deep_list():
    """A list whose repr would take years: each level holds the one below twice."""
    value = []
    for _ in range(100):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("file", "value", "message"),
    [
        ("hypergraph.pickle", [[0, 1]], "holds a list and features.pickle a csr_matrix"),
        ("hypergraph.pickle", {"a": [0, 1.5]}, "hyperedge 'a' must be a list or set of whole"),
        ("hypergraph.pickle", {"a": "01"}, "hyperedge 'a' must be a list or set of whole"),
        ("features.pickle", [[1.0]], "features.pickle a list"),
        ("labels.pickle", [0] * 11, "one row for each of the 11 nodes"),
        ("labels.pickle", [-1] * 12, "labels go from -1"),
        ("splits/3.pickle", {"train": [0, 1], "test": [1]}, "split 3 lists node 1 2 times"),
        ("splits/3.pickle", {"train": [12], "test": [1]}, "split 3 has node id 12; ids go from 0"),
        ("labels.pickle", deep_list(), "labels.pickle must be a list or set .* not a list of list"),
        ("splits/3.pickle", deep_list(), "not a list of list"),
        ("splits/3.pickle", [[0], [1]], "splits/3.pickle must be a dict of 'train' and 'test'"),
    ],
)
def test_files_of_another_form_are_refused(tiny, file, value, message):
    contents = {**tiny.contents, file: pickle.dumps(value, protocol=4)}
    with pytest.raises(ValueError, match=message):
        convert(contents, "tiny")
