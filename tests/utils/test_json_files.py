"""JSON is read as it was written or refused with the place; the schema checker judges as others."""

import gzip
import json
import random
import re

import fastjsonschema
import numpy as np
import pytest
from convert.hif_documents import BAD, SMALL
from hypothesis import given, settings
from hypothesis import strategies as st

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import (
    check_schema,
    json_digest,
    read_json,
    read_record,
    to_json,
)
from hypersage_dgl.convert import Attributes, Named, from_hif_dict, read_hif, write_hif
from hypersage_dgl.convert.hif import hif_schema

TEXT = json.dumps({"incidences": [{"edge": i, "node": "é"} for i in range(9)]}).encode()


def refused(path, content, place=""):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{path}: {place}")) as caught:
        read_hif(path)
    return str(caught.value)


def test_json_cut_off_anywhere(tmp_path):
    path = tmp_path / "cut.json"
    for end in range(0, len(TEXT), 5):
        assert "line 1" in refused(path, TEXT[:end])


def test_gzip_cut_off_anywhere(tmp_path):
    path = tmp_path / "cut.json.gz"
    packed = gzip.compress(TEXT)
    for end in range(2, len(packed)):
        refused(path, packed[:end], "truncated or damaged gzip file")


def test_gzip_with_any_byte_changed(tmp_path):
    path = tmp_path / "changed.json.gz"
    packed = gzip.compress(TEXT, mtime=0)
    for position in range(10, len(packed)):
        changed = bytearray(packed)
        changed[position] ^= 0xFF
        refused(path, bytes(changed), "truncated or damaged gzip file")


@pytest.mark.parametrize("seed", range(5))
def test_binary_garbage(tmp_path, seed):
    refused(tmp_path / "garbage.json", random.Random(seed).randbytes(300), "line")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "line 1, column 1"),
        (b'{"incidences": [\n{"edge": 0, "node" 1}]}', "line 2, column 20"),
        (b'{"incidences": [], "metadata": {"a": [1, NaN]}}', "$.metadata.a[1] is NaN"),
        (b'{"incidences": [], "metadata": {"a": -Infinity}}', "$.metadata.a is -Infinity"),
        (b'{"incidences": ' + b"[" * 100_000, ""),
        (b'{"incidences": [{"edge": ' + b"9" * 5000 + b', "node": 1}]}', ""),
        (b"\x80abc", "line 1, byte 0"),
        (b'{\n"\xff"', "line 2, byte 3"),
        (b"[1, 2]", "$ is [1, 2]"),
        (b'{"incidences": [{"edge": 0}]}', "$.incidences[0] has no 'node'"),
    ],
)
def test_bad_json(tmp_path, content, place):
    refused(tmp_path / "bad.json", content, place)


def test_a_byte_order_mark_is_no_fault(tmp_path):
    (tmp_path / "mark.json").write_bytes(b"\xef\xbb\xbf" + TEXT)
    assert read_hif(tmp_path / "mark.json").node_names == ("é",)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.json"):
        read_hif(tmp_path / "none.json")
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        read_hif(tmp_path)


@pytest.mark.parametrize(
    ("value", "error"), [(float("nan"), ValueError), ({1, 2}, TypeError), (b"x", TypeError)]
)
def test_a_failing_write_leaves_the_earlier_file(tmp_path, value, error):
    path = tmp_path / "kept.json"
    write_hif(hypergraph([[0, 1]]), path)
    earlier = path.read_bytes()
    with pytest.raises(error, match="JSON"):
        write_hif(Named(hypergraph([[0]]), attributes=Attributes(network={"a": value})), path)
    assert path.read_bytes() == earlier
    assert [p.name for p in tmp_path.iterdir()] == ["kept.json"]


def test_numpy_scalars_are_written_as_numbers(tmp_path):
    network = {"count": np.int64(3), "share": np.float32(0.5), "is": np.bool_(True)}
    write_hif(Named(hypergraph([[0]]), attributes=Attributes(network=network)), tmp_path / "a.json")
    metadata = read_json(tmp_path / "a.json")["metadata"]
    assert metadata == {"count": 3, "share": 0.5, "is": True}


def test_a_constant_in_the_depth_is_found(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 600 + "NaN" + "]" * 600)
    with pytest.raises(ValueError, match=r"\$(\[0\]){600} is NaN"):
        read_json(path)


def test_the_first_constant_is_named(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": [1, {"b": Infinity}], "c": NaN}')
    with pytest.raises(ValueError, match=r"\$\.a\[1\]\.b is Infinity"):
        read_json(path)


def test_json_is_one_line_that_the_standard_reads():
    document = {"a": [1, 2.5, None, True], "b": {"é": "数"}, "n": np.float64(0.5)}
    text = to_json(document)
    assert "\n" not in text
    assert "é" in text
    assert json.loads(text) == {"a": [1, 2.5, None, True], "b": {"é": "数"}, "n": 0.5}


@pytest.mark.parametrize(
    ("document", "error", "words"),
    [
        ({"a": float("inf")}, ValueError, "cannot be written as JSON"),
        ({"a": [{1: 2}]}, TypeError, "attribute key 1 is a int"),
        ({None: 1}, TypeError, "keys in JSON are strings"),
        ([({"a": {("x",): 1}},)], TypeError, "is a tuple"),
        ({"a": np.arange(2)}, TypeError, "is a ndarray, which JSON cannot hold"),
    ],
)
def test_what_json_cannot_hold_is_named(document, error, words):
    with pytest.raises(error, match=words):
        to_json(document)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', r"\$ has the key 'a' twice; keep one"),
        ('{"x": [0, {"b": 1, "c": 2, "c": 2}]}', r"\$\.x\[1\] has the key 'c' twice"),
        (
            '{"x": [1e999]}',
            r"\$\.x\[0\] is 1e999, which is beyond the range of float64; give a number",
        ),
        ("[" * 201 + "]" * 201, "more than 200 levels deep"),
        ("[" * 100_000 + "]" * 100_000, "more than 200 levels deep"),
    ],
    ids=["key", "inner key", "1e999", "201 levels", "100,000 levels"],
)
def test_json_that_would_not_be_read_as_written_is_refused(tmp_path, text, words):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError, match=rf"a\.json: .*{words}"):
        read_json(tmp_path / "a.json")


def test_what_is_deep_in_memory_is_refused_too():
    deep: list = []
    for _ in range(5000):
        deep = [deep, deep]
    with pytest.raises(ValueError, match="levels deep"):
        to_json({"a": deep})
    with pytest.raises(ValueError, match="levels deep"):
        from_hif_dict({"incidences": [], "metadata": {"a": deep}})


def test_digests_see_every_value_and_no_order():
    record = {"a": [1, 2], "b": {"c": "é"}}
    assert json_digest(record) == json_digest({"b": {"c": "é"}, "a": (1, 2)})
    assert json_digest(record) != json_digest({"a": [2, 1], "b": {"c": "é"}})


THEIRS = fastjsonschema.compile(dict(hif_schema()))
ANY = st.sampled_from([None, True, 0, 1.0, 1.5, -2, "", "head", "asc", [], {}, [1], {"a": 1}])
KEYS = ["node", "edge", "weight", "direction", "attrs", "other"]
RECORD = ANY | st.dictionaries(st.sampled_from(KEYS), ANY | st.sampled_from(["x", 3]), max_size=5)
GOOD_RECORD = st.fixed_dictionaries(
    {"node": st.sampled_from(["a", 1]), "edge": st.sampled_from(["x", 2])},
    optional={"weight": st.just(2.5), "direction": st.just("tail"), "attrs": st.just({"k": 1})},
)
SECTION = ANY | st.lists(GOOD_RECORD | RECORD, max_size=3)
DOCUMENT = st.dictionaries(
    st.sampled_from(["incidences", "nodes", "edges", "metadata", "network-type", "other"]), SECTION
) | st.fixed_dictionaries({"incidences": st.lists(GOOD_RECORD | RECORD, max_size=3)})


def accepts(validate, document):
    try:
        validate(document)
    except (ValueError, fastjsonschema.JsonSchemaValueException):
        return False
    return True


@settings(max_examples=300)
@given(ANY | DOCUMENT)
def test_same_verdict_as_fastjsonschema(document):
    assert accepts(lambda d: check_schema(d, hif_schema()), document) == accepts(THEIRS, document)


def test_same_verdict_on_every_bad_document():
    for document, _ in BAD:
        assert accepts(lambda d: check_schema(d, hif_schema()), document) == accepts(
            THEIRS, document
        )
    assert accepts(THEIRS, SMALL)
    assert accepts(lambda d: check_schema(d, hif_schema()), SMALL)


def test_the_shipped_schema_uses_only_what_the_checker_knows():
    known = {"$schema", "title", "$comment", "type", "enum", "required", "properties"}
    known |= {"additionalProperties", "items"}

    def keywords(schema):
        yield from schema
        for inner in schema.get("properties", {}).values():
            yield from keywords(inner)
        if "items" in schema:
            yield from keywords(schema["items"])

    assert set(keywords(hif_schema())) == known


# Verdicts of the published schema, HIF 0.1.0, on what its own test files hold.
@pytest.mark.parametrize(
    ("document", "is_good"),
    [
        ({"incidences": []}, True),
        ({"incidences": [], "nodes": [], "edges": [], "metadata": {}}, True),
        ({"incidences": [], "nodes": [{"node": 42}]}, True),
        ({"incidences": [], "edges": [{"edge": 3, "attrs": {"weight": 2.0}}]}, True),
        ({"incidences": [{"edge": "abcd", "node": 42, "weight": -2}]}, True),
        ({"incidences": [{"edge": 1, "node": 2}], "network-type": "directed"}, True),
        ({"incidences": [], "nodes": [{"node": "n"}, {"node": "n"}]}, True),
        ({"incidences": [], "nodes": [{"node": 1.23}]}, False),
        ({"incidences": [], "edges": [{"edge": 3, "test": 1}]}, False),
        ({"incidences": [], "edges": [{"attrs": {}}]}, False),
        ({"incidences": [], "metadata": [0, 1, 2]}, False),
        ({"incidences": [{"edge": "abcd", "node": 42, "direction": "side"}]}, False),
        ({"incidences": [{"edge": "abcd", "node": 42, "weight": "hello"}]}, False),
        ({"incidences": [], "network-type": "badnt"}, False),
        ({}, False),
    ],
)
def test_verdicts_of_the_standard(document, is_good):
    assert accepts(lambda d: check_schema(d, hif_schema()), document) == is_good


def test_a_record_is_read_or_refused_with_its_path(tmp_path):
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    path = tmp_path / "record.json"
    with pytest.raises(FileNotFoundError) as caught:
        read_record(path, schema, "checkpoint")
    assert str(caught.value) == f"{tmp_path} holds no checkpoint: there is no record.json in it"
    path.write_text('{"a": 1, "b": [2]}')
    assert read_record(path, schema, "checkpoint") == {"a": 1, "b": [2]}
    path.write_text('{"a": "x"}')
    with pytest.raises(ValueError, match="of type integer") as caught:
        read_record(path, schema, "checkpoint")
    assert str(caught.value).startswith(f"{path} is not a checkpoint of hypersage_dgl: $.a is 'x'")
    path.write_text('{"a": ')
    with pytest.raises(ValueError, match=r"record\.json: line 1, column"):
        read_record(path, schema, "checkpoint")
