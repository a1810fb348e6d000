"""JSON is read as it was written, or refused with path and place."""

import gzip
import json
import random
import re

import numpy as np
import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import json_digest, read_json, read_record, to_json
from hypersage_dgl.convert import Attributes, Named, from_hif_dict, read_hif, write_hif

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
