"""Columns of numbers brought to 0 to 1 by the training nodes, so that none outweighs the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from ..._utils import JSON_TYPES, csr_from_scipy, csr_to_scipy, is_sparse, shown
from ..labelled import LabelledHypergraph
from .columns import LARGEST


class Range(NamedTuple):
    """Smallest and largest number of a column, and the mean, which a blank gets."""

    low: float
    high: float
    mean: float


def measure_ranges(data: LabelledHypergraph, nodes: Tensor) -> dict[str, Range]:
    """Ranges of the columns of numbers of a table at some nodes, those to train on.

    Columns that lie between -1 and 1 there are left out: they outweigh nothing. So are words,
    categories and vectors.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl.data import from_tables
    >>> people = {"node": ["ann", "bob", "cy"], "born": [1950, 1990, None], "tall": [0.2, 0.1, 0.3]}
    >>> data = from_tables({"node": ["ann", "bob"], "hyperedge": ["x", "x"]}, people)
    >>> ranges = measure_ranges(data, torch.arange(3))
    >>> ranges
    {'born': Range(low=1950.0, high=1990.0, mean=1970.0)}
    >>> scale_features(data, ranges).feat.to_dense()[:, 0]
    tensor([0.0000, 1.0000, 0.5000])
    """
    cells = data.attributes.nodes
    columns = {column for attributes in cells.values() for column in attributes}
    matrix, ranges = _by_column(data), {}
    for place, name in enumerate(data.feature_names):
        if name not in columns:
            continue
        # Where no training node has a number, those of the others are better than none.
        known = [i for i in nodes.tolist() if name in cells.get(i, ())]
        numbers = _column(matrix, place)[known or [i for i in cells if name in cells[i]]]
        low, high = float(numbers.min()), float(numbers.max())
        if not -1 <= low <= high <= 1:
            ranges[name] = Range(low, high, float(numbers.mean()))
    return ranges


def scale_features(
    data: LabelledHypergraph, ranges: Mapping[str, Iterable[float]]
) -> LabelledHypergraph:
    """The same with columns as shares of their ranges, those of :func:`measure_ranges`.

    A blank becomes the mean, also where a table lacks the whole column.
    """
    places = {place: name for place, name in enumerate(data.feature_names) if name in ranges}
    if not places:
        return data
    matrix = _by_column(data)
    made = {
        place: _scaled(_column(matrix, place), name, data, _checked(name, ranges))
        for place, name in places.items()
    }
    feat = data.require_feat()
    if not is_sparse(feat):
        feat = feat.clone()
        for place, column in made.items():
            feat[:, place] = torch.from_numpy(column)
        return replace(data, feat=feat)
    old = matrix.tocoo()
    kept = ~np.isin(old.col, list(made))
    everyone = np.arange(data.num_nodes)
    parts = [(old.data[kept], old.row[kept], old.col[kept])]
    parts += [(c, everyone, np.full_like(everyone, place)) for place, c in made.items()]
    values, rows, columns = (np.concatenate(part) for part in zip(*parts))
    new = sparse.csr_matrix((values, (rows, columns)), shape=old.shape)
    new.eliminate_zeros()
    return replace(data, feat=csr_from_scipy(new))


def _by_column(data: LabelledHypergraph) -> sparse.csc_matrix:
    feat = data.require_feat()
    return sparse.csc_matrix(csr_to_scipy(feat) if is_sparse(feat) else feat.double().numpy())


def _column(matrix: sparse.csc_matrix, place: int) -> np.ndarray[Any, Any]:
    column: np.ndarray[Any, Any] = matrix[:, [place]].toarray().ravel()
    return column


def _scaled(
    numbers: np.ndarray[Any, Any], name: str, data: LabelledHypergraph, scale: Range
) -> np.ndarray[Any, Any]:
    cells = data.attributes.nodes
    if cells:
        # A number from elsewhere, say a matrix, needs no attribute.
        blank = [i for i in np.flatnonzero(numbers == 0) if name not in cells.get(int(i), ())]
        numbers[blank] = scale.mean
    return (numbers - scale.low) / (scale.high - scale.low or max(1.0, abs(scale.high)))


def _checked(name: str, ranges: Mapping[str, Iterable[float]]) -> Range:
    """A range that a file may hold."""
    given = ranges[name]
    if not (
        isinstance(given, (list, tuple))
        and len(given) == len(Range._fields)
        and all(JSON_TYPES["number"](part) and abs(part) <= LARGEST for part in given)
        and given[0] <= given[1]
    ):
        raise ValueError(
            f"the range of column {name!r} is {shown(given, 60)}; it must be the smallest and the "
            "largest number and the mean"
        )
    return Range(*map(float, given))
