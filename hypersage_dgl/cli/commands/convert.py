"""``hypersage convert``: a hypergraph from one form into another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Callable

from ..._utils import write_matrix
from ...convert import is_numbered, refuse_weights, to_scipy, write_csv, write_folder, write_hif
from ...data import FORMS, LabelledHypergraph
from ...hypergraphs import HYPEREDGE, summary
from ..options import SubParsers, add_column_options, add_command, add_limit_options
from ..sources import form_of, open_file, options_for_arguments

EXAMPLES = (
    "hypersage convert recipes.json recipes.csv",
    "hypersage convert recipes.json incidence.npz",
    "hypersage convert authors.txt authors.json.gz --from csv --node author --hyperedge paper",
    "hypersage convert recipes.npz saved --to folder",
)
NOTES = """Forms, told by the suffix or by --from and --to:
  hif     .json, .json.gz  Hypergraph Interchange Format: with names, weights
                           and attributes
  csv     .csv, .csv.gz    a line for each incidence: node, hyperedge, weight
  npz     .npz             incidence matrix of scipy, nodes x hyperedges; a
                           labelled hypergraph can be read
  folder  no suffix        all there is: also features, classes, masks
What a form cannot hold is named on standard error; hyperedge weights that
would be lost are an error."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "convert", run, "write a hypergraph in another form", EXAMPLES, NOTES
    )
    parser.add_argument("source", metavar="SOURCE", help="the hypergraph to read")
    parser.add_argument("target", metavar="TARGET", help="what to write; replaced if it is there")
    parser.add_argument("--from", dest="from_form", choices=FORMS, help="form of SOURCE")
    parser.add_argument("--to", dest="to_form", choices=FORMS, help="form of TARGET")
    add_column_options(parser)
    add_limit_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read, write, and say what was left behind."""
    path, target = Path(args.source), Path(args.target)
    to_form = args.to_form or form_of(target)
    with options_for_arguments():
        source = open_file(path, args, args.from_form)
    _WRITERS[to_form](source, target)
    for loss in losses(source, to_form):
        print(f"{args.prog}: note: {to_form} does not hold {loss}", file=sys.stderr)
    return 0


def losses(source: LabelledHypergraph, form: str) -> list[str]:
    """What of a source a form leaves behind."""
    lost = []
    if form == "folder":
        return ["the splits after the first"] if len(source.splits) > 1 else []
    if source.feat is not None:
        lost.append("the features")
    if source.splits:
        lost.append("the split of the nodes")
    if source.numbers is not None:
        lost.append("the numbers to learn")
    if source.labels is not None and source.labels.dim() == 2:
        lost.append("the labels")
    if form == "hif":
        return lost
    if source.labels is not None and source.labels.dim() == 1:
        lost.append("the classes")
    attributes = source.attributes
    if any(getattr(attributes, part) for part in ("network", "nodes", "hyperedges", "incidences")):
        lost.append("the attributes")
    if form == "npz" and not (
        is_numbered(source.node_names) and is_numbered(source.hyperedge_names)
    ):
        lost.append("the names")
    names = [str(name) for name in (*source.node_names, *source.hyperedge_names)]
    if form == "csv" and any(name != name.strip() for name in names):
        lost.append("blanks around names")
    measured = summary(source.graph)
    if form == "csv" and measured.isolated_nodes:
        lost.append(f"the {measured.isolated_nodes} isolated nodes")
    if form == "csv" and measured.empty_hyperedges:
        lost.append(f"the {measured.empty_hyperedges} empty hyperedges")
    return lost


def _write_npz(source: LabelledHypergraph, target: Path) -> None:
    refuse_weights(source.graph, HYPEREDGE, "an incidence matrix")
    write_matrix(target, to_scipy(source))


_WRITERS: Mapping[str, Callable[[LabelledHypergraph, Path], None]] = MappingProxyType(
    {"hif": write_hif, "csv": write_csv, "npz": _write_npz, "folder": write_folder}
)
