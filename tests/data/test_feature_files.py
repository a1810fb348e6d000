"""Features of a mapped file train and predict as those in memory, to the digits that it holds."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl.data import load, map_features, read_mapped, write_rows
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    FullGraph,
    Minibatches,
    Predictor,
    fit,
    sampler_for,
    seed_everything,
)


@pytest.fixture(scope="module")
def data():
    return load("synthetic")


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("is_dense", [True, False])
def test_rows_come_back(data, tmp_path, dtype, is_dense):
    feat = data.feat.to_dense() if is_dense else data.feat
    write_rows(feat, tmp_path / "feat.npy", dtype)
    mapped = read_mapped(tmp_path / "feat.npy")
    assert str(mapped.dtype) == f"torch.{dtype}"
    assert torch.equal(mapped.float(), data.feat.to_dense())
    assert np.array_equal(np.load(tmp_path / "feat.npy"), mapped.numpy())


def trained(data, feat):
    seed_everything(0)
    model = HyperSAGE(64, 8, 4, dropout=0.0)
    sampler = sampler_for(model, data.graph, alpha=3)
    parts = (data.graph, feat, data.labels, data.splits[0].train)
    history = fit(model, Minibatches(*parts, sampler, batch_size=20), epochs=2)
    full = fit(model, FullGraph(*parts, model=model), epochs=1)
    losses = [row.loss for row in (*history.epochs, *full.epochs)]
    return losses, Predictor(model).predict(data, feat).probabilities


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_training_and_inference_are_those_in_memory(data, tmp_path, dtype):
    # 0 and 1 are exact in float16.
    mapped = map_features(data, tmp_path / "feat.npy", dtype)
    expected = trained(data, data.feat.to_dense())
    found = trained(mapped, mapped.feat)
    assert found[0] == pytest.approx(expected[0], rel=1e-6)
    torch.testing.assert_close(found[1], expected[1], rtol=1e-5, atol=1e-6)


def test_a_file_that_is_there_is_taken(data, tmp_path):
    path = tmp_path / "feat.npy"
    np.save(path, np.full((1000, 5), 0.5, dtype=np.float16))
    mapped = map_features(data, path)
    assert mapped.num_feats == 5
    # Not converted on the way, nor by what is made of it.
    assert mapped.with_split("random").feat is mapped.feat


def test_what_cannot_be_mapped_is_named(data, tmp_path):
    np.save(tmp_path / "few.npy", np.ones((3, 2), dtype=np.float32))
    with pytest.raises(ValueError, match=r"few\.npy has 3 rows for the 1000 nodes of synthetic"):
        map_features(data, tmp_path / "few.npy")
    np.save(tmp_path / "ints.npy", np.ones((1000, 2), dtype=np.int64))
    with pytest.raises(ValueError, match=r"holds int64 of shape .* float16 or float32"):
        read_mapped(tmp_path / "ints.npy")
    (tmp_path / "no.npy").write_text("no array")
    with pytest.raises(ValueError, match=r"no\.npy is damaged, or no file of numpy"):
        read_mapped(tmp_path / "no.npy")
    with pytest.raises(ValueError, match="dtype is 'int8'"):
        map_features(data, tmp_path / "new.npy", "int8")
    with pytest.raises(ValueError, match="beyond float16; write them as float32"):
        write_rows(torch.full((2, 2), 1e6), tmp_path / "large.npy")
    assert not (tmp_path / "large.npy").exists()


FORGED = {
    "cut off": ("<f4", (10, 10), 100),
    "longer": ("<f4", (2, 5), 80),
    "product beyond 64 bits": ("<f2", (2**32, 2**32), 100),
    "size beyond 64 bits": ("<f4", (10**20, 2), 100),
    "size that is no integer": ("<f4", (True, 5), 80),
    "objects": ("|O", (2, 5), 80),
    "other byte order": (">f4", (2, 5), 40),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_headers_are_refused_by_name(tmp_path, name):
    descr, shape, size = FORGED[name]
    path = tmp_path / "feat.npy"
    header = str({"descr": descr, "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    path.write_bytes(start + header.encode() + bytes(size))
    with pytest.raises(ValueError, match=r"feat\.npy (is|holds)"):
        read_mapped(path)


def test_an_npz_file_is_refused_by_name(tmp_path):
    np.savez(tmp_path / "feat.npz", a=np.ones((2, 2), dtype=np.float32))
    with pytest.raises(ValueError, match=r"feat\.npz is no \.npy array that can be mapped"):
        read_mapped(tmp_path / "feat.npz")
