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
from typing import Any, NamedTuple, Union

import numpy as np
from scipy import sparse

from .._utils import refusing_damage
from .arrays import HypergraphArrays, Split

Stored = Mapping[str, np.ndarray[Any, Any]]
# A rebuilt file in place of the embedded one.
Rebuilt = Union[str, "PathLike[str]", None]
TEST, TRAIN, VAL = 0, 1, 2
KEYS = (
    *("packages", "sections", "labels", "members", "sizes", "dependents", "sources"),
    *("words", "word_ids", "word_counts", "roles"),
)


class DebianNames(NamedTuple):
    """What the ids of the data set ``debian`` stand for; each name's position is its id.

    Hyperedge ``i`` holds the packages that package ``hyperedges[i]`` depends on if its kind is
    ``"depends"``, and those built from source ``hyperedges[i]`` if it is ``"source"``.
    """

    packages: tuple[str, ...]
    words: tuple[str, ...]
    hyperedges: tuple[str, ...]
    kinds: tuple[str, ...]


def load_debian(path: Rebuilt = None) -> HypergraphArrays:
    """Return the packages of ten sections of Debian as a labelled hypergraph.

    Nodes are packages in the order of their names, classes are sections, features say which of
    1,000 words the one-line description has. Ten splits give a twentieth of each class to
    training, a twentieth to validation and the rest to the test.

    Parameters
    ----------
    path
        A file made by ``scripts/build_debian_dataset.py``; by default the embedded one.

    Examples
    --------
    >>> debian = load_debian()
    >>> debian.num_nodes, debian.num_hyperedges, debian.features.shape[1]
    (26476, 13785, 1000)
    >>> debian.class_names[debian.labels[debian_names().packages.index("ripgrep")]]
    'utils'
    """
    with _reading(path) as stored:
        arrays = _arrays(stored)
        arrays.check()
        return arrays


def _arrays(stored: Stored) -> HypergraphArrays:
    sizes = stored["sizes"].astype(np.int64)
    indptr = np.concatenate([[0], np.cumsum(stored["word_counts"], dtype=np.int64)])
    word_ids = stored["word_ids"].astype(np.int64)
    labels = stored["labels"].astype(np.int64)
    return HypergraphArrays(
        node_ids=stored["members"].astype(np.int64),
        hyperedge_ids=np.repeat(np.arange(len(sizes)), sizes),
        num_hyperedges=len(sizes),
        features=sparse.csr_matrix(
            (np.ones(len(word_ids), dtype=np.float32), word_ids, indptr),
            shape=(len(labels), len(_lines(stored["words"]))),
        ),
        labels=labels,
        class_names=_lines(stored["sections"]),
        splits=tuple(
            Split(*(np.flatnonzero(roles == role) for role in (TRAIN, VAL, TEST)))
            for roles in stored["roles"]
        ),
    )


def debian_names(path: Rebuilt = None) -> DebianNames:
    """Return the names of packages, words and hyperedges of :func:`load_debian`.

    Parameters
    ----------
    path
        As in :func:`load_debian`.

    Examples
    --------
    >>> names = debian_names()
    >>> names.words[:3]
    ('library', 'python', 'module')
    >>> names.hyperedges[-1], names.kinds[-1]
    ('zxing-cpp', 'source')
    """
    with _reading(path) as stored:
        packages, sources = _lines(stored["packages"]), _lines(stored["sources"])
        dependents = tuple(packages[i] for i in stored["dependents"])
        return DebianNames(
            packages=packages,
            words=_lines(stored["words"]),
            hyperedges=dependents + sources,
            kinds=("depends",) * len(dependents) + ("source",) * len(sources),
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
