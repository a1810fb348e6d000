"""``hypersage draw``: a picture of what one node sees."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...data import (
    LabelledHypergraph,
    dataset_names,
    from_tables,
    incidence_columns,
    load,
    with_labels,
)
from ...training import seed_everything
from ..option_values import fan_out, whole
from ..options import SubParsers, add_command, add_limit_options
from ..sources import HEADINGS, open_file, options_for_arguments, read_within
from ..text import UsageError, printable
from .info import node_id

KINDS = ("png", "svg")
EXAMPLES = (
    "hypersage draw debian --node whois",
    'hypersage draw recipes.json --node "recipe 3" --label kind --out recipe.png',
    'hypersage draw memberships.csv --nodes nodes.csv --label topic --node "recipe 3"',
)
NOTES = """The hyperedges of a node and all their members, coloured by class. With --alpha or
--beta what one draw of a sampler leaves out is pale; of more than 200 members only
the sample is drawn."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "draw", run, "draw what one node sees", EXAMPLES, NOTES)
    add = parser.add_argument
    add("data", metavar="DATA", help="name of a data set, or a hypergraph (file or folder)")
    add("--node", metavar="NAME", required=True, help="the node, by its name")
    add(
        "--out",
        metavar="FILE",
        default="picture.svg",
        help="as .svg or .png (default: %(default)s)",
    )
    add("--label", metavar="KEY", help="node attribute, or column of --nodes, that has the class")
    add("--nodes", metavar="FILE", help="table of the nodes, where DATA is a table of incidences")
    add("--alpha", type=fan_out, default=-1, help="draw so many members of each hyperedge")
    add("--beta", type=fan_out, default=-1, help="draw so many hyperedges of the node")
    add("--seed", type=whole, default=0, help="decides draws and layout (default: %(default)s)")
    add("--node-column", metavar="COLUMN", help="column of nodes in CSV")
    add("--hyperedge-column", metavar="COLUMN", help="column of hyperedges in CSV")
    add("--no-heading", action="store_true", help="the first line of a CSV names no columns")
    add("--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are")
    add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Find the node, draw, and write the picture."""
    # Here, since `--help` shall not wait for what pictures need.
    from ...drawing import draw_neighbourhood, save_figure

    path = Path(args.out)
    if path.suffix[1:] not in KINDS:
        raise UsageError(f"--out is {args.out}; a picture is a file as in picture.svg or .png")
    for name in ("alpha", "beta"):
        if isinstance(getattr(args, name), list):
            raise UsageError(f"--{name} takes one number here: the picture is of one layer")
    with options_for_arguments(columns="--node-column and --hyperedge-column"):
        data = _open(args)
    node = node_id(data, args.node)
    seed_everything(args.seed)
    with options_for_arguments():
        figure = draw_neighbourhood(data, node, alpha=args.alpha, beta=args.beta, seed=args.seed)
    save_figure(figure, path.parent, path.stem, (path.suffix[1:],))
    print(f"what {printable(args.node)} sees: {printable(path)}")
    return 0


def _open(args: argparse.Namespace) -> LabelledHypergraph:
    path = Path(args.data)
    if args.nodes is not None:
        return _open_tables(args)
    if path.exists() and args.data not in dataset_names():
        # A node is --node here, so the columns have other names than elsewhere.
        columns = {"node": args.node_column, "hyperedge": args.hyperedge_column}
        data = open_file(path, argparse.Namespace(**{**vars(args), **columns}))
    else:
        data = load(args.data, data_dir=args.data_dir)
    return data if args.label is None else with_labels(data, args.label)


def _open_tables(args: argparse.Namespace) -> LabelledHypergraph:
    headings = HEADINGS if args.no_heading else None
    members, nodes = read_within(args, args.data, headings=headings), read_within(args, args.nodes)
    columns = incidence_columns(members, args.node_column, args.hyperedge_column)
    return from_tables(
        members,
        nodes,
        label=args.label,
        node=args.node_column,
        hyperedge=columns.hyperedge,
        # Features are not drawn.
        feature_names=(),
        name=Path(args.data).name,
    )
