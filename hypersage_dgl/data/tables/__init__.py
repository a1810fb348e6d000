"""What tables and attributes say, all by name: members, features, classes, splits."""

from .build import from_lists, from_tables
from .features import is_table, with_features
from .hyperedges import dual, hyperedge_columns, with_hyperedge_features
from .keyed import incidence_columns, read_split
from .scaling import Range, measure_ranges, scale_features
from .targets import CLASSIFICATION, MULTILABEL, REGRESSION, TASKS, with_labels, with_targets

__all__ = [
    "CLASSIFICATION",
    "MULTILABEL",
    "REGRESSION",
    "TASKS",
    "Range",
    "dual",
    "from_lists",
    "from_tables",
    "hyperedge_columns",
    "incidence_columns",
    "is_table",
    "measure_ranges",
    "read_split",
    "scale_features",
    "with_features",
    "with_hyperedge_features",
    "with_labels",
    "with_targets",
]
