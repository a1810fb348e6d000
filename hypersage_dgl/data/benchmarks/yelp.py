"""Read yelp of AllSet (Chien et al., ICLR 2022): restaurants, and who went to them, as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import import_module
from io import StringIO
from typing import Any

import numpy as np
import torch
from scipy import sparse

from ..._utils import IntArray, csr_from_scipy
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph

PLACES, AREAS = "yelp_restaurant_latlong.csv", "yelp_restaurant_locations.csv"
NAMES, STARS = "yelp_restaurant_name.csv", "yelp_restaurant_business_stars.csv"
VISITS = "yelp_restaurant_incidence_H.csv"
YELP_FILES = (PLACES, AREAS, NAMES, STARS, VISITS)
# So many words AllSet takes, the commonest of all names.
WORDS = 1000


def word_counter() -> Any:
    """What counts the words of names, as AllSet does; refuse to go on without scikit-learn."""
    try:
        text: Any = import_module("sklearn.feature_extraction.text")
    except ImportError:
        raise ImportError(
            "the words of yelp's names need scikit-learn: pip install 'hypersage-dgl[scores]'"
        ) from None
    return text.CountVectorizer(max_features=WORDS, stop_words="english", strip_accents="ascii")


def read_yelp(files: Mapping[str, str], counter: Any) -> LabelledHypergraph:
    """A node is a restaurant, a hyperedge has those of a visitor, the class is the stars.

    Features are latitude and longitude, state and city as one-hot rows, and the words of the name.
    """
    areas, visits = _columns(files[AREAS]), _columns(files[VISITS])
    stars = [row[0] for row in _rows(files[STARS])[1:]]
    names = [row[0] for row in _rows(files[NAMES])[1:]]
    places = np.array(_rows(files[PLACES])[1:], dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"{PLACES} must have two columns, latitude and longitude")
    states, cities = (_one_hot(_whole(areas[key])) for key in ("state_int", "city_int"))
    counts = {PLACES: len(places), AREAS: states.shape[0], NAMES: len(names), STARS: len(stars)}
    if len(set(counts.values())) > 1:
        raise ValueError(f"the files differ in how many restaurants they have: {counts}")
    words = counter.fit_transform(names)
    # Both are counted from 1.
    nodes, visitors = (_whole(visits[key]) - 1 for key in ("node", "he"))
    classes = np.unique(np.array(stars, dtype=np.float64), return_inverse=True)[1]
    feat = sparse.hstack([places, states, cities, words], format="csr", dtype=np.float32)
    return LabelledHypergraph(
        hypergraph_from_incidence(nodes, visitors, num_nodes=len(names)),
        name="yelp",
        feat=csr_from_scipy(feat),
        labels=torch.from_numpy(classes.astype(np.int64)),
    )


def _rows(text: str) -> list[list[str]]:
    """All rows, the heading first; a comma in quotes is part of a name."""
    return [row for row in csv.reader(StringIO(text, newline=""), strict=True) if row]


def _columns(text: str) -> dict[str, tuple[str, ...]]:
    heading, *rows = _rows(text)
    return dict(zip(heading, zip(*rows, strict=True)))


def _whole(column: tuple[str, ...]) -> IntArray:
    return np.array(column, dtype=np.int64)


def _one_hot(numbers: IntArray) -> sparse.csr_matrix:
    """A column for each number from 1 on."""
    if numbers.min() < 1 or numbers.max() > len(numbers):
        raise ValueError(f"numbers of places go from {numbers.min()} to {numbers.max()}")
    ones = np.ones(len(numbers), dtype=np.float32)
    return sparse.csr_matrix((ones, (np.arange(len(numbers)), numbers - 1)))
