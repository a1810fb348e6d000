"""``hypersage info``: say what a data set, a hypergraph or a checkpoint is."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..data import LabelledHypergraph, dataset_names, load
from ..hypergraphs import summary
from ..training import encode_config, has_checkpoint, load_checkpoint
from .options import add_command, add_limit_options
from .task import open_file
from .text import printable

if TYPE_CHECKING:
    from .options import SubParsers

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
    parser.add_argument(
        "--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are"
    )
    add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print what there is to say."""
    path = Path(args.what)
    if args.what not in dataset_names() and has_checkpoint(path):
        _print_checkpoint(path)
    elif path.exists() and args.what not in dataset_names():
        _print_source(open_file(path, args))
    else:
        _print_source(load(args.what, data_dir=args.data_dir))
    return 0


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
        **encode_config(model.config),
        "parameters": f"{sum(p.numel() for p in model.parameters()):,}",
        "classes": ", ".join(about.classes),
        "feature_names": ", ".join(about.feature_names[:5])
        + (", ..." if len(about.feature_names) > 5 else ""),
        **{f"data: {key}": value for key, value in about.statistics.items()},
        "made with": ", ".join(f"{k} {v}" for k, v in checkpoint.versions.items()),
    }
    if checkpoint.progress is not None:
        # Whoever saves a checkpoint may note what they like as progress.
        epochs = checkpoint.progress.get("epochs")
        facts["epochs"] = len(epochs) if isinstance(epochs, list) else None
        for name in ("best_epoch", "best_val"):
            facts[name] = checkpoint.progress.get(name)
    print(f"{printable(path)}: checkpoint of HyperSAGE")
    _print_facts({key: value for key, value in facts.items() if value not in (None, "")})


def _print_facts(facts: Mapping[str, Any]) -> None:
    width = max(map(len, facts), default=0)
    # As wide as the lines of a Summary, which stand above.
    width = max(width, len("duplicate_hyperedges"))
    for key, value in facts.items():
        shown = f"{value:.4g}" if isinstance(value, float) else printable(value)
        print(f"{printable(key.replace('_', ' ')):<{width}}  {shown}")
