"""Good files of every form, small, from which the attack starts."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import json_digest
from hypersage_dgl.convert import Attributes, Named, to_hif_dict, write_folder
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
from hypersage_dgl.training import PREDICTION, About, FullGraph, fit, save_checkpoint

CSV = "node,hyperedge,weight\nann,x,1\nbob,x,2.5\nbob,y,1\ncy,y,0.5\n"
IDS = "node,hyperedge\n0,0\n1,0\n1,1\n2,1\n"
MEMBERS = [[0, 1, 2], [2, 3], [0]]


def labelled(kind: int = 0) -> LabelledHypergraph:
    graph = hypergraph(MEMBERS, 5, hyperedge_weight=[1.0, 2.0, 0.5])
    feat: Any = np.eye(5, 3, dtype=np.float32)
    labels: Any = [0, 1, 1, 0, -1]
    classes: tuple[str, ...] = ("red", "blue")
    if kind == 1:
        feat, labels, classes = sparse.csr_matrix(feat), np.eye(5, 2, dtype=np.int64), ()
    nodes = {0: {"age": 4, "label": "a"}, 2: {"age": 7.5, "field": "x"}}
    return LabelledHypergraph(
        graph,
        ("a", "b", "c", "d", 9),
        ("x", "y", 7),
        classes,
        Attributes(network={"title": "t"}, nodes=nodes),
        name="good",
        feat=feat,
        feature_names=("f", "g", "h"),
        labels=torch.as_tensor(labels),
        splits=[Split([0, 1], [2], [3])],
    )


def hif() -> dict[str, Any]:
    document = to_hif_dict(Named(hypergraph(MEMBERS, 5), "abcde", "xyz"))
    document["nodes"][0]["attrs"] = {"age": 3, "label": "red"}
    document["nodes"][1]["weight"] = 2
    document["incidences"][0]["weight"] = 0.5
    document["incidences"][1]["direction"] = "head"
    return document


@cache
def parquet() -> bytes | None:
    """A table in Parquet; None where there is no pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet as writer
    except ImportError:
        return None
    columns = {
        "node": ["ann", "bob", "bob", None],
        "hyperedge": ["x", "x", "y", "y"],
        "weight": [1.0, 2.5, 1.0, 0.5],
        "age": [40, 30, None, 20],
        "tags": [["a"], [], ["b", "a"], None],
    }
    content = io.BytesIO()
    writer.write_table(pyarrow.table(columns), content)
    return content.getvalue()


def matrix() -> sparse.csr_matrix:
    return sparse.csr_matrix(np.array([[1, 0, 2.0], [1, 1, 0], [0, 0, 1], [0, 0, 0]]))


@dataclass(frozen=True)
class Folder:
    """The files of a saved folder, by name."""

    record: str
    files: dict[str, bytes]

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.files[self.record])
        return found

    def write(self, place: Path, document: Any, digest: bool = True, **changes: bytes) -> None:
        """The same with another record, with the digest that it needs, and other files."""
        if digest and isinstance(document, dict):
            document = {k: v for k, v in document.items() if k != "sha256"}
            document["sha256"] = json_digest(document)
        for name, content in {**self.files, **changes}.items():
            (place / name).write_bytes(content)
        (place / self.record).write_text(json.dumps(document))


@cache
def saved() -> Folder:
    with tempfile.TemporaryDirectory() as place:
        write_folder(labelled(), place)
        return _folder(place, "hypergraph.json")


@cache
def checkpoint() -> Folder:
    model = HyperSAGE(3, 4, 2)
    with tempfile.TemporaryDirectory() as place:
        batches = FullGraph(*parts(), model=model)
        fit(model, batches, epochs=2, folder=place, progress=False)
        return _folder(place, "checkpoint.json")


RECIPE = {"hidden_feats": 8, "num_layers": 2, "p": [2.0, 1.0], "inter": "paper", "dropout": 0.2}
RECIPE |= {"lr": 0.01, "epochs": 4, "intra": "max", "learn_p": False, "node_weight": "equal"}
SPLIT = "node,split\na,train\nb,train\nc,val\nd,test\n"
CANDIDATES = "node,candidate\na,x\nb,x\nb,y\nc,y\nd,y\n"
ABOUT = {"name": "a", "classes": ["x", "y"], "outputs": 2, "features": 3, "parts": 1}
ABOUT |= {"feature_names": ["f", "g", "h"]}
HOSTS = "10.0.0.1\nhost-b 40000  # the other\n"
# AllSet's two forms of text, by the names of two sets whose files no SHA-256 pins.
ALLSET = {
    "zoo": {
        "zoo.content": "0,1,0,7\n1,0,1,5\n2,1,1,7\n3,9,9,5\n",
        "zoo.edges": "0,3\n2,3\n1,4\n2,4\n",
    },
    "house-committees": {
        "node-labels-house-committees.txt": "2\n1\n2\n5\n",
        "hyperedges-house-committees.txt": "1,2\n2,4\n1,2,4\n",
    },
}


@cache
def ranker() -> Folder:
    """A checkpoint of a model that scores sets of nodes."""
    model = HyperedgePredictor(HyperSAGE(3, 4, 2), CandidateScorer(2))
    with tempfile.TemporaryDirectory() as place:
        save_checkpoint(place, model, About(task=PREDICTION))
        return _folder(place, "checkpoint.json")


def parts() -> tuple[Any, ...]:
    data = labelled()
    return data.graph, data.feat, torch.tensor([0, 1, 1, 0, 0]), torch.tensor([0, 1, 2])


def _folder(place: str, record: str) -> Folder:
    files = [p for p in Path(place).iterdir() if not p.name.startswith(".")]
    return Folder(record, {p.name: p.read_bytes() for p in files})


@cache
def pickles() -> tuple[bytes, ...]:
    values = (
        {"train": [0, 2], "test": [1]},
        {0: [1, 2], "b": {3}},
        matrix(),
        np.arange(4),
        [np.int64(3), 2.5, None, ("a", 1)],
    )
    return tuple(pickle.dumps(v, protocol=p) for v in values for p in (0, 2, 4))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
