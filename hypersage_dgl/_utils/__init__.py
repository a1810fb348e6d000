"""The ground floor: files, schemas, values, features; nothing here imports the rest."""

from .atomic import replacing
from .cache import GraphCache
from .damage import refusing_damage
from .features import check_feat, is_autocast
from .files import PathLike, read_json, read_text, to_json, write_text
from .npz import array_names, is_matrix, read_array, read_matrix, write_matrix
from .schema import JSON_TYPES, Schema, check_schema, read_record
from .sparse import (
    csr_from_scipy,
    csr_to_scipy,
    dropped,
    first_rows,
    is_sparse,
    select_rows,
    take_rows,
)
from .values import IntArray, PerLayer, per_layer, require_count, require_rate

__all__ = [
    "JSON_TYPES",
    "GraphCache",
    "IntArray",
    "PathLike",
    "PerLayer",
    "Schema",
    "array_names",
    "check_feat",
    "check_schema",
    "csr_from_scipy",
    "csr_to_scipy",
    "dropped",
    "first_rows",
    "is_autocast",
    "is_matrix",
    "is_sparse",
    "per_layer",
    "read_array",
    "read_json",
    "read_matrix",
    "read_record",
    "read_text",
    "refusing_damage",
    "replacing",
    "require_count",
    "require_rate",
    "select_rows",
    "take_rows",
    "to_json",
    "write_matrix",
    "write_text",
]
