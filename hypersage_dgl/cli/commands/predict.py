"""``hypersage predict``: the class of every node of a hypergraph, by name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..._utils import encoded, write_text
from ...data import REGRESSION
from ...hypergraphs import HYPEREDGE
from ...training import EMBEDDING, PREDICTION, Checkpoint, Predictor, load_checkpoint
from ..arrivals import predict_arrivals, rank_candidates
from ..options import SubParsers, add_command, add_inference_options, add_source_options
from ..reminders import HYPEREDGE_LABEL
from ..task import hyperedges_as_nodes, open_with_features
from ..text import (
    FORMATS,
    UsageError,
    columns_of,
    format_of,
    printable,
    to_csv,
    to_records,
    write_parquet,
)

EXAMPLES = (
    "hypersage predict model --dataset synthetic --out classes.csv",
    "hypersage predict own-model --hypergraph recipes.npz | head -3",
    "hypersage predict own-model --hypergraph unseen.json --features unseen-words.csv",
)
NOTES = """Writes CSV with the columns node, class and probability, a line for each node.
Models of several labels write the column labels, those of numbers value; those of
--hyperedge-label have a line for each hyperedge, and its name in column hyperedge.

The features of the nodes are, whichever is there first,
  1. in --features FILE: a table with a column of names (csv, tsv, parquet), or a
     matrix (scipy.sparse.save_npz, npy, npz) whose row i is for node i: nodes
     that have names need a table;
  2. with the hypergraph: the columns of --nodes; in a labelled npz file; in a
     saved folder as node data `feat`;
  3. the attributes of the nodes (HIF) that the checkpoint names as features;
     one that a node lacks is 0 there.

With --new only the nodes of that table are predicted, all as if they had just arrived
at the hypergraph; their features are its columns, by name.

With --candidates, sets of nodes are ranked: the columns are candidate, probability and
known, which says whether the set is a hyperedge already."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "predict", run, "write the class of every node", EXAMPLES, NOTES
    )
    add_inference_options(parser)
    add_source_options(parser)
    parser.add_argument(
        "--new",
        metavar="FILE",
        help="predict nodes that arrive: a table as --nodes, with a column `hyperedges` of those "
        "that each joins, as in x|y; one that is not there yet arrives, too",
    )
    parser.add_argument(
        "--candidates",
        metavar="FILE",
        help="rank sets of nodes by a model of `train --task hyperedge`: a table of node and "
        "candidate, with a row for each member; --node names the first column here, too",
    )
    parser.add_argument("--out", metavar="FILE", help="file to write (default: standard output)")
    parser.add_argument(
        "--format", choices=FORMATS, help="what to write (default: by the name of --out, else csv)"
    )
    parser.add_argument(
        "--probabilities", action="store_true", help="write the probability of every class"
    )


def run(args: argparse.Namespace) -> int:
    """Predict, and write the classes."""
    args.format = args.format or format_of(args.out)
    if args.format == "parquet" and args.out is None:
        raise UsageError("--format parquet needs --out, a file to write to")
    checkpoint = load_checkpoint(args.checkpoint)
    task = checkpoint.about.task
    columns = (rank_candidates if task == PREDICTION else _predicted)(args, checkpoint)
    if args.format == "parquet":
        write_parquet(columns, Path(args.out))
        return 0
    # Six digits after the point are none of a small number.
    digits = ".7g" if task == REGRESSION else ".6f"
    text = to_csv(columns, digits) if args.format == "csv" else to_records(columns)
    if args.out is None:
        _print(text)
    else:
        write_text(args.out, text)
    return 0


def _predicted(args: argparse.Namespace, checkpoint: Checkpoint[Any]) -> dict[str, list[Any]]:
    """Columns of the prediction of every node, or of those that arrive."""
    if args.candidates is not None:
        raise UsageError(
            f"--candidates needs a model of `train --task hyperedge`; {args.checkpoint} is one of "
            f"{checkpoint.about.task}"
        )
    if checkpoint.about.task == EMBEDDING:
        raise ValueError(f"{args.checkpoint} embeds nodes; `hypersage embed --checkpoint` uses it")
    if args.probabilities and checkpoint.about.task == REGRESSION:
        raise UsageError(
            f"--probabilities: {args.checkpoint} predicts numbers, which have no probability"
        )
    predictor = Predictor(checkpoint.model.to(args.device), checkpoint.about)
    source = open_with_features(args, predictor.about)
    of_hyperedges = HYPEREDGE_LABEL in predictor.about.training
    if of_hyperedges:
        if args.new is not None:
            raise UsageError(
                f"--new adds nodes, and {args.checkpoint} predicts hyperedges; give a hypergraph "
                "that has the new ones"
            )
        source = hyperedges_as_nodes(source)
    if args.new is None:
        prediction = predictor.predict(source, source.require_feat(), args.batch_size)
    else:
        source, prediction = predict_arrivals(args, predictor, source)
    columns = columns_of(source, prediction, predictor.about, every=args.probabilities)
    return {HYPEREDGE: columns.pop("node"), **columns} if of_hyperedges else columns


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
