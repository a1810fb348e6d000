"""``hypersage convert``: round trips keep what both forms hold, and losses are named."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.commands.convert import losses
from hypersage_dgl.convert import read_folder, read_hif, to_hyperedges, write_hif
from hypersage_dgl.data import LabelledHypergraph

from ..conftest import powerless
from ..own_data import ARRAYS, NODES, incidence_matrix


def members(path):
    """Hyperedges of a HIF file by name, each with its members by name."""
    named = read_hif(path)
    return {
        edge: frozenset(nodes) for edge, nodes in zip(named.hyperedge_names, to_hyperedges(named))
    }


CONNECTED = [name for i, name in enumerate(NODES) if i in set(ARRAYS.node_ids.tolist())]


@pytest.mark.parametrize(
    "middle", ["there.json", "there.json.gz", "there.csv", "there.csv.gz", "there"]
)
def test_there_and_back_keeps_names_and_members(data, hypersage, middle):
    assert hypersage("convert", "recipes.json", middle).code == 0
    done = hypersage("convert", middle, "back.json")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert members("back.json") == members("recipes.json")
    kept = set(read_hif("back.json").node_names)
    assert kept == set(CONNECTED if ".csv" in middle else NODES)


@pytest.mark.parametrize("middle", ["there.json", "there.npz", "there"])
def test_there_and_back_keeps_the_matrix(data, hypersage, middle):
    assert hypersage("convert", "incidence.npz", middle).code == 0
    assert hypersage("convert", middle, "back.npz").code == 0
    back = sparse.load_npz("back.npz")
    assert back.shape == (90, 60)
    assert (back != incidence_matrix()).nnz == 0


def test_weights_of_incidences_survive(data, hypersage):
    weighted = incidence_matrix()
    weighted.data = np.arange(1, weighted.nnz + 1) / 4
    sparse.save_npz("weighted.npz", weighted)
    for target, source in (("a.csv", "weighted.npz"), ("b.json", "weighted.npz"), ("c", "b.json")):
        assert hypersage("convert", source, target).code == 0
    assert hypersage("convert", "c", "back.npz").code == 0
    assert (sparse.load_npz("back.npz") != weighted).nnz == 0
    lines = (data / "a.csv").read_text().splitlines()
    assert lines[0] == "node,hyperedge,weight"
    assert len(lines) == weighted.nnz + 1


def test_a_labelled_file_becomes_a_folder_with_all_tensors(data, hypersage):
    done = hypersage("convert", "recipes.npz", "folder")
    assert (done.code, done.err) == (
        0,
        "hypersage convert: note: folder does not hold the splits after the first\n",
    )
    tensors = read_folder("folder").graph.nodes["node"].data
    assert torch.equal(tensors["feat"], torch.from_numpy(ARRAYS.features.toarray()))
    assert tensors["label"].tolist() == ARRAYS.labels.tolist()
    assert tensors["train_mask"].nonzero().flatten().tolist() == ARRAYS.splits[0].train.tolist()
    texts = [
        hypersage("evaluate", "own-model", "--hypergraph", name).out.splitlines()
        for name in ("recipes.npz", "folder")
    ]
    assert texts[0][0] == "recipes.npz"
    assert texts[0][1:] == texts[1][1:]


@pytest.mark.parametrize(
    ("source", "target", "lost"),
    [
        ("recipes.json", "a.csv", ["the attributes", f"the {90 - len(CONNECTED)} isolated nodes"]),
        ("recipes.json", "a.npz", ["the attributes", "the names"]),
        ("recipes.json", "a", []),
        ("recipes.npz", "a.json", ["the features", "the split of the nodes"]),
        ("saved", "a.npz", ["the features", "the split of the nodes", "the classes", "the names"]),
        ("incidence.npz", "a.json", []),
    ],
)
def test_what_is_left_behind_is_named(data, hypersage, source, target, lost):
    done = hypersage("convert", source, target)
    assert done.code == 0
    prefix = "hypersage convert: note: "
    assert all(line.startswith(prefix) for line in done.err.splitlines())
    assert [line.split(" does not hold ")[1] for line in done.err.splitlines()] == lost


def test_classes_become_hif_attributes(data, hypersage):
    assert hypersage("convert", "recipes.npz", "a.json").code == 0
    attributes = read_hif("a.json").attributes.nodes
    labels = [attributes[i]["label"] for i in range(90)]
    assert labels == [ARRAYS.class_names[k] for k in ARRAYS.labels]


def test_from_and_to_go_before_suffixes(data, hypersage):
    (data / "authors.txt").write_text("author,paper\nann,x\nbob,x\nbob,y\n")
    words = ("--from", "csv", "--node", "author", "--hyperedge", "paper", "--to", "hif")
    assert hypersage("convert", "authors.txt", "authors.dat", *words).code == 0
    assert members("authors.dat") == {"x": {"ann", "bob"}, "y": {"bob"}}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("recipes.json", "a.xml"), 2, "no form of hypergraph has the suffix '.xml'"),
        (("recipes.xml", "a.json"), 2, "no form of hypergraph has the suffix '.xml'"),
        (("recipes.json", "a.csv", "--to", "xml"), 2, "invalid choice: 'xml'"),
        (("nothing.json", "a.csv"), 1, "nothing.json: No such file"),
        (("nothing", "a.csv"), 1, "nothing holds no hypergraph"),
        (("recipes.json", "a.csv", "--from", "csv"), 1, "recipes.json, line 1"),
        (("words.npy", "a.csv", "--from", "npz"), 1, "words.npy holds the arrays []"),
        (("recipes.json", "own-model/log.csv/a.csv"), 1, "log.csv"),
    ],
)
def test_what_cannot_be_converted(data, hypersage, words, code, said):
    done = hypersage("convert", *words)
    assert done.code == code
    assert said in done.err
    assert not list(data.rglob("*.part"))


def test_truncated_hif_leaves_no_target(data, fails):
    (data / "cut.json").write_bytes((data / "recipes.json").read_bytes()[:-3])
    assert "the file is not JSON or is cut off" in fails("convert", "cut.json", "a.csv")
    assert not (data / "a.csv").exists()


def test_weights_of_hyperedges_are_not_lost_silently(data, fails):
    named = read_hif("recipes.json")
    named.graph.nodes["hyperedge"].data["weight"] = torch.full((60,), 2.0)
    write_hif(named, "weighted.json")
    for target in ("a.csv", "a.npz"):
        assert "has hyperedge weights" in fails("convert", "weighted.json", target)
        assert not (data / target).exists()


def test_no_permission(data, fails):
    (data / "locked").mkdir()
    (data / "locked" / "a.csv").write_text("as it was")
    with powerless(data / "locked"):
        for target in ("a.csv", "a.npz", "a.json", "a"):
            assert "Permission denied" in fails("convert", "saved", f"locked/{target}")
    assert [path.name for path in (data / "locked").iterdir()] == ["a.csv"]
    assert (data / "locked" / "a.csv").read_text() == "as it was"


@pytest.mark.parametrize("form", ["hif", "csv", "npz"])
def test_labels_and_numbers_that_a_form_does_not_hold_are_said(form):
    graph = hypergraph([[0, 1]])
    numbers = LabelledHypergraph(graph, numbers=torch.ones(2))
    rows = LabelledHypergraph(graph, labels=torch.eye(2).long())
    assert losses(numbers, form) == ["the numbers to learn"]
    assert losses(rows, form) == ["the labels"]
    assert losses(numbers, "folder") == losses(rows, "folder") == []
