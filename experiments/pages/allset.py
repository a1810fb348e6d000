"""The table of AllSet's protocol: our ten seeds beside what others have published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Any

from ..allset import METHODS, PRECOMPUTED, SETS, candidates, finished
from ..published import PUBLISHED
from .markdown import document, markdown_table

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "mlp": "MLP",
        "hgnn": "HGNN",
        "unigcnii": "UniGCNII",
        "alldeepsets": "AllDeepSets",
        "allset-transformer": "AllSetTransformer",
        "ed-hnn": "ED-HNN",
        "tf-hnn": "TF-HNN's manner",
        "hypersage": "HyperSAGE",
        PRECOMPUTED: "HyperSAGE precomputed",
    }
)
HEADING = ("data set", "method", "test", "training", "published", "s a run", "MiB", "options")


def allset_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The block of ``protocols.md``: a row for each set and method whose ten seeds are there."""
    cells, done, ours = [], [], {}
    for name, method, found in finished(rows):
        done.append((name, method))
        if method == "hypersage":
            ours[name] = 100 * fmean(row["test_acc"] for row in found)
        known = PUBLISHED.get(method, {}).get(name)
        options = candidates(method)[found[0]["candidate"]]
        cells.append(
            (
                name,
                TITLES[method],
                _spread([row["test_acc"] for row in found]),
                _spread([row["train_acc"] for row in found]),
                "" if known is None else f"{known[0]:.1f} ± {known[1]:.1f}",
                f"{fmean(row['seconds'] for row in found):.1f}",
                str(max(row["peak_mib"] for row in found)),
                ", ".join(f"{key} {value}" for key, value in options.items()),
            )
        )
    parts = [markdown_table(HEADING, cells, left=2)] if cells else []
    parts += [beside_published(ours)] if ours else []
    left = {
        name: [TITLES[method] for method in METHODS if (name, method) not in done] for name in SETS
    }
    missing = [
        f"{name} ({'all' if len(names) == len(METHODS) else ', '.join(names)})"
        for name, names in left.items()
        if names
    ]
    if missing:
        parts.append(f"Not run yet: {'; '.join(missing)}. The command goes on where it stopped.")
    return document(parts)


def beside_published(ours: Mapping[str, float]) -> str:
    """Where HyperSAGE's mean is level with ED-HNN's published one or above, rounded to tenths.

    Examples
    --------
    >>> beside_published({"citeseer": 73.7, "pubmed": 88.9})[:54]
    "HyperSAGE's mean beside the one published for ED-HNN: "
    """
    theirs = PUBLISHED["ed-hnn"]
    leads = {n: round(ours[n], 1) - round(theirs[n][0], 1) for n in ours if n in theirs}
    told = [f"{name} {lead:+.1f}" for name, lead in leads.items()]
    return (
        f"HyperSAGE's mean beside the one published for ED-HNN: {', '.join(told) or 'none'}; at "
        f"or above on {sum(round(lead, 1) >= 0 for lead in leads.values())} of {len(leads)}."
    )


def _spread(values: list[float]) -> str:
    return f"{100 * fmean(values):.1f} ± {100 * stdev(values):.1f}"
