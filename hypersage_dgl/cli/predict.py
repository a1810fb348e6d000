"""``hypersage predict``: the class of every node of a hypergraph, as CSV."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._utils import encoded, write_text
from ..data import LabelledHypergraph
from ..training import Prediction, Predictor
from .options import add_command, add_inference_options, add_source_options
from .task import add_features, open_source
from .text import printable

if TYPE_CHECKING:
    from .options import SubParsers

EXAMPLES = (
    "hypersage predict model --dataset synthetic --out classes.csv",
    "hypersage predict own-model --hypergraph recipes.npz | head -3",
    "hypersage predict own-model --hypergraph unseen.json --features unseen-words.npz",
)
NOTES = """Writes CSV with the columns node, class and probability, a line for each node.

The features of the nodes are, whichever is there first,
  1. in --features FILE: a sparse matrix (scipy.sparse.save_npz) or one dense
     array (npy, npz), a row for each node in the order of the hypergraph;
  2. with the hypergraph: in a labelled npz file, in a saved folder as node
     data `feat`;
  3. the attributes of the nodes (HIF) that the checkpoint names as features;
     one that a node lacks is 0 there."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "predict", run, "write the class of every node", EXAMPLES, NOTES
    )
    add_inference_options(parser)
    add_source_options(parser)
    parser.add_argument("--out", metavar="FILE", help="CSV file (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Predict, and write the CSV."""
    predictor = Predictor.load(args.checkpoint, args.device)
    if predictor.about.multi_label:
        raise ValueError(
            f"{args.checkpoint} is a multi-label model, and a row here holds one class; use "
            "hypersage_dgl.training.Predictor, which gives a probability for each label"
        )
    source = add_features(open_source(args), args, predictor.about)
    parts = (source.graph.to(args.device), source.require_feat().to(args.device))
    prediction = predictor.predict(*parts, args.batch_size)
    text = to_csv(source, prediction, predictor.about.classes)
    if args.out is None:
        _print(text)
    else:
        write_text(args.out, text)
    return 0


def _print(text: str) -> None:
    """To a terminal as it can be shown, to anything else as it is, or not at all."""
    if sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    encoded(text)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ValueError(
            f"standard output takes {encoding}, which has no {text[error.start]!a}; write a file "
            "with --out, or set PYTHONIOENCODING=utf-8"
        ) from None
    sys.stdout.write(text)


def to_csv(source: LabelledHypergraph, prediction: Prediction, classes: Sequence[str]) -> str:
    """CSV of a prediction; classes without names are numbered."""
    labels, probabilities = prediction.label.tolist(), prediction.probability.tolist()
    names = [str(name) for name in source.node_names]
    # Before Python 3.13 the csv module leaves a lone carriage return unquoted.
    has_return = any("\r" in name for name in (*names, *classes))
    text = io.StringIO()
    writer = csv.writer(
        text, lineterminator="\n", quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL
    )
    writer.writerow(("node", "class", "probability"))
    for name, label, probability in zip(names, labels, probabilities):
        writer.writerow((name, classes[label] if classes else label, f"{probability:.6f}"))
    return text.getvalue()
