"""Read the files of a benchmark, once; later loads read the npz that was kept."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import sparse

from ..._utils import IntArray
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from ..splits import Split
from ..stored import read_npz, write_npz
from .files import BASE_URL, Benchmark
from .locate import Folder, cache_dir, keep, named_folder, read_cache_or_download, read_files
from .unpickle import load_pickle

# Raise it whenever conversion makes something else of the same files.
CONVERSION = 1
COCITATION = "data/cocitation/"


def load_benchmark(
    source: Benchmark,
    data_dir: Folder | None = None,
    *,
    base_url: str = BASE_URL,
    citing_member: bool = False,
) -> LabelledHypergraph:
    """Load a benchmark from where it is found first, and keep it converted in the cache.

    The conversion is named after the SHA-256 of the files and the version of the conversion: no
    other content can have its name, so it is read whenever it is there.

    Parameters
    ----------
    source
        A row of :data:`hypersage_dgl.data.benchmarks.files.BENCHMARKS`.
    data_dir
        Folder with the public files, see :func:`hypersage_dgl.data.load_dataset`.
    base_url
        Where to download from; a mirror must have the layout of the repository.
    citing_member
        Whether the citing paper is a member of its hyperedge, see
        :func:`hypersage_dgl.data.load_dataset`.
    """
    if citing_member and not source.folder.startswith(COCITATION):
        raise ValueError(
            f"citing_member is of co-citation, and {source.name} is none; leave it out"
        )
    folder = named_folder(source, data_dir)
    converted = converted_file(source)
    name = source.name
    if citing_member:
        name = f"{name} with citing papers"
        converted = converted.with_stem(f"{converted.stem}-citing")
    if converted.is_file():
        try:
            return read_npz(converted, partial(LabelledHypergraph, name=name))
        except ValueError:
            # Damaged on disk: made again below.
            pass
    if folder is not None:
        contents = read_files(source, folder)
    else:
        contents = read_cache_or_download(source, base_url)
    data = convert(contents, name, citing_member)
    npz = io.BytesIO()
    write_npz(npz, data)
    keep(converted, npz.getvalue())
    return data


def converted_file(source: Benchmark) -> Path:
    """Where the cache keeps the converted benchmark; another conversion has another name."""
    return cache_dir() / "converted" / f"{source.name}-{source.key}-{CONVERSION}.npz"


def convert(
    contents: Mapping[str, bytes], name: str, citing_member: bool = False
) -> LabelledHypergraph:
    """Turn the pickled files of a benchmark, by their names, into a labelled hypergraph.

    Hyperedges keep the order of the file, and those with equal members are all kept. Members are
    merged and sorted: the co-citation files hold sets, which have no order. The files do not name
    the classes, so they are called by their numbers. With ``citing_member`` the key of a hyperedge,
    which is the id of the citing paper, is one of its members.
    """
    values = {file: load_pickle(content, f"{name}: {file}") for file, content in contents.items()}
    hyperedges, features = values.pop("hypergraph.pickle"), values.pop("features.pickle")
    labels = _ids(values.pop("labels.pickle"), f"{name}: labels.pickle")
    if not isinstance(hyperedges, dict) or not isinstance(features, sparse.csr_matrix):
        raise ValueError(
            f"{name}: hypergraph.pickle holds a {type(hyperedges).__name__} and features.pickle a "
            f"{type(features).__name__}; they must be a dict and a csr_matrix"
        )
    members = [
        np.unique(_ids(e, f"{name}: hyperedge {key!r:.40}")) for key, e in hyperedges.items()
    ]
    if citing_member:
        keys = _ids(list(hyperedges), f"{name}: the keys of hypergraph.pickle")
        members = [np.union1d(each, [key]) for each, key in zip(members, keys)]
    if labels.min(initial=0) < 0:
        raise ValueError(f"{name}: labels go from {labels.min()}; every node must have a class")
    graph = hypergraph_from_incidence(
        np.concatenate([np.empty(0, np.int64), *members]),
        np.repeat(np.arange(len(members)), [len(m) for m in members]),
        len(labels),
        len(members),
    )
    return LabelledHypergraph(
        graph,
        name=name,
        feat=features.astype(np.float32),
        labels=torch.from_numpy(labels),
        class_names=tuple(str(k) for k in range(int(labels.max(initial=-1)) + 1)),
        splits=tuple(_split(value, f"{name}: {file}") for file, value in values.items()),
    )


def _split(value: Any, what: str) -> Split:
    if not isinstance(value, dict) or set(value) != {"train", "test"}:
        raise ValueError(f"{what} must be a dict of 'train' and 'test', not a {_kind(value)}")
    train, test = (np.sort(_ids(value[part], what)) for part in ("train", "test"))
    return Split(*(torch.from_numpy(ids) for ids in (train, np.empty(0, np.int64), test)))


def _ids(values: Collection[int], what: str) -> IntArray:
    if not isinstance(values, (list, set)) or not all(type(v) is int for v in values):
        raise ValueError(f"{what} must be a list or set of integers, not a {_kind(values)}")
    return np.fromiter(values, dtype=np.int64, count=len(values))


def _kind(value: Any) -> str:
    # Not its repr: nested deeply, that fails; with parts that occur many times, it never ends.
    if not isinstance(value, (list, set, dict)) or not value:
        return type(value).__name__
    return f"{type(value).__name__} of {', '.join(sorted({type(v).__name__ for v in value}))}"
