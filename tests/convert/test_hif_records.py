"""Records of HIF are merged where they agree, and refused with their place where they do not."""

import pytest

from hypersage_dgl.convert.hif_records import Incidences, Merged, Parts, write_record


def test_weights_are_one_where_none_was_noted():
    merged = Merged()
    assert merged.weight_list(2) is None
    merged.add_weight(1, 2.5, "$")
    assert merged.weight_list(3) == [1.0, 2.5, 1.0]
    with pytest.raises(ValueError, match=r"\$\.a is 3, but the same one had weight 2.5 before"):
        merged.add_weight(1, 3, "$.a")


def test_parts_number_their_names_and_take_weights_from_either_place():
    records = [{"node": "a", "attrs": {"weight": 2, "b": 1}}, {"node": 1.0, "weight": -1}]
    parts = Parts({"nodes": records}, "nodes")
    assert parts.numbering.names == ("a", 1)
    assert (parts.weights, parts.attributes) == ({0: 2, 1: -1}, {0: {"b": 1}})
    with pytest.raises(ValueError, match=r"\$\.nodes\[1\]\.attrs\.b is 2, but the same one had 1"):
        Parts({"nodes": [{"node": 0, "attrs": {"b": b}} for b in (1, 2)]}, "nodes")


def test_an_incidence_may_be_tail_and_head():
    ways = [{"node": 0, "edge": 0, "direction": way} for way in ("tail", "head")]
    found = Incidences([*ways, {"node": 1, "edge": 0}], Parts({}, "nodes"), Parts({}, "edges"))
    assert (found.nodes, found.edges, found.directions) == ([0, 1], [0, 0], [3, 0])


def test_a_record_has_only_what_there_is():
    assert write_record({"node": 0}, None, {}) == {"node": 0}
    assert write_record({"node": 0}, 2.0, {"a": 1}) == {"node": 0, "weight": 2.0, "attrs": {"a": 1}}
