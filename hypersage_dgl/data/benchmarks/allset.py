"""Read the data sets of AllSet (Chien et al., ICLR 2022): two forms of plain text, and yelp."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from ..._utils import IntArray, check_feat, refusing_damage
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from .allset_files import ALLSET, NOISES
from .locate import Folder, named_folder, read_cache_or_download, read_files
from .yelp import read_yelp, word_counter

# So wide AllSet makes the features of a set that has none.
WIDTH = 100


def load_allset(name: str, data_dir: Folder | None = None, seed: int = 0) -> LabelledHypergraph:
    """Load a data set of AllSet from where it is found first, as a benchmark is.

    Parameters
    ----------
    name
        A name of ``ALLSET``; ``walmart-trips`` and ``house-committees``, which have no features of
        their own, may be followed by a colon and the deviation of :func:`noisy_labels`.
    data_dir
        As in :func:`hypersage_dgl.data.load_dataset`.
    seed
        Decides the features where they are made.
    """
    stem, _, noise = name.partition(":")
    source = ALLSET[stem]
    folder = named_folder(source, data_dir)
    if folder is not None:
        contents = read_files(source, folder)
    else:
        contents = read_cache_or_download(source, source.origin.base_url)
    # Of some sets no SHA-256 is known, so these may be anyone's files.
    where = name if folder is None else f"{name} in {folder}"
    counter = word_counter() if name == "yelp" else None
    with refusing_damage(f"the files of {where} are not as AllSet has them", "copy them again"):
        files = {file: _text(content, file) for file, content in contents.items()}
        if counter is not None:
            return read_yelp(files, counter)
        if f"{stem}.content" in files:
            return _read_content(files, name)
        return _read_lists(files, name, float(noise or NOISES[0]), seed)


def noisy_labels(
    labels: IntArray, noise: float, rng: np.random.Generator, width: int | None = None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Features that AllSet makes: the class as one-hot row, plus Gaussian noise in every column.

    ``width`` columns, of which those beyond the classes hold noise alone; by default a column for
    each class.

    Examples
    --------
    >>> noisy_labels(np.array([1, 0]), 0.0, np.random.default_rng(0), width=3)
    array([[0., 1., 0.],
           [1., 0., 0.]])
    """
    columns = int(labels.max(initial=-1)) + 1 if width is None else width
    return np.eye(columns)[labels] + noise * rng.normal(size=(len(labels), columns))


def _read_content(files: Mapping[str, str], name: str) -> LabelledHypergraph:
    """Read ``NAME.content`` (id, features, class) and ``NAME.edges`` (node, hyperedge).

    Hyperedges are numbered after the nodes, and rows of the first file beyond the nodes are theirs.
    """
    pairs = np.loadtxt(_lines(files[f"{name}.edges"]), dtype=np.int64, ndmin=2)
    if pairs.shape[1] != 2:
        raise ValueError(f"{name}.edges has {pairs.shape[1]} columns; it must have two")
    count, last = int(pairs[:, 1].min()), int(pairs[:, 1].max())
    if last - count >= len(pairs):
        raise ValueError(f"{name}.edges numbers hyperedges from {count} to {last}, with a gap")
    rows = np.loadtxt(_lines(files[f"{name}.content"]), ndmin=2)
    # Lines are in any order.
    rows = rows[np.argsort(rows[:, 0])][:count]
    if len(rows) != count or not np.array_equal(rows[:, 0], np.arange(count)):
        raise ValueError(
            f"{name}: the ids of {name}.content are not those of the {count} nodes of "
            f"{name}.edges; copy both files again"
        )
    feat = torch.from_numpy(rows[:, 1:-1]).float()
    check_feat(feat, finite=True)
    return LabelledHypergraph(
        hypergraph_from_incidence(pairs[:, 0], pairs[:, 1] - count, num_nodes=count),
        name=name,
        feat=feat,
        labels=torch.from_numpy(_classes(rows[:, -1])),
    )


def _read_lists(files: Mapping[str, str], name: str, noise: float, seed: int) -> LabelledHypergraph:
    """Read a line of nodes, counted from 1, for each hyperedge, and a class for each node."""
    stem = name.partition(":")[0]
    classes = _classes(np.array(_lines(files[f"node-labels-{stem}.txt"]), dtype=np.int64))
    lists = _lines(files[f"hyperedges-{stem}.txt"])
    members = [np.array(line.split(","), dtype=np.int64) - 1 for line in lists]
    sizes = [len(nodes) for nodes in members]
    rows = noisy_labels(classes, noise, np.random.default_rng(seed), WIDTH)
    return LabelledHypergraph(
        hypergraph_from_incidence(
            np.concatenate(members), np.repeat(np.arange(len(sizes)), sizes), len(classes)
        ),
        name=name,
        feat=torch.from_numpy(rows).float(),
        labels=torch.from_numpy(classes),
    )


def _classes(given: np.ndarray[Any, Any]) -> IntArray:
    """Classes numbered from 0 on."""
    return np.unique(given, return_inverse=True)[1].astype(np.int64)


def _text(content: bytes, what: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{what} is not UTF-8 text: {error}") from None


def _lines(text: str) -> list[str]:
    return text.splitlines()
