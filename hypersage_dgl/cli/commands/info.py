"""``hypersage info``: say what a data set, a hypergraph or a checkpoint is."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from ..._utils import is_sparse, select_rows
from ...data import LabelledHypergraph, dataset_names, load
from ...hypergraphs import CONTAINS, IN, summary
from ...training import described, has_checkpoint, load_checkpoint
from ..options import SubParsers, add_column_options, add_command, add_limit_options
from ..sources import open_file, options_for_arguments
from ..text import printable

EXAMPLES = (
    "hypersage info debian",
    "hypersage info recipes.npz",
    "hypersage info model",
)
NOTES = "The name of a data set goes before a file of that name; write ./debian then."


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers,
        "info",
        run,
        "say what a data set, a hypergraph or a checkpoint is",
        EXAMPLES,
        NOTES,
    )
    parser.add_argument(
        "what",
        metavar="WHAT",
        help="name of a data set, hypergraph (file or folder), or folder of a checkpoint",
    )
    add_column_options(parser)
    parser.add_argument(
        "--show", metavar="NODE", help="say what is known of one node of a hypergraph, by its name"
    )
    parser.add_argument(
        "--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are"
    )
    add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the description."""
    path = Path(args.what)
    if args.what not in dataset_names() and has_checkpoint(path):
        _print_checkpoint(path)
    elif path.exists() and args.what not in dataset_names():
        with options_for_arguments():
            _print_data(open_file(path, args), args)
    else:
        _print_data(load(args.what, data_dir=args.data_dir), args)
    return 0


def _print_data(data: LabelledHypergraph, args: argparse.Namespace) -> None:
    if args.show is None:
        _print_source(data)
    else:
        print(printable(f"{data.name}: node {args.show}"))
        _print_facts(node_facts(data, args.show))


def node_id(data: LabelledHypergraph, name: str) -> int:
    """Id of the node that is called so."""
    ids = {str(name): i for i, name in enumerate(data.node_names)}
    if name not in ids:
        few = ", ".join(list(ids)[:5])
        raise ValueError(f"{data.name} has no node {name!r}; its nodes are {few}, ...")
    return ids[name]


def node_facts(data: LabelledHypergraph, name: str) -> dict[str, Any]:
    """What is known of a node: class, hyperedges with their sizes, features, attributes."""
    i = node_id(data, name)
    edges = data.graph.in_edges([i], etype=CONTAINS)[0].tolist()
    sizes = data.graph.in_degrees(etype=IN)
    facts: dict[str, Any] = {"id": i}
    if data.labels is not None and data.labels.dim() == 1:
        label = int(data.labels[i])
        named = data.class_names[label] if data.class_names and label >= 0 else label
        facts["class"] = named if label >= 0 else "none"
    facts["hyperedges"] = len(edges)
    for edge in edges:
        facts[f"in {data.hyperedge_names[edge]}"] = f"{int(sizes[edge])} members"
    if data.feat is not None:
        row = select_rows(data.feat, torch.tensor([i]))
        values = (row.to_dense() if is_sparse(row) else row)[0]
        names = data.feature_names or [str(k) for k in range(data.num_feats)]
        facts["features"] = ", ".join(
            f"{names[k]} {values[k].item():g}" for k in values.nonzero().flatten().tolist()
        )
    return {**facts, **data.attributes.nodes.get(i, {})}


def _print_source(source: LabelledHypergraph) -> None:
    print(printable(source.name))
    print(summary(source.graph))
    facts: dict[str, Any] = {}
    if source.feat is not None:
        facts["features"] = f"{source.num_feats:,}"
        facts["not zero"] = f"{source.nonzeros:,}"
    if source.class_names:
        facts["classes"] = ", ".join(source.class_names)
    if source.splits:
        sizes = ", ".join(f"{k} {len(v):,}" for k, v in source.splits[0]._asdict().items())
        facts["splits"] = f"{len(source.splits)}; split 1: {sizes}"
    attributes = {name for a in source.attributes.nodes.values() for name in a}
    if attributes:
        facts["node attributes"] = ", ".join(sorted(attributes))
    _print_facts(facts)


def _print_checkpoint(path: Path) -> None:
    checkpoint = load_checkpoint(path)
    about, model = checkpoint.about, checkpoint.model
    facts: dict[str, Any] = {
        **described(model),
        "parameters": f"{sum(p.numel() for p in model.parameters()):,}",
        "task": about.task,
        "classes": ", ".join(about.classes),
        "feature_names": ", ".join(about.feature_names[:5])
        + (", ..." if len(about.feature_names) > 5 else ""),
        **{f"data: {key}": value for key, value in about.statistics.items()},
        **{
            f"trained with {key}": value
            for key, value in about.training.items()
            if not isinstance(value, dict)
        },
        "made with": ", ".join(f"{k} {v}" for k, v in checkpoint.versions.items()),
    }
    if checkpoint.progress is not None:
        # Whoever saves a checkpoint may note what they like as progress.
        epochs = checkpoint.progress.get("epochs")
        facts["epochs"] = len(epochs) if isinstance(epochs, list) else None
        for name in ("best_epoch", "best_val"):
            facts[name] = checkpoint.progress.get(name)
    print(f"{printable(path)}: checkpoint of {type(model).__name__}")
    _print_facts({key: value for key, value in facts.items() if value not in (None, "")})


def _print_facts(facts: Mapping[str, Any]) -> None:
    width = max(map(len, facts), default=0)
    # As wide as the lines of a Summary, which stand above.
    width = max(width, len("duplicate_hyperedges"))
    for key, value in facts.items():
        shown = f"{value:.4g}" if isinstance(value, float) else printable(value)
        print(f"{printable(key.replace('_', ' ')):<{width}}  {shown}")
