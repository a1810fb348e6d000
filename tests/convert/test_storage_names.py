"""Saved hypergraphs: names and keys come back as they were, or are refused before writing."""

import hashlib
import json

import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes, Named, load_hypergraph, save_hypergraph


@pytest.mark.parametrize("names", [range(5, 8), range(2, -1, -1), range(0, 6, 2)])
def test_ranges_that_are_not_the_ids_come_back(tmp_path, names):
    save_hypergraph(tmp_path, Named(hypergraph([[0, 1], [1, 2]]), names, range(7, 9)))
    back = load_hypergraph(tmp_path)
    assert list(back.node_names) == list(names)
    assert list(back.hyperedge_names) == [7, 8]


@pytest.mark.parametrize("attributes", [{1: "a"}, {"a": {None: 1}}, {"a": [({2: 3},)]}])
def test_keys_that_would_become_strings_are_refused(tmp_path, attributes):
    named = Named(hypergraph([[0, 1]]), attributes=Attributes(network=attributes))
    with pytest.raises(TypeError, match=r"attribute key .* keys in JSON are strings"):
        save_hypergraph(tmp_path, named)
    assert list(tmp_path.iterdir()) == []


def test_half_a_surrogate_pair_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"surrogate pair.*rename"):
        save_hypergraph(tmp_path, Named(hypergraph([[0, 1]]), ("a", "b\ud800")))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_dgl_refuses_is_named_without_its_trace(tmp_path):
    save_hypergraph(tmp_path, hypergraph([[0, 1]]))
    record = json.loads((tmp_path / "hypergraph.json").read_text())
    file = tmp_path / record["graph"]["file"]
    file.write_bytes(bytes(100))
    record["graph"]["sha256"] = hashlib.sha256(bytes(100)).hexdigest()
    (tmp_path / "hypergraph.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match=r"\.bin cannot be read by DGL.*save") as caught:
        load_hypergraph(tmp_path)
    assert "Stack trace" not in str(caught.value)
