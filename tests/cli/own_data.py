"""One labelled hypergraph in every form that the command reads."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from plain_arrays import arrays_of
from scipy import sparse

from hypersage_dgl.convert import Named, write_folder
from hypersage_dgl.data import generate

DATA = generate(
    90,
    60,
    num_classes=3,
    num_feats=12,
    mean_size=3.0,
    max_size=8,
    feats_per_node=2,
    feature_noise=0.3,
    isolated=0.1,
    train_per_class=8,
    num_splits=2,
    seed=3,
)
ARRAYS = arrays_of(DATA)
NODES = tuple(f"recipe {i}" for i in range(90))
WORDS = tuple(f"word {i:02}" for i in range(12))


def hif_document() -> dict[str, object]:
    """HIF with words as attributes where they are not 0, and the class as attribute ``kind``."""
    dense = ARRAYS.features.toarray()
    nodes = []
    for i, name in enumerate(NODES):
        words = {WORDS[j]: float(dense[i, j]) for j in np.flatnonzero(dense[i])}
        kind = ARRAYS.class_names[ARRAYS.labels[i]]
        nodes.append({"node": name, "attrs": {**words, "kind": kind}})
    pairs = zip(ARRAYS.node_ids.tolist(), ARRAYS.hyperedge_ids.tolist())
    incidences = [{"node": NODES[v], "edge": f"e{e}"} for v, e in pairs]
    return {"incidences": incidences, "nodes": nodes}


def incidence_matrix() -> sparse.csr_matrix:
    ones = np.ones(len(ARRAYS.node_ids))
    triple = (ones, (ARRAYS.node_ids, ARRAYS.hyperedge_ids))
    return sparse.csr_matrix(triple, shape=(90, 60))


def write_all(folder: Path) -> None:
    """Write recipes.npz, .json, incidence.npz, the folder saved, and words as features."""
    DATA.save(folder / "recipes.npz")
    (folder / "recipes.json").write_text(json.dumps(hif_document()))
    sparse.save_npz(folder / "incidence.npz", incidence_matrix())
    sparse.save_npz(folder / "words.npz", ARRAYS.features)
    np.save(folder / "words.npy", ARRAYS.features.toarray().astype(np.float64))
    words = [",".join(("node", *WORDS))]
    for name, row in zip(NODES, ARRAYS.features.toarray().tolist()):
        words.append(",".join((name, *map(str, row))))
    # Another order than that of the hypergraph: names tell whose a row is.
    (folder / "words.csv").write_text("\n".join([words[0], *words[:0:-1]]))
    write_tables(folder)
    np.savez(folder / "one-array.npz", ARRAYS.features.toarray())
    write_folder(Named(DATA.to_dgl(), NODES, class_names=ARRAYS.class_names), folder / "saved")


def write_tables(folder: Path) -> None:
    """Write memberships.csv, separated by semicolons, and nodes.csv: kind, words and a text."""
    pairs = zip(ARRAYS.node_ids.tolist(), ARRAYS.hyperedge_ids.tolist())
    members = ["recipe;ingredient", *(f"{NODES[v]} ; e{e}" for v, e in pairs)]
    (folder / "memberships.csv").write_text("\n".join(members))
    dense = ARRAYS.features.toarray()
    rows = [",".join(("name", "topic", *WORDS, "text"))]
    for i, name in enumerate(NODES):
        text = " ".join(WORDS[j].replace(" ", "") for j in np.flatnonzero(dense[i]))
        kind = ARRAYS.class_names[ARRAYS.labels[i]]
        rows.append(",".join((name, kind, *map(str, dense[i].tolist()), text)))
    (folder / "nodes.csv").write_text("\n".join(rows))


def labelled(folder: Path, **changes: object) -> Path:
    """A copy of recipes.npz with other arrays."""
    with np.load(folder / "recipes.npz") as npz:
        arrays = {**npz, **changes}
    path = folder / "changed.npz"
    np.savez(path, **arrays)
    return path


def losses(log: Path) -> list[tuple[str, ...]]:
    """Epoch, loss and validation of each row of a log."""
    return [tuple(line.split(",")[:3]) for line in log.read_text().splitlines()[1:]]


def weights(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([value.detach().flatten() for value in model.state_dict().values()])
