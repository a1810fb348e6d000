"""Accuracies that others have published in this protocol, in percent: mean and deviation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Table 2 of ED-HNN (Wang et al., ICLR 2023), read where a later paper repeats it.
_SETS = ("cora-cocitation", "citeseer", "pubmed", "cora-coauthorship", "dblp", "walmart-trips")
_ROWS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "hgnn": (
        *((79.39, 1.36), (72.45, 1.16), (86.44, 0.44)),
        *((82.64, 1.65), (91.03, 0.20), (62.00, 0.24)),
    ),
    "unigcnii": (
        *((78.81, 1.05), (73.05, 2.21), (88.25, 0.40)),
        *((83.60, 1.14), (91.69, 0.19), (54.45, 0.37)),
    ),
    "alldeepsets": (
        *((76.88, 1.80), (70.83, 1.63), (88.75, 0.33)),
        *((81.97, 1.50), (91.27, 0.27), (64.55, 0.33)),
    ),
    "allset-transformer": (
        *((78.58, 1.47), (73.08, 1.20), (88.72, 0.37)),
        *((83.63, 1.47), (91.53, 0.23), (65.46, 0.25)),
    ),
    "ed-hnn": (
        *((80.31, 1.35), (73.70, 1.38), (89.03, 0.53)),
        *((83.97, 1.55), (91.90, 0.19), (66.91, 0.41)),
    ),
}
PUBLISHED: Mapping[str, Mapping[str, tuple[float, float]]] = MappingProxyType(
    {method: MappingProxyType(dict(zip(_SETS, row))) for method, row in _ROWS.items()}
)
