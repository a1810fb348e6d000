"""What a checkpoint remembers of its training, and what the options say otherwise."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from ..data import LabelledHypergraph, Split, is_table
from ..hypergraphs import CONTAINS
from ..training import About, recall_nodes, remember_nodes
from .sources import say

# What the options mean where neither they nor a checkpoint say it.
DEFAULTS: dict[str, Any] = {"seed": 0, "val_fraction": 0.0, "label": None, "separator": None}
COLUMNS = ("node", "hyperedge")
# Which attribute of hyperedges a model has learned; its nodes are then those hyperedges.
HYPEREDGE_LABEL = "hyperedge_label"
MOST_REMEMBERED = 1_000_000


def fill_options(args: argparse.Namespace, about: About | None = None) -> dict[str, str]:
    """Fill options that were not given with those of the training; say those that differ."""
    noted = about.training if about is not None else {}
    told = {}
    for name in (*DEFAULTS, "split", *COLUMNS):
        if not hasattr(args, name) or (name in COLUMNS and not _has_columns(args)):
            continue
        before, now = noted.get(name, DEFAULTS.get(name)), getattr(args, name)
        if now is None and name != "split":
            setattr(args, name, before)
        elif now is not None and noted and name not in COLUMNS and str(now) != str(before):
            option = f"--{name.replace('_', '-')}"
            was = f"{option} {before}" if before is not None else f"no {option}"
            told[name] = f"{option} {now} (the training had {was})"
    return told


def _has_columns(args: argparse.Namespace) -> bool:
    file = args.incidences or args.hypergraph
    return file is not None and is_table(file)


def training_of(args: argparse.Namespace, data: LabelledHypergraph) -> dict[str, Any]:
    """What a checkpoint notes: options that choose nodes, and the nodes that they chose."""
    split = str(args.split) if not isinstance(args.split, (int, str)) else args.split
    names = [
        n for n in (*DEFAULTS, *COLUMNS, HYPEREDGE_LABEL) if getattr(args, n, None) is not None
    ]
    degrees = data.graph.in_degrees(etype=CONTAINS).long()
    few = data.num_nodes <= MOST_REMEMBERED
    return {
        "split": split,
        **{name: getattr(args, name) for name in names},
        **({"ranges": {k: list(v) for k, v in args.ranges.items()}} if args.ranges else {}),
        **({"hyperedge_columns": _ranges_or_none(args)} if args.hyperedge_columns else {}),
        # Sorting the names of more nodes takes longer than training on them.
        **({"nodes": remember_nodes(data.node_names, degrees, data.splits[0])} if few else {}),
    }


def _ranges_or_none(args: argparse.Namespace) -> dict[str, list[float] | None]:
    """Columns of hyperedges that a model takes, None where they are as they were."""
    return {k: None if v is None else list(v) for k, v in args.hyperedge_columns.items()}


def recalled_split(about: About, data: LabelledHypergraph) -> Split | None:
    """The split of the training, if these are its nodes."""
    degrees = data.graph.in_degrees(etype=CONTAINS).long()
    return recall_nodes(about.training.get("nodes", {}), data.node_names, degrees)


def seen_among(nodes: Tensor, about: About, data: LabelledHypergraph) -> int:
    """How many of some nodes the model was trained or validated on, as far as is known."""
    split = recalled_split(about, data)
    if split is None:
        return 0
    seen = {*split.train.tolist(), *split.val.tolist()}
    return sum(i in seen for i in nodes.tolist())


def warn_of_seen(
    args: argparse.Namespace, nodes: Tensor, about: About, data: LabelledHypergraph
) -> int:
    """Warn of test nodes that the model was trained or validated on, and count them."""
    seen = seen_among(nodes, about, data)
    if seen:
        say(
            args,
            f"{seen} of the {len(nodes)} nodes to score were trained or validated on, so this is "
            "no test; leave out --split, --seed and --val-fraction to score the test nodes",
            "warning",
        )
    return seen


def say_what_differs(
    args: argparse.Namespace, about: About, data: LabelledHypergraph, told: Mapping[str, str]
) -> None:
    """Say loudly where the options or the data are not those of the training."""
    if told:
        say(args, f"this is not how the model was trained: {'; '.join(told.values())}", "warning")
    if about.training and recalled_split(about, data) is None:
        say(
            args,
            f"{data.name} has other nodes than the model was trained on, so it is not known "
            "whether some of them were trained on",
        )
