"""What the options make of a hypergraph: its features, its classes, the nodes that are for what."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType

from ..data import (
    LabelledHypergraph,
    UnknownFormError,
    load,
    load_dataset,
    with_features,
    with_labels,
)
from ..data import form_of as library_form_of
from ..hypergraphs import summary
from ..training import About
from .errors import UsageError
from .options import DEFAULT_DATASET

PARTS = ("train", "val", "test")
# The library names its arguments in errors; here they are options.
OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "features=FILE.npz": "--features FILE.npz",
        "label=KEY": "--label KEY",
        "max_bytes=": "--max-size ",
        "max_bytes": "--max-size",
        "with id_factor": "with --id-factor",
        ". Other values are 'random' and a Split of your own node ids": "; try --split random",
        "no splits of its own": "no split of its own",
        "split is ": "--split is ",
    }
)


def open_source(args: argparse.Namespace) -> LabelledHypergraph:
    """Open what the options name; needs those of ``add_source_options``."""
    if args.hypergraph is None:
        if args.features is not None:
            raise UsageError("--features needs --hypergraph: data sets have features of their own")
        name = args.dataset or DEFAULT_DATASET
        return load_dataset(name, data_dir=args.data_dir, seed=args.seed).data
    if args.data_dir is not None:
        raise UsageError("--data-dir needs --dataset: it has the files of the benchmarks")
    return open_file(Path(args.hypergraph), args)


def open_file(path: Path, args: argparse.Namespace) -> LabelledHypergraph:
    """Open a file or folder, also one that has the name of a data set."""
    form = form_of(path)
    with options_for_arguments():
        return load(path, form=form, max_bytes=args.max_size, id_factor=args.id_factor)


def form_of(path: Path) -> str:
    """Tell the form by the suffix; another one is wrong usage."""
    try:
        return library_form_of(path)
    except UnknownFormError as error:
        raise UsageError(
            f"{error}; `hypersage convert` takes other names with --from and --to"
        ) from None


def add_features(
    data: LabelledHypergraph, args: argparse.Namespace, about: About | None = None
) -> LabelledHypergraph:
    """Features by ``--features``, or those that a trained model names."""
    names = about.feature_names if about else None
    label = getattr(args, "label", None) or "label"
    with options_for_arguments():
        return with_features(data, args.features, names, label=label, max_bytes=args.max_size)


def make_task(
    args: argparse.Namespace, about: About | None = None, needs_split: bool = True
) -> LabelledHypergraph:
    """All that training and scoring need; the one split is the chosen one.

    Needs the options of ``add_source_options`` and ``add_split_options``. ``about`` is that of a
    trained model, whose classes and features must then be found.
    """
    source = open_source(args)
    with options_for_arguments():
        data = with_labels(source, args.label, about.classes if about else ())
        if data.labels is not None and data.labels.dim() != 1:
            raise ValueError(
                f"the labels of {data.name} have the shape {tuple(data.labels.shape)}; this "
                "command takes one class a node: use hypersage_dgl.training for more"
            )
        data = add_features(data, args, about)
        if not needs_split:
            return data
        return data.with_split(args.split, val_fraction=args.val_fraction, seed=args.seed)


def about_of(data: LabelledHypergraph) -> About:
    """What a checkpoint says of the data that it was trained on."""
    measured = {
        **asdict(summary(data.graph)),
        "features": data.num_feats,
        **{part: len(data.part(part)) for part in PARTS},
        "checksum": data.checksum(),
    }
    return About(tuple(data.class_names), tuple(data.feature_names), measured)


@contextmanager
def options_for_arguments() -> Iterator[None]:
    """Say the options of the command where the library's errors name its arguments."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        for argument, option in OPTIONS.items():
            text = text.replace(argument, option)
        raise type(error)(text) from error.__cause__
