"""Any permutation of the rows of any table changes nothing, from the features to predictions."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hypersage_dgl.cli import main
from hypersage_dgl.training import load_checkpoint

from .own_data import weights

COUNT = 24
NAMES = [f"Gräfin {i}" if i % 3 else str(i) for i in range(COUNT)]
WORDS = ("planet", "village", "machine", "match")
MEMBERS = [f"{NAMES[i]};{(i * k) % 7} Leser;{1 + i % 3}" for i in range(COUNT) for k in (1, 2)]
MEMBERS = sorted({line.rsplit(";", 1)[0]: line for line in MEMBERS}.values())
SHELVES = ("rot", "grün", "")
NODES = [
    f"{name};{SHELVES[i % 3]};{1800 + 7 * i if i != 5 else ''};{WORDS[i % 4]} a b{i % 5}"
    for i, name in enumerate(NAMES)
]
EDGES = [f"{i} Leser;{1 + i / 4};{1900 + i}" for i in range(8)]
NEW = [f"neu {i};{i % 7} Leser|{i} neue;{1850 + i};{WORDS[i]} b1" for i in range(3)]
TABLES = (
    ("members", "book;reader;weight", MEMBERS),
    ("nodes", "book;shelf;year;abstract", NODES),
    ("edges", "reader;weight;since", EDGES),
    ("new", "book;hyperedges;year;abstract", NEW),
)


def results(folder, tables):
    """What training keeps, and what it predicts, by name."""
    for (name, heading, _), rows in zip(TABLES, tables):
        (folder / f"{name}.csv").write_text("\n".join((heading, *rows)), encoding="utf-8")
    own = ["--incidences", "members.csv", "--nodes", "nodes.csv", "--hyperedges", "edges.csv"]
    own = [str(folder / word) if word.endswith(".csv") else word for word in own]
    model = str(folder / "model")
    train = ["--label", "shelf", "--text", "abstract", "--epochs", "2", "--hidden", "8"]
    assert main(["train", *own, *train, "--out", model, "--no-report"]) == 0
    texts = []
    for more in ([], ["--new", str(folder / "new.csv")]):
        out = folder / "predicted.csv"
        assert main(["predict", model, *own, *more, "--probabilities", "--out", str(out)]) == 0
        texts.append(sorted(out.read_text(encoding="utf-8").splitlines()))
    kept = load_checkpoint(model)
    return kept, texts


def in_a_folder(tables):
    with tempfile.TemporaryDirectory() as folder:
        return results(Path(folder), tables)


@cache
def as_given():
    return in_a_folder([rows for _, _, rows in TABLES])


@settings(max_examples=settings.default.max_examples // 2)
@given(st.randoms(use_true_random=False))
def test_no_order_of_rows_changes_a_run(randomness: random.Random):
    (kept, texts) = as_given()
    same, again = in_a_folder([randomness.sample(rows, len(rows)) for _, _, rows in TABLES])
    # Classes, names and checksum of features, labels and split, the nodes of the split, the ranges.
    assert kept.about == same.about
    assert set(kept.about.training["ranges"]) == {"year"}
    assert torch.equal(weights(kept.model), weights(same.model))
    assert [e["loss"] for e in kept.progress["epochs"]] == [
        e["loss"] for e in same.progress["epochs"]
    ]
    assert texts == again
