"""``hypersage evaluate`` against scores computed by hand from what ``predict`` writes."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

from hypersage_dgl.convert import Named, write_folder
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import save_checkpoint

from ..own_data import ARRAYS, DATA, NODES, hif_document, labelled

CONNECTED = np.isin(np.arange(90), ARRAYS.node_ids)


def predicted(hypersage):
    text = hypersage("predict", "own-model", "--hypergraph", "recipes.npz").out
    names = [row["class"] for row in csv.DictReader(io.StringIO(text))]
    return np.array([ARRAYS.class_names.index(name) for name in names])


def by_hand(found, ids):
    """Accuracy, macro-F1 and recalls in plain numpy."""
    found, true = found[ids], ARRAYS.labels[ids]
    recalls, f1 = {}, []
    for k, name in enumerate(ARRAYS.class_names):
        hits = ((found == k) & (true == k)).sum()
        recalls[name] = hits / (true == k).sum()
        f1.append(2 * hits / ((found == k).sum() + (true == k).sum()))
    return {
        "nodes": len(ids),
        "accuracy": pytest.approx((found == true).mean()),
        "macro_f1": pytest.approx(np.mean(f1)),
        "recall": pytest.approx(recalls),
    }


@pytest.mark.parametrize("nodes", ["train", "test", "all"])
def test_scores_are_those_by_hand(data, hypersage, nodes):
    ids = np.arange(90) if nodes == "all" else getattr(ARRAYS.splits[0], nodes)
    done = hypersage(
        *("evaluate", "own-model", "--hypergraph", "recipes.npz", "--part", nodes, "--json")
    )
    assert done.code == 0
    found = predicted(hypersage)
    assert json.loads(done.out) == {
        "checkpoint": "own-model",
        "data": "recipes.npz",
        "nodes": nodes,
        "all": by_hand(found, ids),
        "connected": by_hand(found, ids[CONNECTED[ids]]),
    }
    assert 0 < CONNECTED.sum() < 90


def test_the_table_says_the_same_as_the_json(data, hypersage):
    words = ("evaluate", "own-model", "--hypergraph", "recipes.npz")
    text, document = hypersage(*words).out, json.loads(hypersage(*words, "--json").out)
    for kind in ("all", "connected"):
        row = re.search(rf"^{kind} +(\S+) +(\S+) +(\S+)$", text, re.M).groups()
        s = document[kind]
        assert row == (f"{100 * s['accuracy']:.2f}", f"{100 * s['macro_f1']:.2f}", f"{s['nodes']}")
    for name in ARRAYS.class_names:
        row = re.search(rf"^{name} +(\S+) +(\S+)$", text, re.M).groups()
        assert row == tuple(
            f"{100 * document[k]['recall'][name]:.2f}" for k in ("all", "connected")
        )
    assert text.splitlines()[-1] == f"test accuracy (full): {100 * document['all']['accuracy']:.2f}"


def test_train_and_evaluate_print_the_same_accuracy(data, hypersage):
    words = ("--hypergraph", "recipes.npz", "--split", "2")
    trained = hypersage("train", *words, "--epochs", "5", "--out", "new").out
    line = next(line for line in trained.splitlines() if line.startswith("test accuracy (full)"))
    assert hypersage("evaluate", "new", *words).out.splitlines()[-1] == line
    chunks = hypersage("evaluate", "new", *words, "--batch-size", "11")
    assert chunks.out.splitlines()[-1] == line


def test_classes_are_matched_by_name(data, hypersage):
    # The same hypergraph with its classes numbered the other way round.
    graph = DATA.to_dgl()
    labels = graph.nodes["node"].data["label"]
    graph.nodes["node"].data["label"] = 2 - labels
    write_folder(Named(graph, NODES, class_names=ARRAYS.class_names[::-1]), "reversed")
    texts = [
        hypersage("evaluate", "own-model", "--hypergraph", name).out.splitlines()[1:]
        for name in ("recipes.npz", "reversed")
    ]
    assert texts[0] == texts[1]


def test_some_nodes_without_a_class(data, hypersage):
    document = hif_document()
    for record in document["nodes"][:30]:
        del record["attrs"]["kind"]
    (data / "part.json").write_text(json.dumps(document))
    words = ("--hypergraph", "part.json", "--label", "kind")
    done = hypersage("evaluate", "hif-model", *words, "--part", "all", "--json")
    assert json.loads(done.out)["all"]["nodes"] == 60
    done = hypersage("evaluate", "hif-model", *words, "--split", "random", "--json")
    assert json.loads(done.out)["all"]["nodes"] == 15


def test_no_connected_node_and_a_class_without_node(data, hypersage):
    ids = np.flatnonzero(~CONNECTED)
    only = ids[ARRAYS.labels[ids] == ARRAYS.labels[ids[0]]]
    sizes = np.array([[0, 0, len(only)]])
    path = labelled(data, split_ids=only, split_sizes=sizes)
    words = ("evaluate", "own-model", "--hypergraph", path)
    document = json.loads(hypersage(*words, "--json").out)
    assert document["connected"] is None
    assert sum(recall is not None for recall in document["all"]["recall"].values()) == 1
    assert re.search(r"^class \d +-$", hypersage(*words).out, re.M)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("own-model", "--dataset", "debian"), "which the model does not know; it knows class 0"),
        (("own-model", "--dataset", "synthetic"), "class 3, which the model does not know"),
        (("own-model", "--hypergraph", "recipes.npz", "--part", "val"), "no node to score"),
        (("own-model", "--hypergraph", "recipes.npz", "--split", "3"), "has the splits 1 to 2"),
        (
            ("hif-model", "--hypergraph", "recipes.json", "--label", "w"),
            "no node has the attribute",
        ),
        (("hif-model", "--hypergraph", "recipes.json", "--label", "word 00"), "is of class '1'"),
        (("nothing", "--hypergraph", "recipes.npz"), "nothing holds no checkpoint"),
        (("nameless", "--hypergraph", "recipes.npz"), "none of the model's 2 classes"),
    ],
)
def test_what_cannot_be_scored(data, fails, words, said):
    save_checkpoint("nameless", HyperSAGE(12, 4, 2))
    assert said in fails("evaluate", *words)
