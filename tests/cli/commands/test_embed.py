"""``hypersage embed``: a row for each node, the same again, and for nodes that are new."""

from __future__ import annotations

import numpy as np
import pytest

from hypersage_dgl.data import load
from hypersage_dgl.training import embed, load_checkpoint

SHORT = ("--epochs", "2", "--hidden", "8")


@pytest.fixture
def made(place, hypersage):
    words = ("--dataset", "synthetic", *SHORT, "--out", "rows.npy", "--checkpoint", "encoder")
    done = hypersage("embed", *words)
    assert done.code == 0, done
    return done.out


def test_rows_are_those_of_the_library(made, hypersage):
    rows, data = np.load("rows.npy"), load("synthetic")
    kept = load_checkpoint("encoder")
    expected = embed(kept.model, data.graph, data.require_feat()).numpy()
    np.testing.assert_array_equal(rows, expected)
    assert (rows.dtype, rows.shape) == (np.float32, (1000, 8))
    assert kept.about.task == "embedding"
    assert "trained 2 epochs, last loss " in made
    assert "synthetic: 1,000 nodes x 8 in rows.npy" in made
    assert hypersage("embed", "--dataset", "synthetic", *SHORT, "--out", "again.npy").code == 0
    np.testing.assert_array_equal(np.load("again.npy"), rows)


def test_a_kept_encoder_embeds_other_nodes_without_training(made, hypersage):
    words = ("--dataset", "synthetic", "--seed", "7", "--checkpoint", "encoder")
    done = hypersage("embed", *words, "--out", "new.npy")
    assert done.code == 0
    assert "trained" not in done.out
    data = load("synthetic", seed=7)
    expected = embed(load_checkpoint("encoder").model, data.graph, data.require_feat()).numpy()
    np.testing.assert_array_equal(np.load("new.npy"), expected)


def test_samples_can_be_drawn(place, hypersage):
    words = ("--alpha", "2", "--beta", "1", "--layers", "2", "--batch-size", "300")
    done = hypersage("embed", "--dataset", "synthetic", *SHORT, *words, "--out", "rows.npy")
    assert done.code == 0, done
    assert np.isfinite(np.load("rows.npy")).all()


def test_what_makes_no_sense_is_refused(data, made, fails):
    source = ("--dataset", "synthetic")
    assert "must end in .npy" in fails("embed", *source, "--out", "rows.csv", code=2)
    other = fails("embed", *source, "--out", "rows.npy", "--checkpoint", "model")
    assert "model was trained for classification, not to embed" in other
    assert "`hypersage embed --checkpoint` uses it" in fails("predict", "encoder", *source)
    assert "have no score" in fails("evaluate", "encoder", *source)
