"""``hypersage partition``: cut a hypergraph into parts for several machines."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...data import load, partition
from ..option_values import positive, split
from ..options import SubParsers, add_column_options, add_command, add_limit_options
from ..sources import open_file
from ..text import printable

EXAMPLES = (
    "hypersage partition synthetic --parts 2 --out parts",
    "hypersage partition recipes.npz --parts 2 --split stratified --out parts-of-recipes",
)
NOTES = """METIS cuts few incidences and balances training nodes, other nodes and hyperedges.
The parts hold features, labels, masks, sizes and |N(v)|; `hypersage launch` trains on
them, one machine for each part. Nodes are renumbered, original_id has the old ids."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "partition", run, "cut a hypergraph into parts for machines", EXAMPLES, NOTES
    )
    parser.add_argument("data", metavar="DATA", help="name of a data set, or a hypergraph's file")
    parser.add_argument("--parts", type=positive, default=2, help="(default: %(default)s)")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="where to write the parts")
    parser.add_argument(
        "--split", type=split, default=1, help="number of a given split, random or stratified"
    )
    parser.add_argument(
        "--neighbors",
        choices=("exact", "sketch"),
        default="sketch",
        help="how to count |N(v)| (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the split and METIS (default: 0)")
    parser.add_argument(
        "--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are"
    )
    add_column_options(parser)
    add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Open, cut, and say how large the parts are."""
    path = Path(args.data)
    if path.exists():
        data = open_file(path, args)
    else:
        data = load(args.data, data_dir=args.data_dir, seed=args.seed)
    data = data.with_split(args.split, seed=args.seed)
    print(printable(data), flush=True)
    partition(data, args.out, args.parts, neighbors=args.neighbors, seed=args.seed)
    print(f"{args.parts} parts in {printable(args.out)}")
    return 0
