"""Open a hypergraph, whatever form it has, with all that came with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Callable

import torch
from torch import Tensor

from .._utils import csr_from_scipy
from ..convert import Named, from_scipy, read_csv, read_folder, read_hif
from ..data import HypergraphArrays, Split, debian_names, load_dataset
from ..hypergraphs import NODE, hypergraph_from_incidence
from .errors import UsageError
from .npz import array_names, is_matrix, read_matrix

SUFFIXES: Mapping[str, str] = MappingProxyType({".json": "hif", ".csv": "csv", ".npz": "npz"})
FORMS = (*SUFFIXES.values(), "folder")
MASKS = ("train_mask", "val_mask", "test_mask")


@dataclass(frozen=True)
class Source:
    """A hypergraph with names, and with features, classes and splits as far as it has them.

    Classes are the node data ``label`` of the graph, -1 where a node has none.
    """

    name: str
    named: Named
    feat: Tensor | None = None
    feature_names: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()


def open_dataset(name: str, data_dir: str | None = None, seed: int = 0) -> Source:
    """Open a data set by its name."""
    arrays = load_dataset(name, data_dir=data_dir, seed=seed).arrays
    if name != "debian":
        return _of_arrays(name, arrays)
    names = debian_names()
    return _of_arrays(name, arrays, names.packages, names.words)


def open_file(
    path: Path, form: str | None = None, node: str = "node", hyperedge: str = "hyperedge"
) -> Source:
    """Open a file or folder of a form of ``FORMS``, by default the one that its suffix tells.

    ``node`` and ``hyperedge`` say what the columns of a CSV file are called.
    """
    form = form or form_of(path)
    if form == "csv":
        return Source(path.name, read_csv(path, node=node, hyperedge=hyperedge))
    return _READERS[form](path)


def form_of(path: Path) -> str:
    """Tell the form by the suffix.

    Examples
    --------
    >>> form_of(Path("recipes.json.gz")), form_of(Path("recipes"))
    ('hif', 'folder')
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if path.is_dir() or not suffix:
        return "folder"
    if suffix not in SUFFIXES:
        raise UsageError(
            f"{path}: no form of hypergraph has the suffix {suffix!r}; there are .json (HIF), .csv "
            "and .npz, the first two also with .gz, and folders; `hypersage convert` takes other "
            "names with --from and --to"
        )
    return SUFFIXES[suffix]


def _read_npz(path: Path) -> Source:
    if is_matrix(path):
        return Source(path.name, from_scipy(read_matrix(path)))
    names = array_names(path)
    if "hyperedge_ids" not in names:
        raise ValueError(
            f"{path} holds the arrays {sorted(names)}; a hypergraph is a sparse incidence matrix "
            "(scipy.sparse.save_npz) or a labelled one (hypersage_dgl.data.HypergraphArrays.save)"
        )
    arrays = HypergraphArrays.load(path)
    try:
        return _of_arrays(path.name, arrays)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _of_arrays(
    name: str,
    arrays: HypergraphArrays,
    node_names: tuple[str, ...] = (),
    feature_names: tuple[str, ...] = (),
) -> Source:
    graph = hypergraph_from_incidence(
        arrays.node_ids, arrays.hyperedge_ids, arrays.num_nodes, arrays.num_hyperedges
    )
    graph.nodes[NODE].data["label"] = torch.from_numpy(arrays.labels.copy())
    return Source(
        name,
        Named(graph, node_names, class_names=arrays.class_names),
        csr_from_scipy(arrays.features),
        feature_names,
        arrays.splits,
    )


def _read_folder(path: Path) -> Source:
    named = read_folder(path)
    data = named.graph.nodes[NODE].data
    splits: tuple[Split, ...] = ()
    if "train_mask" in data:
        none = torch.zeros(len(named.node_names), dtype=torch.bool)
        masks = (data.get(mask, none) for mask in MASKS)
        splits = (Split(*(mask.nonzero().flatten().numpy() for mask in masks)),)
    return Source(path.name, named, data.get("feat"), splits=splits)


def _read_hif(path: Path) -> Source:
    return Source(path.name, read_hif(path))


_READERS: Mapping[str, Callable[[Path], Source]] = MappingProxyType(
    {"hif": _read_hif, "npz": _read_npz, "folder": _read_folder}
)
