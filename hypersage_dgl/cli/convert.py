"""``hypersage convert``: a hypergraph from one form into another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Callable

from .._utils import is_sparse
from ..convert import (
    is_numbered,
    refuse_weights,
    to_scipy,
    write_csv,
    write_folder,
    write_hif,
)
from ..data.splits import as_mask
from ..hypergraphs import HYPEREDGE, NODE, summary
from .errors import UsageError
from .npz import write_matrix
from .options import add_command
from .source import FORMS, MASKS, Source, form_of, open_file

if TYPE_CHECKING:
    from .options import SubParsers

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
    parser.add_argument("--node", metavar="COLUMN", help="column of nodes in a CSV source")
    parser.add_argument("--hyperedge", metavar="COLUMN", help="column of hyperedges there")


def run(args: argparse.Namespace) -> int:
    """Read, write, and say what was left behind."""
    path, target = Path(args.source), Path(args.target)
    to_form = args.to_form or form_of(target)
    from_form = args.from_form or form_of(path)
    columns = {k: v for k in ("node", "hyperedge") if (v := getattr(args, k)) is not None}
    if columns and from_form != "csv":
        raise UsageError(f"--node and --hyperedge name columns of CSV, but {path} is {from_form}")
    source = open_file(path, from_form, **columns)
    _WRITERS[to_form](target, source)
    for loss in losses(source, to_form):
        print(f"{args.prog}: note: {to_form} does not hold {loss}", file=sys.stderr)
    return 0


def losses(source: Source, form: str) -> list[str]:
    """What of a source a form leaves behind."""
    named, data = source.named, source.named.graph.nodes[NODE].data
    lost = []
    if form == "folder":
        return ["the splits after the first"] if len(source.splits) > 1 else []
    if source.feat is not None:
        lost.append("the features")
    if source.splits:
        lost.append("the split of the nodes")
    if form == "hif":
        return lost
    if "label" in data:
        lost.append("the classes")
    if any((named.attributes.network, named.attributes.nodes, named.attributes.hyperedges)):
        lost.append("the attributes")
    if form == "npz" and not (is_numbered(named.node_names) and is_numbered(named.hyperedge_names)):
        lost.append("the names")
    measured = summary(named.graph)
    if form == "csv" and measured.isolated_nodes:
        lost.append(f"the {measured.isolated_nodes} isolated nodes")
    if form == "csv" and measured.empty_hyperedges:
        lost.append(f"the {measured.empty_hyperedges} empty hyperedges")
    return lost


def _write_hif(target: Path, source: Source) -> None:
    write_hif(source.named, target)


def _write_csv(target: Path, source: Source) -> None:
    write_csv(source.named, target)


def _write_npz(target: Path, source: Source) -> None:
    refuse_weights(source.named.graph, HYPEREDGE, "an incidence matrix")
    write_matrix(target, to_scipy(source.named.graph))


def _write_folder(target: Path, source: Source) -> None:
    data = source.named.graph.nodes[NODE].data
    if source.feat is not None:
        data["feat"] = source.feat.to_dense() if is_sparse(source.feat) else source.feat
    if source.splits:
        count = len(source.named.node_names)
        data.update({mask: as_mask(ids, count) for mask, ids in zip(MASKS, source.splits[0])})
    write_folder(source.named, target)


_WRITERS: Mapping[str, Callable[[Path, Source], None]] = MappingProxyType(
    {"hif": _write_hif, "csv": _write_csv, "npz": _write_npz, "folder": _write_folder}
)
