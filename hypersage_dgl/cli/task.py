"""What the options make of a hypergraph: its features, its classes, the nodes that are for what."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from ..data import (
    CLASSIFICATION,
    REGRESSION,
    LabelledHypergraph,
    Range,
    Split,
    SplitLike,
    dual,
    hyperedge_columns,
    measure_ranges,
    read_split,
    scale_features,
    with_features,
    with_hyperedge_features,
    with_targets,
)
from ..hypergraphs import HYPEREDGE, IN
from ..training import About, Scale
from .reminders import (
    HYPEREDGE_LABEL,
    fill_options,
    recalled_split,
    say_what_differs,
    training_of,
)
from .sources import open_source, options_for_arguments, read_within, say, separator_of
from .text import UsageError


def add_features(
    data: LabelledHypergraph, args: argparse.Namespace, about: About | None = None
) -> LabelledHypergraph:
    """Features by ``--features``, or those that a trained model names, in its ranges.

    Of hyperedges, too, where the model takes such.
    """
    names = about.feature_names if about else None
    label = getattr(args, "label", None) or "label"
    with options_for_arguments():
        data = with_features(data, args.features, names, label=label, max_bytes=args.max_size)
    if about is None:
        return data
    data = scale_features(data, about.training.get("ranges", {}))
    known = about.training.get("hyperedge_columns")
    if not known:
        return data
    try:
        columns = hyperedge_columns(data, list(known))
    except ValueError as error:
        raise ValueError(f"{error}; --hyperedges FILE is the table that has them") from None
    ranges = {name: part for name, part in known.items() if part is not None}
    return with_hyperedge_features(data, scale_features(columns, ranges))


def open_with_features(args: argparse.Namespace, about: About | None = None) -> LabelledHypergraph:
    """The hypergraph of the options, with features, for what needs no labels.

    ``about`` is that of a trained model, whose options are taken where none are given.
    """
    fill_options(args, about)
    with options_for_arguments():
        return add_features(open_source(args, about), args, about)


def make_task(
    args: argparse.Namespace, about: About | None = None, needs_split: bool = True
) -> LabelledHypergraph:
    """All that training and scoring need; the one split is the chosen one.

    Needs the options of ``add_source_options`` and ``add_split_options``. ``about`` is that of a
    trained model, whose classes and features must then be found, and whose split is taken where
    the options name none.
    """
    told = fill_options(args, about)
    args.task = about.task if about is not None else args.task
    of_hyperedges = _hyperedge_label(args, about)
    with options_for_arguments("--hyperedge-label KEY" if of_hyperedges else "--label KEY"):
        source = open_source(args, about, labelled=of_hyperedges is None)
        key = None if args.incidences is not None else args.label
        if of_hyperedges is not None:
            nodes, key = add_features(source, args, about), of_hyperedges
            source = hyperedges_as_nodes(nodes)
        known = about.classes if about else ()
        data = with_targets(source, key, args.task, known, **separator_of(args, about))
        if args.task == CLASSIFICATION and data.labels is not None and data.labels.dim() != 1:
            raise ValueError(
                f"the labels of {data.name} have the shape {tuple(data.labels.shape)}, which is "
                "several labels a node: --task multilabel learns them"
            )
        if of_hyperedges is None:
            data = add_features(data, args, about)
        if needs_split:
            chosen = _split(args, data, about, told)
            data = data.with_split(chosen, val_fraction=args.val_fraction, seed=args.seed)
    if about is not None:
        say_what_differs(args, about, data, told)
        return data
    train = data.part("train")
    if of_hyperedges is None:
        return _scaled(args, data, train)
    members = torch.unique(nodes.graph.in_edges(train, etype=IN)[0].long())
    return replace(data, feat=hyperedges_as_nodes(_scaled(args, nodes, members)).feat)


def _hyperedge_label(args: argparse.Namespace, about: About | None) -> str | None:
    """The attribute of hyperedges that is learned, if it is one of these and not of nodes."""
    if about is None:
        key: str | None = getattr(args, "hyperedge_label", None)
    else:
        key = about.training.get(HYPEREDGE_LABEL)
    if key is not None and args.label is not None:
        raise UsageError(f"--label is one of nodes, and {key!r} of hyperedges is learned here")
    if key is not None and getattr(args, "hyperedge_features", False):
        raise UsageError("--hyperedge-features: with --hyperedge-label the features are members'")
    return key


def hyperedges_as_nodes(data: LabelledHypergraph) -> LabelledHypergraph:
    """The dual of a hypergraph, by a name that says so where nodes are counted."""
    return replace(dual(data), name=f"{data.name}, hyperedges as nodes")


def _scaled(
    args: argparse.Namespace, data: LabelledHypergraph, train: Tensor
) -> LabelledHypergraph:
    """Columns of ``--nodes`` by the ranges of the training nodes, which a checkpoint notes.

    Those of ``--hyperedges`` by the ranges of all hyperedges.
    """
    is_wanted = args.scale and args.nodes is not None and args.features is None
    args.ranges = measure_ranges(data, train) if is_wanted else {}
    _say_scaled(args, "training nodes", args.ranges)
    data = scale_features(data, args.ranges)
    args.hyperedge_columns = {}
    if not (getattr(args, "hyperedge_features", False) and args.hyperedges):
        return data
    columns = hyperedge_columns(data)
    if not columns.feature_names:
        return data
    ranges = measure_ranges(columns, torch.arange(columns.num_nodes)) if args.scale else {}
    _say_scaled(args, "hyperedges", ranges)
    args.hyperedge_columns = {name: ranges.get(name) for name in columns.feature_names}
    return with_hyperedge_features(data, scale_features(columns, ranges))


def _say_scaled(args: argparse.Namespace, by: str, ranges: Mapping[str, Range]) -> None:
    if ranges:
        names = ", ".join(list(ranges)[:5]) + (", ..." if len(ranges) > 5 else "")
        say(args, f"by {by} scaled to 0 to 1: {names}; --no-scale leaves columns alone")


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
        if args.task != CLASSIFICATION and not data.splits:
            wanted = noted or "random"
        else:
            wanted = "stratified" if args.incidences is not None else noted or 1
    args.split = wanted
    return read_split(read_within(args, wanted), data) if isinstance(wanted, Path) else wanted


def _is_labelled(data: LabelledHypergraph, split: Split) -> bool:
    return bool(torch.isin(torch.cat(split), data.part("all")).all())


def num_hyperedge_feats(task: LabelledHypergraph) -> int:
    """Width of the features of its hyperedges, 0 without any."""
    feat = task.graph.nodes[HYPEREDGE].data.get("feat")
    return 0 if feat is None else int(feat.shape[1])


def num_outputs(data: LabelledHypergraph, args: argparse.Namespace) -> int:
    """Outputs that a model needs: a number, or one for each class."""
    return 1 if args.task == REGRESSION else data.num_classes


def targets_of(data: LabelledHypergraph, args: argparse.Namespace) -> Tensor:
    """What a model learns of each node; numbers by the scale of those to train on."""
    if args.task == REGRESSION:
        return scale_of(data, args).apply(data.require_numbers())
    return data.require_labels()


def scale_of(data: LabelledHypergraph, args: argparse.Namespace) -> Scale:
    """The unit of numbers: mean and standard deviation of the training nodes."""
    if args.task != REGRESSION:
        return Scale()
    return Scale.of(data.require_numbers()[data.part("train")])


def about_of(data: LabelledHypergraph, args: argparse.Namespace) -> About:
    """What a checkpoint says of the data that it was trained on."""
    noted = training_of(args, data)
    return replace(About.of(data), training=noted, task=args.task, scale=scale_of(data, args))
