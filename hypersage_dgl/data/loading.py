"""Open a labelled hypergraph by the name of a data set or the path of a file, whatever its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .._utils import PathLike, array_names, is_matrix, read_matrix
from ..convert import Named, from_scipy, read_csv, read_folder, read_hif
from .benchmarks import (
    ALLSET_NAMES,
    BENCHMARKS,
    Folder,
    load_allset,
    load_benchmark,
    load_debian,
)
from .generated import PRESETS, fano, generate, preset
from .labelled import LabelledHypergraph
from .stored import read_npz
from .tables import with_features, with_labels

SUFFIXES: Mapping[str, str] = MappingProxyType(
    {".json": "hif", ".csv": "csv", ".tsv": "csv", ".npz": "npz"}
)
FORMS = (*dict.fromkeys(SUFFIXES.values()), "folder")


class UnknownFormError(ValueError):
    """No form of hypergraph has that suffix."""


def dataset_names() -> tuple[str, ...]:
    """Names that :func:`load` and :func:`load_dataset` know.

    Examples
    --------
    >>> dataset_names()[:7]
    ('dblp', 'cora-coauthorship', 'cora-cocitation', 'citeseer', 'pubmed', 'debian', 'fano')
    """
    generated = ("fano", "synthetic", *(f"synthetic:{name}" for name in PRESETS))
    return (*BENCHMARKS, "debian", *generated, *ALLSET_NAMES)


def load(
    name_or_path: PathLike,
    *,
    label: str | None = None,
    features: PathLike | None = None,
    feature_names: Sequence[str] | None = None,
    form: str | None = None,
    node: str = "node",
    hyperedge: str = "hyperedge",
    heading: bool = True,
    data_dir: Folder | None = None,
    seed: int = 0,
    max_bytes: int | None = None,
    id_factor: int | None = None,
) -> LabelledHypergraph:
    """Open a data set by its name, or a hypergraph of your own by its path.

    The name of a data set goes before a file of that name; write ``./debian`` then.

    Parameters
    ----------
    name_or_path
        One of :func:`dataset_names`; or a file: ``.npz`` (what :meth:`LabelledHypergraph.save` or
        ``scipy.sparse.save_npz`` of an incidence matrix wrote), HIF (``.json``, ``.json.gz``) or
        CSV (``.csv``, ``.tsv``, also with ``.gz``); or a folder of ``convert.write_folder``.
    label
        Node attribute that names the class of each node, see :func:`with_labels`. By default
        there are classes where the file stores them as such.
    features
        A file of features, see :func:`read_features`.
    feature_names
        Node attributes to take as features, see :func:`with_features`.
    form
        One of ``"hif"``, ``"csv"``, ``"npz"`` and ``"folder"``; by default the suffix tells.
    node, hyperedge
        What the columns of a CSV file are called.
    heading
        Whether the first line of a CSV file names its columns.
    data_dir
        As in :func:`load_dataset`; for the benchmarks and the data sets of AllSet alone.
    seed
        Decides what ``synthetic`` and ``fano`` are, and the features of the sets of AllSet that
        have none.
    max_bytes
        What the arrays of an npz file or the text of a gzipped one may take in memory, 120 bytes
        for each of text; by default 1 GiB, or, if that is more, its own size for arrays, and 20
        times its size as text. What exceeds it is refused before memory is taken.
    id_factor
        How many nodes or hyperedges of an npz file there may be for one incidence (or label, or
        row of features) once there are more than 10 million; by default 1,000.

    Examples
    --------
    >>> load("synthetic")
    LabelledHypergraph("synthetic", nodes=1000, hyperedges=600, features=64, classes=4, splits=10)
    """
    name = str(name_or_path)
    if form is None and name in dataset_names():
        data = load_named(name, data_dir, seed)
    elif data_dir is not None:
        raise ValueError(f"data_dir is {data_dir}, but {name} is not a benchmark; leave it out")
    elif form is None and not Path(name_or_path).exists():
        raise FileNotFoundError(
            f"{name} is neither a file or folder nor a data set; there are the data sets "
            f"{', '.join(dataset_names())}"
        )
    else:
        columns = {"node": node, "hyperedge": hyperedge, "heading": heading}
        limits = {"max_bytes": max_bytes, "id_factor": id_factor}
        data = _load_file(Path(name_or_path), form, columns, limits)
    if label is not None:
        data = with_labels(data, label)
    if features is not None or feature_names is not None:
        data = with_features(
            data, features, feature_names, label=label or "label", max_bytes=max_bytes
        )
    return data


def form_of(path: PathLike) -> str:
    """Tell the form by the suffix.

    Examples
    --------
    >>> form_of("recipes.json.gz"), form_of("recipes")
    ('hif', 'folder')
    """
    path = Path(path)
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if path.is_dir() or not suffix:
        return "folder"
    if suffix not in SUFFIXES:
        raise UnknownFormError(
            f"{path}: no form of hypergraph has the suffix {suffix!r}; there are .json (HIF), "
            ".csv, .tsv and .npz, all but the last also with .gz, and folders; give another name, "
            "or the form"
        )
    return SUFFIXES[suffix]


def load_named(name: str, data_dir: Folder | None, seed: int) -> LabelledHypergraph:
    """Load a data set; ``data_dir`` and ``seed`` as in :func:`load`."""
    if name in BENCHMARKS:
        return load_benchmark(BENCHMARKS[name], data_dir)
    if name in ALLSET_NAMES:
        return load_allset(name, data_dir, seed)
    if data_dir is not None:
        raise ValueError(f"data_dir is {data_dir}, but {name} reads no files; leave it out")
    if name == "debian":
        return load_debian()
    if name == "fano":
        return fano(seed=seed)
    shape = name.partition(":")[2]
    return preset(shape, seed) if shape else generate(seed=seed)


def _load_file(
    path: Path,
    form: str | None,
    columns: Mapping[str, Any],
    limits: Mapping[str, Any],
) -> LabelledHypergraph:
    form = form or form_of(path)
    if form not in FORMS:
        raise ValueError(f"form is {form!r}; it must be one of {FORMS}")
    if form == "npz" and not is_matrix(path):
        return _read_labelled(path, limits)
    readers: Mapping[str, Callable[[Path], Any]] = {
        "npz": partial(_read_incidence, **limits),
        "csv": partial(read_csv, **columns, **limits),
        "hif": partial(read_hif, max_bytes=limits["max_bytes"]),
        "folder": read_folder,
    }
    named = readers[form](path)
    try:
        return LabelledHypergraph.from_named(named, path.name)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _read_incidence(path: Path, max_bytes: int | None, id_factor: int | None) -> Named:
    matrix = read_matrix(path, max_bytes)
    try:
        return from_scipy(matrix, id_factor=id_factor)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _read_labelled(path: Path, limits: Mapping[str, Any]) -> LabelledHypergraph:
    names = array_names(path)
    if "hyperedge_ids" not in names:
        raise ValueError(
            f"{path} holds the arrays {sorted(names)}; a hypergraph is a sparse incidence matrix "
            "(scipy.sparse.save_npz) or a labelled one (LabelledHypergraph.save)"
        )
    return read_npz(path, partial(LabelledHypergraph, name=path.name), **limits)
