"""The errors of the library are said in the options of the command: each rewording meets its text.

A reworded error of the library would pass unchanged, and name arguments that no user of the command
has; so every text that is replaced is raised here, by the library itself.
"""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.sources import COLUMNS, OPTIONS, options_for_arguments
from hypersage_dgl.convert import Attributes, from_scipy
from hypersage_dgl.data import LabelledHypergraph, choose_split, load, with_labels
from hypersage_dgl.data import with_features as featured
from hypersage_dgl.drawing import draw_neighbourhood

LABEL = "label=KEY"


def labelled(nodes=2, names=(), **fields):
    graph = hypergraph([list(range(nodes))])
    return LabelledHypergraph(graph, names, **fields)


def matrix_for_names(folder):
    np.save(folder / "feat.npy", np.ones((2, 1), dtype=np.float32))
    featured(labelled(names=("ann", "bob")), folder / "feat.npy")


def large_id(folder):
    from_scipy(sparse.coo_matrix(([1.0], ([0], [0])), shape=(30_000_000, 1)))


def large_text(folder):
    packed = gzip.compress(b"node,hyperedge\n" + b"0,0\n" * 100_000)
    (folder / "long.csv.gz").write_bytes(packed)
    load(folder / "long.csv.gz", max_bytes=10)


def large_arrays(folder):
    sparse.save_npz(folder / "long.npz", sparse.csr_matrix(np.ones((1000, 100))))
    load(folder / "long.npz", max_bytes=10)


def other_columns(folder):
    (folder / "other.csv").write_text("who,club\nann,x\n")
    load(folder / "other.csv")


def several_classes(folder):
    with_labels(labelled(attributes=Attributes(nodes={0: {"kind": ["a", "b"]}})), "kind")


def no_split(folder):
    choose_split(1, (), torch.tensor([0, 1]), num_nodes=2)


RAISES = {
    "features=FILE.npz": lambda folder: featured(labelled()),
    "features=FILE.csv": matrix_for_names,
    "the nodes have []": lambda folder: with_labels(labelled(), "kind"),
    LABEL: lambda folder: with_labels(labelled(), "kind"),
    "(for several classes a node give rows of 0 and 1 as labels of a LabelledHypergraph)": (
        several_classes
    ),
    "heading=False": other_columns,
    COLUMNS: other_columns,
    "max_bytes=": large_arrays,
    "max_bytes": large_text,
    "with id_factor": large_id,
    "no splits of its own": no_split,
    "split is ": no_split,
    ". Other values are 'random', 'stratified' and a Split of your own node ids": no_split,
    "alpha members of each hyperedge, beta hyperedges": (
        lambda folder: draw_neighbourhood(labelled(300), 0)
    ),
}
WORDS = {**OPTIONS, LABEL: "--label KEY", COLUMNS: "--node and --hyperedge"}
ARGUMENT = re.compile(r"\b[a-z_]+=|max_bytes|id_factor|LabelledHypergraph")


def test_every_text_that_is_replaced_is_raised_below():
    assert set(RAISES) == set(WORDS)


@pytest.mark.parametrize("text", RAISES)
def test_the_library_says_it_and_the_command_says_its_options(text, tmp_path):
    with pytest.raises(ValueError, match=re.escape(text)):
        RAISES[text](tmp_path)
    with pytest.raises(ValueError, match=r".") as said, options_for_arguments():
        RAISES[text](tmp_path)
    assert WORDS[text] in str(said.value)
    assert not ARGUMENT.search(str(said.value))
