"""The hypergraph that the options name: a data set, a file, or tables keyed by name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .._utils import PathLike
from ..convert import Table, read_table
from ..data import (
    CLASSIFICATION,
    LabelledHypergraph,
    UnknownFormError,
    dataset_names,
    from_tables,
    incidence_columns,
    load,
)
from ..data import form_of as library_form_of
from ..training import About
from .options import DEFAULT_DATASET
from .text import UsageError, printable

HEADINGS = ("node", "hyperedge", "weight")
TABLE_OPTIONS = ("nodes", "hyperedges", "text", "category", "ignore")

# The library names its arguments in errors; here they are options.
OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "features=FILE.npz": "--features FILE.npz",
        ". Other values are 'random', 'stratified' and a Split of your own node ids": (
            "; try --split random or --split stratified"
        ),
        "features=FILE.csv": "--features FILE.csv",
        "the nodes have []": "the nodes have none; --incidences with --nodes gives some",
        "(for several classes a node give rows of 0 and 1 as labels of a LabelledHypergraph)": (
            "(--task multilabel learns several)"
        ),
        "heading=False": "--no-heading",
        "max_bytes=": "--max-size ",
        "max_bytes": "--max-size",
        "with id_factor": "with --id-factor",
        "no splits of its own": "no split of its own",
        "split is ": "--split is ",
        "alpha members of each hyperedge, beta hyperedges": (
            "--alpha 10 draws 10 members of each hyperedge, --beta 10 so many hyperedges"
        ),
    }
)
COLUMNS = "node=, hyperedge= and weight="


def say(args: argparse.Namespace, text: str, kind: str = "note") -> None:
    """Say something on standard error, in one line."""
    print(f"{args.prog}: {kind}: {printable(text)}", file=sys.stderr)


def open_source(
    args: argparse.Namespace, about: About | None = None, *, labelled: bool = False
) -> LabelledHypergraph:
    """Open what the options name; needs those of ``add_source_options``.

    ``about`` is that of a trained model, whose features and classes tables must then have;
    ``labelled`` whether classes are needed.
    """
    if args.incidences is not None:
        return open_tables(args, about, labelled)
    given = [name for name in TABLE_OPTIONS if getattr(args, name)]
    if given:
        raise UsageError(f"--{given[0]} needs --incidences, the table of who is in what")
    if args.hypergraph is None:
        if args.features is not None:
            raise UsageError("--features needs --hypergraph: data sets have features of their own")
        name = args.dataset or DEFAULT_DATASET
        if name not in dataset_names():
            known = ", ".join(dataset_names())
            raise ValueError(f"no data set {name!r}; there are {known}; --hypergraph takes files")
        return load(name, data_dir=args.data_dir, seed=args.seed)
    if args.data_dir is not None:
        raise UsageError("--data-dir needs --dataset: it has the files of the benchmarks")
    return open_file(Path(args.hypergraph), args)


def open_file(path: Path, args: argparse.Namespace, form: str | None = None) -> LabelledHypergraph:
    """Open a file or folder, also one that has the name of a data set."""
    form = form or form_of(path)
    limits = {"max_bytes": args.max_size, "id_factor": args.id_factor}
    return load(path, form=form, **_csv_options(args, form, path), **limits)


def read_within(args: argparse.Namespace, file: PathLike, **options: Any) -> Table:
    """Read a table that an option names, within ``--max-size``."""
    return read_table(file, max_bytes=args.max_size, **options)


def _csv_options(args: argparse.Namespace, form: str, path: Path) -> dict[str, Any]:
    """What the options say of a CSV file."""
    columns = {"node": args.node, "hyperedge": args.hyperedge}
    given: dict[str, Any] = {name: value for name, value in columns.items() if value is not None}
    if args.no_heading:
        given["heading"] = False
    if given and form != "csv":
        raise UsageError(
            f"--node, --hyperedge and --no-heading name columns of CSV, but {path} is {form}"
        )
    return given


def separator_of(args: argparse.Namespace, about: About | None) -> dict[str, Any]:
    """What stands between labels: as the options say, or as in the training."""
    given = getattr(args, "separator", None)
    if given is None and about is not None:
        given = about.training.get("separator")
    return {} if given is None else {"separator": given}


def form_of(path: Path) -> str:
    """Tell the form by the suffix; another one is wrong usage."""
    try:
        return library_form_of(path)
    except UnknownFormError as error:
        raise UsageError(
            f"{error}; `hypersage convert` takes other names with --from and --to"
        ) from None


def open_tables(
    args: argparse.Namespace, about: About | None, labelled: bool
) -> LabelledHypergraph:
    """Open ``--incidences`` with ``--nodes`` and ``--hyperedges``, and say how they were read."""
    if labelled and args.nodes is None:
        raise UsageError("--incidences needs --nodes here, a table with the class of each node")
    if about is not None and about.feature_names and args.nodes is None and args.features is None:
        raise UsageError("--incidences needs --nodes here, a table with the features of the model")
    headings = HEADINGS if args.no_heading else None
    members = read_within(args, args.incidences, headings=headings)
    columns = incidence_columns(members, args.node, args.hyperedge)
    say(args, f"{members}; {columns}")
    tables = [
        None if file is None else read_within(args, file) for file in (args.nodes, args.hyperedges)
    ]
    for table in tables:
        if table is not None:
            say(args, str(table))
    nodes = tables[0]
    label = getattr(args, "label", None)
    if labelled and nodes is not None and label is None:
        label = "label"
    features = None if about is None else (about.feature_names or None)
    data = from_tables(
        members,
        nodes,
        tables[1],
        label=label if labelled else None,
        task=getattr(args, "task", CLASSIFICATION),
        **separator_of(args, about),
        text=args.text,
        categories=args.category,
        ignore=args.ignore,
        node=args.node,
        hyperedge=columns.hyperedge,
        feature_names=features if nodes is not None and args.features is None else None,
        class_names=about.classes if about is not None and about.classes else None,
        name=Path(args.incidences).name,
    )
    if nodes is not None and data.feature_names and about is None:
        shown = ", ".join(data.feature_names[:5]) + (", ..." if data.num_feats > 5 else "")
        say(args, f"{data.num_feats:,} features: {shown}")
    return data


@contextmanager
def options_for_arguments(
    label: str = "--label KEY", columns: str = "--node and --hyperedge"
) -> Iterator[None]:
    """Say the options of the command where the library's errors name its arguments."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        for argument, option in {**OPTIONS, "label=KEY": label, COLUMNS: columns}.items():
            text = text.replace(argument, option)
        raise type(error)(text) from error.__cause__
