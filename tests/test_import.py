"""Importing the package: what it exposes."""

from __future__ import annotations

import re

import hypersage_dgl


def test_exposes_its_parts():
    for name in ("nn", "data", "dataloading", "hypergraph", "num_neighbors", "validate"):
        assert name in hypersage_dgl.__all__
        assert hasattr(hypersage_dgl, name)
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", hypersage_dgl.__version__)
