"""Rank candidates of a table by a model of ``train --task hyperedge``."""

from __future__ import annotations

import argparse
from typing import Any

from ..convert import Table
from ..data import LabelledHypergraph, NodeSet, member_sets
from ..hypergraphs import NODE
from ..training import Checkpoint, score_candidates
from .hyperedges import open_sets, refuse
from .sources import read_within
from .task import options_for_arguments
from .text import UsageError


def rank_candidates(args: argparse.Namespace, checkpoint: Checkpoint[Any]) -> dict[str, list[Any]]:
    """Candidates of a table, the likeliest first; messages pass on all known hyperedges."""
    if args.candidates is None:
        raise UsageError(
            f"{args.checkpoint} scores sets of nodes: name them by --candidates FILE, a table of "
            f"{args.node or NODE} and candidate"
        )
    refuse(args, "new", "probabilities", "batch_size")
    data, model = open_sets(args, checkpoint.about), checkpoint.model.to(args.device)
    with options_for_arguments():
        sets = read_candidates(read_within(args, args.candidates), data, args.node or NODE)
    graph, feat = data.graph.to(args.device), data.require_feat().to(args.device)
    found = score_candidates(model, graph, feat, list(sets.values())).cpu()
    order = found.argsort(descending=True, stable=True).tolist()
    names, known = list(sets), set(member_sets(data.graph))
    return {
        "candidate": [names[i] for i in order],
        "probability": [round(float(found[i]), 6) for i in order],
        "known": ["yes" if sets[names[i]] in known else "no" for i in order],
    }


def read_candidates(rows: Table, data: LabelledHypergraph, key: str) -> dict[str, NodeSet]:
    """Sets of nodes by the name of the candidate, from a table with a row for each member."""
    for column in (key, "candidate"):
        if column not in rows:
            raise ValueError(f"{rows.name} has no column {column!r}; it needs {key} and candidate")
    ids = {str(name): i for i, name in enumerate(data.node_names)}
    sets: dict[str, set[int]] = {}
    for row, (node, candidate) in enumerate(zip(rows[key], rows["candidate"])):
        if str(node) not in ids:
            raise ValueError(f"{rows.place(row)}: {str(node)!r:.60} is no node of {data.name}")
        sets.setdefault(str(candidate), set()).add(ids[str(node)])
    if not sets:
        raise ValueError(f"{rows.name} has no rows, so there is nothing to score")
    return {candidate: tuple(sorted(members)) for candidate, members in sets.items()}
