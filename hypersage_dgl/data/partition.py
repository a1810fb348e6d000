"""Cut a labelled hypergraph into parts for several machines, by METIS."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import dgl
import torch

from .._utils import PathLike, locked, read_record, require_count, to_json, write_text
from ..hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    NODE,
    WITH_SELF,
    WITHOUT_SELF,
    num_neighbors,
    one_thread,
)
from .labelled import LabelledHypergraph

# What DGL calls the graph, and so the file that describes its parts.
GRAPH, ABOUT = "hypergraph", "about.json"
TEXTS = {"type": "array", "items": {"type": "string"}}
COUNT = {"type": "integer"}
SCHEMA = {
    "type": "object",
    "required": ["name", "classes", "outputs", "features", "feature_names", "parts"],
    "properties": {
        "name": {"type": "string"},
        "classes": TEXTS,
        "outputs": COUNT,
        "features": COUNT,
        "feature_names": TEXTS,
        "parts": COUNT,
    },
}


def partition(
    data: LabelledHypergraph,
    folder: PathLike,
    parts: int = 2,
    *,
    neighbors: str = "sketch",
    seed: int = 0,
) -> Path:
    """Cut a hypergraph into parts that DGL's servers load, one for each machine.

    METIS cuts as few incidences as it can while every part gets its share of training nodes, other
    nodes and hyperedges. Each part holds, for its nodes, ``feat`` (dense float32), ``label``,
    ``train_mask``, ``val_mask``, ``test_mask`` of the first split, ``degree``, |N(v)| as
    ``num_neighbors`` (without v: ``num_others``) and ``original_id``, since ids are renumbered;
    for its hyperedges ``size`` and, where there are any, ``weight`` and ``feat``.

    Parameters
    ----------
    data
        With features, labels and a split.
    folder
        Where to write; must not hold parts already.
    parts
        Number of machines.
    neighbors
        How to count |N(v)|, see :func:`~hypersage_dgl.num_neighbors`.
    seed
        Of METIS.

    Returns
    -------
    Path
        The file that describes the parts, for ``dgl.distributed.DistGraph(part_config=...)``.

    Examples
    --------
    >>> import tempfile
    >>> from hypersage_dgl.data import load
    >>> folder = tempfile.mkdtemp()
    >>> partition(load("synthetic"), folder, 2).name
    'hypergraph.json'
    >>> read_about(folder)["classes"]
    ['class 0', 'class 1', 'class 2', 'class 3']
    """
    parts, folder = require_count(parts, "parts"), Path(folder)
    config = folder / f"{GRAPH}.json"
    if config.exists():
        raise FileExistsError(f"{folder} holds parts already; name another folder")
    data.require_feat()
    data.require_labels()
    if not data.splits or len(data.splits[0].train) == 0:
        raise ValueError(f"{data.name} has no training nodes; give it a split with some")
    if parts > data.num_nodes:
        raise ValueError(f"parts is {parts} for {data.num_nodes} nodes; give each part some")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder, "partition"):
        _write(data, folder, parts, neighbors, seed)
    return config


def _write(data: LabelledHypergraph, folder: Path, parts: int, neighbors: str, seed: int) -> None:
    graph = _with_all(data, neighbors)
    is_train = graph.nodes[NODE].data["train_mask"]
    # DGL asks for classes that all occur.
    balance = {NODE: is_train.int()} if bool((~is_train).any()) else {}
    # Where the log of METIS would go, which says nothing to a user.
    with redirect_stdout(io.StringIO()), one_thread(), warnings.catch_warnings():
        # DGL leaves a file open.
        warnings.simplefilter("ignore", ResourceWarning)
        dgl.random.seed(seed)
        dgl.distributed.partition_graph(
            graph, GRAPH, parts, str(folder), balance_ntypes=balance, graph_formats=["coo", "csc"]
        )
    about = {
        "name": data.name,
        "classes": list(data.class_names),
        "outputs": data.num_classes,
        "features": data.num_feats,
        "feature_names": list(data.feature_names),
        "parts": parts,
    }
    write_text(folder / ABOUT, to_json(about) + "\n")


def read_about(folder: PathLike) -> dict[str, Any]:
    """What :func:`partition` noted of the data: name, classes, width of features, parts."""
    path = Path(folder) / ABOUT
    if not path.exists():
        raise FileNotFoundError(f"{folder} holds no parts; write them with hypersage partition")
    return read_record(path, SCHEMA, "description of parts")


def _with_all(data: LabelledHypergraph, neighbors: str) -> dgl.DGLGraph:
    graph = data.to_dgl()
    nodes, hyperedges = graph.nodes[NODE].data, graph.nodes[HYPEREDGE].data
    counts = num_neighbors(data.graph, method=neighbors)
    # As of now, and not as they were before some change of the graph.
    nodes["degree"] = graph.in_degrees(etype=CONTAINS).long()
    hyperedges["size"] = graph.in_degrees(etype="in").long()
    nodes[WITH_SELF], nodes[WITHOUT_SELF] = counts, counts - (nodes["degree"] > 0).to(counts.dtype)
    nodes["original_id"] = torch.arange(data.num_nodes)
    return graph
