"""Data sets as ``dgl.data.DGLDataset``: benchmarks, an embedded real set, a generator."""

from .arrays import HypergraphArrays, Split
from .catalogue import (
    BenchmarkDataset,
    DebianDataset,
    SyntheticDataset,
    dataset_names,
    load_dataset,
)
from .dataset import ArraysDataset, HypergraphDataset
from .debian import debian_names
from .splits import InductiveSplit, carve_validation, inductive_split, random_split
from .synthetic import generate

__all__ = [
    "ArraysDataset",
    "BenchmarkDataset",
    "DebianDataset",
    "HypergraphArrays",
    "HypergraphDataset",
    "InductiveSplit",
    "Split",
    "SyntheticDataset",
    "carve_validation",
    "dataset_names",
    "debian_names",
    "generate",
    "inductive_split",
    "load_dataset",
    "random_split",
]
