"""What the options make of a hypergraph: its features, its classes, the nodes that are for what."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import torch

from ..data import LabelledHypergraph, Split, SplitLike, read_split, with_features, with_labels
from ..training import About
from .reminders import fill_options, recalled_split, say_what_differs, training_of
from .sources import open_source

# The library names its arguments in errors; here they are options.
OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "features=FILE.npz": "--features FILE.npz",
        "label=KEY": "--label KEY",
        ". Other values are 'random', 'stratified' and a Split of your own node ids": (
            "; try --split random or --split stratified"
        ),
        "features=FILE.csv": "--features FILE.csv",
        "node=, hyperedge= and weight=": "--node and --hyperedge",
        "heading=False": "--no-heading",
        "max_bytes=": "--max-size ",
        "max_bytes": "--max-size",
        "with id_factor": "with --id-factor",
        "no splits of its own": "no split of its own",
        "split is ": "--split is ",
    }
)


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
    trained model, whose classes and features must then be found, and whose split is taken where
    the options name none.
    """
    told = fill_options(args, about)
    with options_for_arguments():
        source = open_source(args, about, labelled=True)
        key = None if args.incidences is not None else args.label
        data = with_labels(source, key, about.classes if about else ())
        if data.labels is not None and data.labels.dim() != 1:
            raise ValueError(
                f"the labels of {data.name} have the shape {tuple(data.labels.shape)}; this "
                "command takes one class a node: use hypersage_dgl.training for more"
            )
        data = add_features(data, args, about)
        if needs_split:
            chosen = _split(args, data, about, told)
            data = data.with_split(chosen, val_fraction=args.val_fraction, seed=args.seed)
    if about is not None:
        say_what_differs(args, about, data, told)
    return data


def _split(
    args: argparse.Namespace,
    data: LabelledHypergraph,
    about: About | None,
    told: Mapping[str, str],
) -> SplitLike:
    """The split that the options name, else that of the training, else the usual one."""
    wanted = args.split
    noted = None if about is None else about.training.get("split")
    # The number of a split is one of the file's own, which it still has.
    if about is not None and noted is not None and not (isinstance(noted, int) and data.splits):
        recalled = recalled_split(about, data)
        is_told = bool({*told} & {"split", "seed", "val_fraction"})
        if recalled is not None and not is_told and _is_labelled(data, recalled):
            args.val_fraction = 0.0
            return recalled
        if wanted is None and noted in ("random", "stratified"):
            wanted = noted
    if wanted is None:
        wanted = "stratified" if args.incidences is not None else noted or 1
    args.split = wanted
    return read_split(wanted, data) if isinstance(wanted, Path) else wanted


def _is_labelled(data: LabelledHypergraph, split: Split) -> bool:
    return bool((data.require_labels()[torch.cat(split)] >= 0).all())


def about_of(data: LabelledHypergraph, args: argparse.Namespace) -> About:
    """What a checkpoint says of the data that it was trained on."""
    return replace(About.of(data), training=training_of(args, data))


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
