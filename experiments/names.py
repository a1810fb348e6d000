"""What the report calls data sets, methods and ratios, and the order in which it shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .protocol import DATASETS, METHODS

Variant = tuple[str, float | None]
"""A method and its p; None for a baseline and for a searched HyperSAGE."""


class Setting(NamedTuple):
    """What a method is scored on: a data set, members drawn from a hyperedge, part of the nodes."""

    dataset: str
    alpha: int | None = None
    part: str = "test"


def variant_name(variant: Variant) -> str:
    """A method as the tables and plots call it.

    Examples
    --------
    >>> variant_name(("hypersage", 0.01)), variant_name(("hypersage", None))
    ('HyperSAGE (p=0.01)', 'HyperSAGE')
    """
    method, p = variant
    title = METHODS[method].title
    return title if p is None else f"{title} (p={p:g})"


def ordered_variants(variants: Iterable[Variant]) -> list[Variant]:
    """Each variant once: the baselines as in the paper, then HyperSAGE by rising p.

    Examples
    --------
    >>> ordered_variants([("hypersage", 1.0), ("hypersage", -1.0), ("hgnn", None)])
    [('hgnn', None), ('hypersage', -1.0), ('hypersage', 1.0)]
    """
    methods = list(METHODS)
    return sorted(set(variants), key=lambda v: (methods.index(v[0]), v[1] is None, v[1] or 0.0))


def ordered_datasets(datasets: Iterable[str]) -> list[str]:
    """Each data set once, in the order of the paper.

    Examples
    --------
    >>> ordered_datasets(["pubmed", "dblp", "pubmed"])
    ['dblp', 'pubmed']
    """
    return sorted(set(datasets), key=list(DATASETS).index)


def ratio_name(ratio: float) -> str:
    """A ratio of training to test nodes, as one to so many where it is that to four digits.

    Examples
    --------
    >>> ratio_name(0.3333), ratio_name(0.25), ratio_name(0.3), ratio_name(2.0)
    ('1:3', '1:4', '0.3:1', '2:1')
    """
    parts = round(1 / ratio)
    if parts >= 1 and abs(ratio - 1 / parts) <= 5e-5:
        return f"1:{parts}"
    return f"{ratio:.4g}:1"
