"""The embedded data set: packages of Debian, their dependencies and sources as hyperedges.

``files/debian.md`` is its datasheet, ``scripts/build_debian_dataset.py`` makes it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Union

import numpy as np
import torch
from scipy import sparse

from ..._utils import refusing_damage
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from ..splits import Split

Stored = Mapping[str, np.ndarray[Any, Any]]
# A rebuilt file in place of the embedded one.
Rebuilt = Union[str, "PathLike[str]", None]
TEST, TRAIN, VAL = 0, 1, 2
KEYS = (
    *("packages", "sections", "labels", "members", "sizes", "dependents", "sources"),
    *("words", "word_ids", "word_counts", "roles"),
)


def load_debian(path: Rebuilt = None) -> LabelledHypergraph:
    """Return the packages of ten sections of Debian as a labelled hypergraph.

    Nodes are packages in the order of their names, classes are sections, features say which of
    1,000 words the one-line description has. Hyperedge ``"depends django"`` holds the packages
    that package ``django`` depends on, ``"source openssh"`` those built from source ``openssh``.
    Ten splits give a twentieth of each class to training, a twentieth to validation and the rest
    to the test.

    Parameters
    ----------
    path
        A file made by ``scripts/build_debian_dataset.py``; by default the embedded one.

    Examples
    --------
    >>> debian = load_debian()
    >>> debian.num_nodes, debian.num_hyperedges, debian.num_feats
    (26476, 13785, 1000)
    >>> debian.class_names[debian.labels[debian.node_names.index("ripgrep")]]
    'utils'
    >>> debian.feature_names[:3], debian.hyperedge_names[-1]
    (('library', 'python', 'module'), 'source zxing-cpp')
    """
    with _reading(path) as stored:
        return _labelled(stored)


def _labelled(stored: Stored) -> LabelledHypergraph:
    sizes = stored["sizes"].astype(np.int64)
    indptr = np.concatenate([[0], np.cumsum(stored["word_counts"], dtype=np.int64)])
    word_ids = stored["word_ids"].astype(np.int64)
    packages, words = _lines(stored["packages"]), _lines(stored["words"])
    graph = hypergraph_from_incidence(
        stored["members"].astype(np.int64),
        np.repeat(np.arange(len(sizes)), sizes),
        len(packages),
        len(sizes),
    )
    return LabelledHypergraph(
        graph,
        packages,
        (
            *(f"depends {packages[i]}" for i in stored["dependents"]),
            *(f"source {source}" for source in _lines(stored["sources"])),
        ),
        _lines(stored["sections"]),
        name="debian",
        feat=sparse.csr_matrix(
            (np.ones(len(word_ids), dtype=np.float32), word_ids, indptr),
            shape=(len(packages), len(words)),
        ),
        feature_names=words,
        labels=torch.from_numpy(stored["labels"].astype(np.int64)),
        splits=[
            Split(*(torch.from_numpy(np.flatnonzero(roles == r)) for r in (TRAIN, VAL, TEST)))
            for roles in stored["roles"]
        ],
    )


@contextmanager
def _reading(path: Rebuilt) -> Iterator[Stored]:
    file = files("hypersage_dgl.data") / "files" / "debian.npz" if path is None else Path(path)
    content = io.BytesIO(file.read_bytes())
    rule = f"{file} is not a file of scripts/build_debian_dataset.py"
    with refusing_damage(rule, "run that again"):
        with np.load(content, allow_pickle=False) as npz:
            stored = {key: npz[key] for key in KEYS}
        yield stored


def _lines(text: np.ndarray[Any, Any]) -> tuple[str, ...]:
    return tuple(text.tobytes().decode().splitlines())
