"""Tables of ``predict``: nodes that arrive (``--new``), and sets to rank (``--candidates``)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from ..convert import Named, Table, to_hyperedges
from ..data import LabelledHypergraph, NodeSet, from_tables, member_sets, scale_features
from ..hypergraphs import NODE
from ..nn import HyperSAGE
from ..training import About, Checkpoint, Prediction, Predictor, score_candidates
from .hyperedges import refuse
from .sources import options_for_arguments, read_within
from .task import open_with_features
from .text import UsageError

JOINS = "hyperedges"
SEPARATOR = "|"


def predict_arrivals(
    args: argparse.Namespace, predictor: Predictor, source: LabelledHypergraph
) -> tuple[LabelledHypergraph, Prediction]:
    """The nodes of ``--new``, and their classes, as if all had just arrived at ``source``."""
    if args.batch_size is not None:
        raise UsageError("--batch-size is for all nodes; leave it out with --new")
    with options_for_arguments():
        new = read_arrivals(read_within(args, args.new), predictor.about, args.node)
    names = [[str(name) for name in of] for of in (source.node_names, source.hyperedge_names)]
    known = set(names[0])
    there = next((str(name) for name in new.node_names if str(name) in known), None)
    if there is not None:
        raise ValueError(f"{args.new}: {there!r} is a node of {source.name} already")
    # As text: a name is then never taken for an id.
    predictor.attach(Named(source.graph, names[0], names[1]), source.require_feat())
    old, called = set(names[1]), [str(name) for name in new.node_names]
    joined: dict[str, list[str]] = {name: [] for name in called}
    brought: dict[str, list[str]] = {}
    for hyperedge, members in zip(map(str, new.hyperedge_names), to_hyperedges(new)):
        for member in map(str, members):
            if hyperedge in old:
                joined[member].append(hyperedge)
            else:
                brought.setdefault(hyperedge, []).append(member)
    memberships = list(joined.values())
    feat = new.require_feat().to_dense()
    if isinstance(predictor.model, HyperSAGE):
        found = predictor.predict_new(feat, memberships, list(brought.values()), names=called)
        return new, found
    # Layers of a baseline depend on more than the neighbourhood.
    done = predictor.commit(
        feat, memberships, list(brought.values()), names=called, hyperedge_names=list(brought)
    )
    grown = predictor.attached()
    everyone = predictor.predict(grown.graph, grown.feat)
    return new, Prediction(*(part[list(done.nodes)] for part in everyone))


def read_arrivals(table: Table, about: About, node: str | None = None) -> LabelledHypergraph:
    """New nodes with the features that a model knows, and the hyperedges that they join."""
    if not about.feature_names:
        raise ValueError(
            "the checkpoint does not name its features, so they cannot be found in a table; use "
            "hypersage_dgl.training.Predictor.predict_new"
        )
    if JOINS not in table:
        raise ValueError(
            f"{table.name} has no column {JOINS!r}; it says what each node joins, as in x|y"
        )
    usual = [name for name in (node, "node", next(iter(table))) if name in table]
    pairs: dict[str, list[Any]] = {"node": [], "hyperedge": []}
    for name, joined in zip(table[str(usual[0])], table[JOINS]):
        for hyperedge in _parts(joined):
            pairs["node"].append(name)
            pairs["hyperedge"].append(hyperedge)
    rest = {column: cells for column, cells in table.items() if column != JOINS}
    new = from_tables(
        pairs,
        Table({"node": rest.pop(str(usual[0])), **rest}, table.name, table.lines),
        feature_names=about.feature_names,
        name=table.name,
    )
    return scale_features(new, about.training.get("ranges", {}))


def _parts(cell: Any) -> Iterable[str]:
    """Names in a cell: text with bars, or a list (Parquet)."""
    values = cell.split(SEPARATOR) if isinstance(cell, str) else [] if cell is None else cell
    return [str(value).strip() for value in values if str(value).strip()]


def rank_candidates(args: argparse.Namespace, checkpoint: Checkpoint[Any]) -> dict[str, list[Any]]:
    """Candidates of a table, the likeliest first; messages pass on all known hyperedges."""
    if args.candidates is None:
        raise UsageError(
            f"{args.checkpoint} scores sets of nodes: name them by --candidates FILE, a table of "
            f"{args.node or NODE} and candidate"
        )
    refuse(args, "new", "probabilities", "batch_size")
    data, model = open_with_features(args, checkpoint.about), checkpoint.model.to(args.device)
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
