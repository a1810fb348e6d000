"""A page on a run that learned which sets of nodes are hyperedges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .._utils import PathLike
from ..data import LabelledHypergraph, NodeSet
from ..hypergraphs import CONTAINS
from ..training import History, RankScores, auroc
from .figure import class_colour
from .findings import MOST_MEMBERS, embedding_map, range_name
from .page import percent, picture_of, run_content, write_page

MOST_SETS, MOST_NAMES, BINS = 10, 8, 10
SIZES = ((2, 2), (3, 3), (4, 5), (6, 10), (11, None))
# Numbers of hyperedges of a node, from which a colour of the map begins.
DEGREES = {"no hyperedge": 0, "1": 1, "2": 2, "3 to 5": 3, "6 to 10": 6, "11 or more": 11}


@dataclass(frozen=True)
class HyperedgeReport:
    """All that the page is made of.

    Parameters
    ----------
    data
        The hypergraph, with names of nodes.
    positives, negatives
        Hyperedges that were held out, and for each kind of negatives its sets.
    probabilities
        One for each of them, in this order.
    scores
        Those of ``evaluate_hyperedges``.
    history, options, command
        As in :class:`RunReport`.
    embedding
        A row for each node, to draw a map of.
    """

    data: LabelledHypergraph
    positives: Sequence[NodeSet]
    negatives: Mapping[str, Sequence[NodeSet]]
    probabilities: Tensor
    scores: Mapping[str, RankScores]
    history: History | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    embedding: Tensor | None = None

    def __post_init__(self) -> None:
        count = len(self.positives) + sum(map(len, self.negatives.values()))
        if tuple(self.probabilities.shape) != (count,):
            raise ValueError(
                f"probabilities have the shape {tuple(self.probabilities.shape)}; {count} sets "
                f"need {(count,)}, one for each"
            )


class Candidate(NamedTuple):
    """A set of nodes as people see it."""

    members: NodeSet
    names: str
    kind: str
    probability: float


def write_hyperedge_report(report: HyperedgeReport, path: PathLike) -> Path:
    """Write the page as HTML that needs nothing else, as :func:`write_report` does."""
    history, mean = report.history, report.scores["mean"]
    tiles = [
        (percent(mean.auroc), "mean AUROC, %"),
        (percent(mean.average_precision), "mean AP, %"),
    ]
    if history is not None and history.best_val is not None:
        tiles.append((percent(history.best_val), "best validation AUROC, %"))
    kinds = {"hyperedges": report.positives, **report.negatives}
    parts = dict(
        zip(kinds, torch.split(report.probabilities.cpu(), [len(s) for s in kinds.values()]))
    )
    doubted = _ranked(report.data, {"hyperedges": report.positives}, parts, descending=False)
    return write_page(
        path,
        "hyperedges.html",
        **run_content(report.data, history, report.options, report.command),
        scored=f"Scored on {len(report.positives):,} hyperedges that were held out, against sets "
        "of nodes that are none.",
        tiles=tiles,
        kinds=[
            (kind, len(report.negatives[kind]), *report.scores[kind]) for kind in report.negatives
        ],
        by_size=_by_size(kinds, parts),
        bins=[f"{100 * k // BINS}" for k in range(BINS)],
        spread={kind: _spread(found) for kind, found in parts.items() if len(found)},
        doubted=doubted,
        believed=_ranked(report.data, report.negatives, parts, descending=True),
        map=_map(report),
        legend=[(name, class_colour(k)) for k, name in enumerate(DEGREES)],
        sampled=False,
        picture=_picture(report, doubted),
    )


def _by_size(
    kinds: Mapping[str, Sequence[NodeSet]], parts: Mapping[str, Tensor]
) -> list[tuple[str, int, float]]:
    """AUROC of the hyperedges of some size among all sets of that size."""
    sizes = torch.tensor([len(members) for sets in kinds.values() for members in sets])
    truth = torch.arange(len(sizes)) < len(kinds["hyperedges"])
    found, rows = torch.cat(list(parts.values())), []
    for low, high in SIZES:
        chosen = (sizes >= low) & (sizes <= (high or torch.inf))
        held = int(truth[chosen].sum())
        if 0 < held < int(chosen.sum()):
            rows.append((range_name(low, high), held, auroc(truth[chosen].long(), found[chosen])))
    return rows


def _spread(probabilities: Tensor) -> list[float]:
    """Share of the sets in each tenth of the probabilities."""
    places = (probabilities * BINS).long().clamp(0, BINS - 1)
    shares: list[float] = (torch.bincount(places, minlength=BINS) / len(places)).tolist()
    return shares


def _ranked(
    data: LabelledHypergraph,
    kinds: Mapping[str, Sequence[NodeSet]],
    parts: Mapping[str, Tensor],
    *,
    descending: bool,
) -> list[Candidate]:
    """The first sets by their probability; a set that was drawn twice stands once."""
    found: dict[NodeSet, Candidate] = {}
    for kind, sets in kinds.items():
        for members, probability in zip(sets, parts[kind].tolist()):
            found.setdefault(members, Candidate(members, _names(data, members), kind, probability))
    order = sorted(found.values(), key=lambda c: c.probability, reverse=descending)
    return order[:MOST_SETS]


def _names(data: LabelledHypergraph, members: NodeSet) -> str:
    names = ", ".join(str(data.node_names[i]) for i in members[:MOST_NAMES])
    more = len(members) - MOST_NAMES
    return f"{names} and {more} more" if more > 0 else names


def _map(report: HyperedgeReport) -> Any:
    if report.embedding is None:
        return None
    degree = report.data.graph.in_degrees(etype=CONTAINS).cpu()
    bounds = torch.tensor(list(DEGREES.values())[1:])
    groups = torch.bucketize(degree, bounds, right=True)
    is_wrong = torch.zeros(len(degree), dtype=torch.bool)
    return embedding_map(report.data, report.embedding, torch.arange(len(degree)), groups, is_wrong)


def _picture(report: HyperedgeReport, doubted: Sequence[Candidate]) -> dict[str, Any] | None:
    """What the first member of the least believed hyperedge sees that can be looked at."""
    for candidate in doubted:
        if len(candidate.members) <= MOST_MEMBERS:
            said = f"{candidate.names} is a hyperedge ({percent(candidate.probability)} % sure)."
            return picture_of(report.data, candidate.members[0], said)
    return None
