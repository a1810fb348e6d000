"""``hypersage embed``: embeddings of nodes without labels."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from torch import nn

from ..._utils import replacing
from ...nn import HyperSAGE
from ...training import (
    EMBEDDING,
    About,
    CoMembership,
    CoMembershipBatches,
    embed,
    fit,
    has_checkpoint,
    load_checkpoint,
    sampler_for,
    save_checkpoint,
    seed_everything,
)
from ..option_values import above_zero, fan_out, positive
from ..options import SubParsers, add_command, add_device_option, add_source_options
from ..task import open_with_features
from ..text import INTERRUPTED, UsageError, printable

if TYPE_CHECKING:
    from ...data import LabelledHypergraph

EXAMPLES = (
    "hypersage embed --dataset synthetic --epochs 2 --out embeddings.npy --checkpoint encoder",
    "hypersage embed --dataset synthetic --seed 1 --out others.npy --checkpoint encoder",
)
NOTES = """Trains a HyperSAGE without labels: nodes that share a hyperedge are to be near, nodes
drawn by degree are not (GraphSAGE's loss). Row i of the file is the embedding of node i,
in the order of `hypersage predict`. With --checkpoint the encoder is kept; where the
folder has one, that embeds, and nothing is trained: also nodes it has never seen."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "embed", run, "write embeddings of nodes", EXAMPLES, NOTES)
    add_source_options(parser)
    add_device_option(parser)
    add = parser.add_argument
    add("--out", metavar="FILE", required=True, help="file to write, .npy: nodes x width, float32")
    add("--checkpoint", metavar="FOLDER", help="keep the encoder here, or use the one that is")
    add("--epochs", type=positive, default=10, help="(default: %(default)s)")
    add("--lr", type=above_zero, default=0.005, help="learning rate (default: %(default)s)")
    add(
        "--hidden", type=positive, default=128, help="width of layers and embeddings (default: 128)"
    )
    add("--layers", type=positive, default=1, help="(default: %(default)s)")
    add("--negatives", type=positive, default=5, help="for each positive (default: %(default)s)")
    add("--batch-size", type=positive, default=512, metavar="NODES", help="(default: %(default)s)")
    add("--alpha", type=fan_out, help="sample so many members of a hyperedge (default: all)")
    add("--beta", type=fan_out, help="sample so many hyperedges of a node (default: all)")


def run(args: argparse.Namespace) -> int:
    """Train, unless there is an encoder, and write the embeddings."""
    if Path(args.out).suffix != ".npy":
        raise UsageError(f"--out is {args.out}; it must end in .npy")
    kept = None
    if args.checkpoint is not None and has_checkpoint(args.checkpoint):
        kept = load_checkpoint(args.checkpoint)
        if kept.about.task != EMBEDDING:
            raise ValueError(f"{args.checkpoint} was trained for {kept.about.task}, not to embed")
    about = None if kept is None else kept.about
    data = open_with_features(args, about)
    encoder = _train(args, data) if kept is None else kept.model.to(args.device)
    if encoder is None:
        return INTERRUPTED
    found = embed(encoder, data.graph.to(args.device), data.require_feat().to(args.device))
    with replacing(Path(args.out)) as file:
        np.save(file, found.cpu().numpy())
    print(printable(f"{data.name}: {found.shape[0]:,} nodes x {found.shape[1]} in {args.out}"))
    return 0


def _train(args: argparse.Namespace, data: LabelledHypergraph) -> nn.Module | None:
    """A new encoder, kept if there is a folder for it; None after Ctrl-C."""
    seed_everything(args.seed)
    graph, feat = data.graph.to(args.device), data.require_feat().to(args.device)
    encoder = HyperSAGE(data.num_feats, args.hidden, args.hidden, args.layers, dropout=0.0)
    encoder = encoder.to(args.device)
    sampler = None
    if args.alpha is not None or args.beta is not None:
        alpha, beta = (-1 if n is None else n for n in (args.alpha, args.beta))
        sampler = sampler_for(encoder, graph, alpha, beta)
    sizes = {"batch_size": args.batch_size, "negatives": args.negatives}
    history = fit(
        CoMembership(encoder),
        CoMembershipBatches(graph, feat, sampler, **sizes),
        epochs=args.epochs,
        lr=args.lr,
        weight_decay=0.0,
        seed=args.seed,
    )
    if history.stopped == "interrupted":
        return None
    print(f"trained {len(history.epochs)} epochs, last loss {history.epochs[-1].loss:.4f}")
    if args.checkpoint is not None:
        training = {"seed": args.seed}
        about = About(feature_names=data.feature_names, task=EMBEDDING, training=training)
        save_checkpoint(args.checkpoint, encoder, about)
        print(f"kept in {printable(args.checkpoint)}")
    return encoder
