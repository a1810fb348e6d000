"""The labelled hypergraph, and where it comes from: benchmarks, an embedded set, files."""

from .allset import noisy_labels
from .allset_files import ALLSET, ALLSET_NAMES, NOISY
from .benchmark import converted_file
from .benchmark_files import BENCHMARKS, Benchmark
from .catalogue import BenchmarkDataset, DebianDataset, SyntheticDataset, load_dataset
from .classes import with_labels
from .dataset import HypergraphDataset
from .dual import dual
from .features import is_table, read_features, with_features
from .folders import cache_dir
from .hyperedge_columns import hyperedge_columns, with_hyperedge_features
from .hyperedge_splits import HyperedgeSplit, NodeSet, hold_out, member_sets, split_hyperedges
from .inductive import InductiveSplit, inductive_split
from .labelled import LabelledHypergraph
from .loading import FORMS, UnknownFormError, dataset_names, form_of, load
from .locate import DATA_DIR_VARIABLE, named_folder
from .mapped import map_features, read_mapped, write_rows
from .negatives import NEGATIVES, NegativeSampler
from .partition import partition, read_about
from .planes import fano
from .scaling import Range, measure_ranges, scale_features
from .similar import knn_hyperedges
from .split_file import read_split
from .splits import (
    Split,
    SplitLike,
    as_mask,
    carve_validation,
    choose_split,
    random_split,
    stratified_split,
)
from .synthetic import PRESETS, generate
from .tables import from_lists, from_tables, incidence_columns
from .targets import CLASSIFICATION, MULTILABEL, REGRESSION, TASKS, with_targets

__all__ = [
    "ALLSET",
    "ALLSET_NAMES",
    "BENCHMARKS",
    "CLASSIFICATION",
    "DATA_DIR_VARIABLE",
    "FORMS",
    "MULTILABEL",
    "NEGATIVES",
    "NOISY",
    "PRESETS",
    "REGRESSION",
    "TASKS",
    "Benchmark",
    "BenchmarkDataset",
    "DebianDataset",
    "HyperedgeSplit",
    "HypergraphDataset",
    "InductiveSplit",
    "LabelledHypergraph",
    "NegativeSampler",
    "NodeSet",
    "Range",
    "Split",
    "SplitLike",
    "SyntheticDataset",
    "UnknownFormError",
    "as_mask",
    "cache_dir",
    "carve_validation",
    "choose_split",
    "converted_file",
    "dataset_names",
    "dual",
    "fano",
    "form_of",
    "from_lists",
    "from_tables",
    "generate",
    "hold_out",
    "hyperedge_columns",
    "incidence_columns",
    "inductive_split",
    "is_table",
    "knn_hyperedges",
    "load",
    "load_dataset",
    "map_features",
    "measure_ranges",
    "member_sets",
    "named_folder",
    "noisy_labels",
    "partition",
    "random_split",
    "read_about",
    "read_features",
    "read_mapped",
    "read_split",
    "scale_features",
    "split_hyperedges",
    "stratified_split",
    "with_features",
    "with_hyperedge_features",
    "with_labels",
    "with_targets",
    "write_rows",
]
