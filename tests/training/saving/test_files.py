"""Foreign, cut and changed checkpoints are refused in one line, and nothing in them is run."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path

import pytest
import safetensors.torch
import torch
from small_hypergraph import model_for

from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import About, load_checkpoint, save_checkpoint

from ..cases import record_of, rewrite


def tensor_file(folder: Path, kind: str = "weights") -> Path:
    return folder / record_of(folder)[kind]["file"]


def replace_weights(folder: Path, content: bytes) -> None:
    """Put other content in the place of the weights, with the right SHA-256."""
    tensor_file(folder).write_bytes(content)
    rewrite(folder, weights={"sha256": hashlib.sha256(content).hexdigest()})


def test_no_checkpoint_is_a_missing_file(tmp_path):
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(FileNotFoundError, match="no checkpoint"):
            load_checkpoint(folder)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"\x00\xff\xfe",
        b'{"version": 1}',
        b"[" * 100_000,
        pickle.dumps({"version": 1}),
    ],
    ids=lambda content: repr(content[:20]),
)
def test_foreign_records_are_refused(saved, content):
    (saved / "checkpoint.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"checkpoint\.json"):
        load_checkpoint(saved)


def test_a_record_cut_anywhere_is_refused(saved):
    text = (saved / "checkpoint.json").read_text()
    for length in range(0, len(text) - 1, 37):
        (saved / "checkpoint.json").write_text(text[:length])
        with pytest.raises(ValueError, match=r"checkpoint\.json"):
            load_checkpoint(saved)


@pytest.mark.parametrize("kind", ["weights", "state"])
def test_files_of_tensors_that_are_cut_changed_or_missing_are_refused(saved, kind):
    file = tensor_file(saved, kind)
    content = file.read_bytes()
    for changed in (b"", content[:-1], content[: len(content) // 2], content + b"x"):
        file.write_bytes(changed)
        with pytest.raises(ValueError, match="truncated or was changed"):
            load_checkpoint(saved)
    flipped = bytearray(content)
    flipped[-5] ^= 1
    file.write_bytes(bytes(flipped))
    with pytest.raises(ValueError, match="truncated or was changed"):
        load_checkpoint(saved)
    file.unlink()
    with pytest.raises(ValueError, match="is missing"):
        load_checkpoint(saved)


class Payload:
    """Whoever unpickles it writes a file."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def test_pickled_code_is_not_run(saved, tmp_path):
    trace = tmp_path / "trace"
    for content in (pickle.dumps(Payload(trace)), pickle.dumps({"layers": Payload(trace)})):
        replace_weights(saved, content)
        with pytest.raises(ValueError, match="not a safetensors file"):
            load_checkpoint(saved)
    torch.save({"layers.0.linear.weight": Payload(trace)}, tensor_file(saved))
    replace_weights(saved, tensor_file(saved).read_bytes())
    with pytest.raises(ValueError, match="not a safetensors file"):
        load_checkpoint(saved)
    assert not trace.exists()


def test_files_of_other_tensors_are_refused(saved):
    weights = safetensors.torch.load(tensor_file(saved).read_bytes())
    one = "layers.0.linear.weight"
    for tensors in (
        {},
        {"x": torch.ones(2)},
        {**weights, "more": torch.ones(1)},
        {name: value for name, value in weights.items() if name != one},
        {**weights, one: weights[one][:1]},
        {**weights, one: torch.ones(weights[one].shape, dtype=torch.int64)},
    ):
        replace_weights(saved, safetensors.torch.save(tensors))
        with pytest.raises(ValueError, match="does not describe its weights"):
            load_checkpoint(saved)


@pytest.mark.parametrize(
    "name",
    [
        "../weights-0123456789abcdef.safetensors",
        "/etc/passwd",
        "sub/weights-0123456789abcdef.safetensors",
        "..",
        ".",
        "",
        "checkpoint.json",
        "weights.pt",
        "weights-0123456789abcdef.safetensors/../../x.safetensors",
        "weights-0123456789abcdef.safetensors\n",
        "weights-0123456789abcdef\x00.safetensors",
        "a" * 5000 + ".safetensors",
    ],
)
@pytest.mark.parametrize("kind", ["weights", "state"])
def test_only_files_of_checkpoints_are_read(saved, name, kind):
    # There is a file at the end of each path that leads somewhere, with the noted SHA-256.
    content = tensor_file(saved, kind).read_bytes()
    (saved / "sub").mkdir()
    for place in (saved / "sub", saved.parent):
        (place / "weights-0123456789abcdef.safetensors").write_bytes(content)
    rewrite(saved, **{kind: {"file": name}})
    with pytest.raises(ValueError, match="not a file of a checkpoint"):
        load_checkpoint(saved)


def test_a_tampered_record_does_not_make_saving_delete_other_files(saved):
    mine = saved / "thesis.tex"
    mine.write_text("mine")
    rewrite(saved, weights={"file": "thesis.tex"}, state={"file": "../thesis.tex"})
    save_checkpoint(saved, model_for())
    assert mine.read_text() == "mine"
    load_checkpoint(saved)


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"version": "1"},
        {"model": []},
        {"weights": None},
        {"weights": {"file": 3}},
        {"weights": {"sha256": None}},
        {"state": "none"},
        {"progress": 5},
        {"classes": "abc"},
        {"classes": [1, 2]},
        {"feature_names": None},
        {"statistics": []},
        {"versions": None},
    ],
    ids=str,
)
def test_records_of_wrong_types_are_refused(saved, changes):
    rewrite(saved, **changes)
    with pytest.raises(ValueError, match="is not a checkpoint of hypersage_dgl"):
        load_checkpoint(saved)


@pytest.mark.parametrize("changes", [{"classes": ["b", "a"]}, {"model": {"p": 5.0}}])
def test_a_record_changed_to_other_valid_values_is_refused(tmp_path, changes):
    save_checkpoint(tmp_path, HyperSAGE(4, 8, 2, p=2.0), About(classes=("a", "b")))
    record = record_of(tmp_path)
    for key, value in changes.items():
        record[key] = {**record[key], **value} if isinstance(value, dict) else value
    (tmp_path / "checkpoint.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match="was changed since it was saved"):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize("key", ["version", "model", "weights", "state", "classes"])
def test_records_without_an_entry_are_refused(saved, key):
    record = record_of(saved)
    del record[key]
    (saved / "checkpoint.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match=f"has no '{key}'"):
        load_checkpoint(saved)
