"""What the options make of a hypergraph: its classes, and the nodes that are for what."""

from __future__ import annotations

import json

import pytest
import torch

from hypersage_dgl.cli.command import make_parser
from hypersage_dgl.cli.task import about_of, make_task
from hypersage_dgl.convert import Named, write_folder
from hypersage_dgl.data import HypergraphDataset, load_dataset
from hypersage_dgl.training import load_checkpoint

from .own_data import ARRAYS, DATA, NODES, hif_document

SPLITS = (
    (("--split", "2"), {"split": 2}),
    (("--split", "random", "--seed", "4"), {"split": "random", "seed": 4}),
    (("--val-fraction", "0.3", "--seed", "4"), {"val_fraction": 0.3, "seed": 4}),
)


def task_of(*words):
    return make_task(make_parser().parse_args(["train", *words]))


def noted(*words):
    args = make_parser().parse_args(["train", *words])
    return json.dumps(about_of(make_task(args), args).statistics)


@pytest.mark.parametrize(("options", "wanted"), SPLITS)
def test_splits_are_those_of_the_library(data, options, wanted):
    for words, dataset in (
        (("--dataset", "synthetic"), load_dataset("synthetic", **wanted)),
        (("--hypergraph", "recipes.npz"), HypergraphDataset(DATA, **wanted)),
    ):
        for found, ids in zip(task_of(*words, *options).splits[0], dataset.split):
            assert found.tolist() == ids.tolist()


def test_a_data_set_is_that_of_the_library(place):
    task, dataset = (
        task_of("--dataset", "synthetic", "--seed", "3"),
        load_dataset("synthetic", seed=3),
    )
    assert torch.equal(task.labels, dataset.labels)
    assert torch.equal(task.feat.to_dense(), dataset[0].nodes["node"].data["feat"])
    for etype in ("in", "contains"):
        for found, ids in zip(task.graph.edges(etype=etype), dataset.structure.edges(etype=etype)):
            assert torch.equal(found, ids)


def test_a_random_split_is_among_nodes_with_a_class(data):
    document = hif_document()
    for record in document["nodes"][::2]:
        del record["attrs"]["kind"]
    (data / "part.json").write_text(json.dumps(document))
    task = task_of("--hypergraph", "part.json", "--label", "kind", "--split", "random")
    assert sorted(torch.cat(task.splits[0]).tolist()) == list(range(1, 90, 2))
    assert [len(ids) for ids in task.splits[0]] == [22, 11, 12]
    assert (task.labels >= 0).tolist() == [i % 2 == 1 for i in range(90)]


def test_an_attribute_can_go_before_the_stored_labels(data):
    graph = DATA.to_dgl()
    write_folder(Named(graph), "plain")
    assert task_of("--hypergraph", "plain").class_names == ("0", "1", "2")
    with pytest.raises(ValueError, match="no node has the attribute 'kind'"):
        task_of("--hypergraph", "plain", "--label", "kind")


def test_every_difference_of_the_data_changes_what_a_checkpoint_notes(data):
    notes = {
        noted("--hypergraph", "recipes.npz", *words)
        for words in ((), ("--split", "2"), ("--split", "random"))
    }
    assert len(notes) == 3
    graph = DATA.to_dgl()
    data_of = {"node": graph.nodes["node"].data, "hyperedge": graph.nodes["hyperedge"].data}
    for part, change in (
        ("node", {}),
        ("node", {"feat": data_of["node"]["feat"] + 1}),
        ("node", {"label": 2 - data_of["node"]["label"]}),
        ("hyperedge", {"weight": torch.ones(60)}),
        ("hyperedge", {"weight": torch.full((60,), 2.0)}),
    ):
        data_of[part].update(change)
        write_folder(Named(graph), "changed")
        notes.add(noted("--hypergraph", "changed"))
    assert len(notes) == 8


def folder(**data_of_nodes):
    graph = DATA.to_dgl()
    graph.nodes["node"].data.update(data_of_nodes)
    write_folder(Named(graph, NODES), "folder")


def test_what_does_not_fit_together_in_a_folder(place, fails):
    words = ("train", "--hypergraph", "folder", "--epochs", "1")
    folder(label=torch.full((90,), -1))
    assert "node 'recipe 1' is in the split of folder but has no class" in fails(*words)
    folder(label=torch.zeros(90, 3))
    assert "labels of folder have the shape (90, 3)" in fails(*words)
    folder(val_mask=torch.ones(90, dtype=torch.bool))
    assert "split 1 of folder lists node 0 2 times" in fails(*words)
    folder(feat=torch.ones(90))
    assert "the features have the shape (90,), but folder has 90 nodes" in fails(*words)


def test_weights_of_hyperedges_are_used(data, hypersage):
    graph = DATA.to_dgl()
    texts = []
    for weight in (torch.ones(60), torch.arange(60) + 1.0):
        graph.nodes["hyperedge"].data["weight"] = weight
        write_folder(Named(graph, NODES, class_names=ARRAYS.class_names), "weighted")
        texts.append(hypersage("predict", "own-model", "--hypergraph", "weighted").out)
    same = hypersage("predict", "own-model", "--hypergraph", "saved").out
    assert [line.split(",")[:2] for line in texts[0].splitlines()] == [
        line.split(",")[:2] for line in same.splitlines()
    ]
    assert texts[1] != texts[0]


def test_columns_of_hyperedges_are_scaled_and_found_by_name(data, hypersage):
    edges = [f"e{i},{1900 + 7 * i},{i % 2}" for i in range(60)]
    (data / "venues.csv").write_text("\n".join(["hyperedge,founded,open", *edges]))
    own = ("--incidences", "memberships.csv", "--nodes", "nodes.csv", "--label", "topic")
    own += ("--ignore", "text")
    words = ("train", *own, "--hyperedges", "venues.csv", "--hyperedge-features", "--epochs", "2")
    done = hypersage(*words, "--out", "of-venues", "--no-report")
    assert done.code == 0, done
    assert "by hyperedges scaled to 0 to 1: founded" in done.err
    noted = load_checkpoint("of-venues").about.training["hyperedge_columns"]
    last = 1900 + 7 * (len(edges) - 1)
    assert noted == {"founded": [1900, last, pytest.approx((1900 + last) / 2)], "open": None}
    # A column more, another order of columns and rows: the same hyperedges.
    mixed = [",".join(reversed([*line.split(","), "5"])) for line in reversed(edges)]
    (data / "mixed.csv").write_text("\n".join(["area,open,founded,hyperedge", *mixed]))
    scores = [
        hypersage("evaluate", "of-venues", *own, "--hyperedges", file).out
        for file in ("venues.csv", "mixed.csv")
    ]
    assert scores[0] == scores[1] != ""
    assert done.out.splitlines()[-2] in scores[0]
    lacking = hypersage("evaluate", "of-venues", *own)
    assert (lacking.code, "--hyperedges FILE is the table" in lacking.err) == (1, True)
    raw = hypersage(*words, "--out", "raw", "--no-report", "--no-scale")
    assert raw.code == 0, raw
    assert load_checkpoint("raw").about.training["hyperedge_columns"] == {
        "founded": None,
        "open": None,
    }


def test_columns_of_numbers_are_scaled_by_the_training_nodes(data, hypersage):
    lines = (data / "nodes.csv").read_text().splitlines()
    years = ["year", *(str(1500 + 10 * i) for i in range(len(NODES)))]
    (data / "years.csv").write_text("\n".join(f"{a},{b}" for a, b in zip(lines, years)))
    own = ("--incidences", "memberships.csv", "--nodes", "years.csv", "--label", "topic")
    own += ("--ignore", "text")
    task, raw = task_of(*own), task_of(*own, "--no-scale")
    column = task.feature_names.index("year")
    year, before = (t.feat.to_dense()[:, column] for t in (task, raw))
    train = task.part("train")
    assert (float(year[train].min()), float(year[train].max())) == (0, 1)
    low, high = before[train].min(), before[train].max()
    assert torch.allclose(year, (before - low) / (high - low))
    words = ("train", *own, "--epochs", "2", "--out", "model-of-tables", "--no-report")
    done = hypersage(*words)
    said = "note: by training nodes scaled to 0 to 1: year; --no-scale leaves columns alone\n"
    assert said in done.err
    again = hypersage(*words, "--resume", "--epochs", "3")
    assert again.code == 0, again
    # As scored by the training: evaluation and prediction scale alike.
    tested = [line for line in again.out.splitlines() if line.startswith("test accuracy")]
    scored = hypersage("evaluate", "model-of-tables", *own)
    assert scored.out.splitlines()[-1] == tested[0]
    assert said not in scored.err
    assert hypersage("predict", "model-of-tables", *own[:4], *own[6:]).code == 0
