"""The ground floor: files, schemas, values, features; nothing here imports the rest."""

from .atomic import PART, replacing, sync_folder
from .check_features import check_feat, check_summable, is_autocast
from .check_values import IntArray, PerLayer, per_layer, require_count, require_rate, shown
from .compressed import check_distinct, check_matrix, check_sparse_tensor
from .damage import refusing_damage
from .files import (
    PathLike,
    encoded,
    json_digest,
    parse_json,
    read_json,
    read_text,
    require_shallow,
    to_json,
    write_text,
)
from .graph_cache import GraphCache
from .limits import OBJECT_FACTOR, LimitError, check_bytes, check_id_count
from .locking import locked
from .npz import (
    array_names,
    check_declared,
    is_matrix,
    read_array,
    read_arrays,
    read_matrix,
    write_matrix,
)
from .schema import JSON_TYPES, Schema, check_schema, read_record
from .sparse import (
    csr_from_scipy,
    csr_tensor,
    csr_to_scipy,
    dropped,
    first_rows,
    is_half,
    is_mapped,
    is_sparse,
    mapped_tensor,
    rows_between,
    select_rows,
    take_rows,
    taken_rows,
)

__all__ = [
    "JSON_TYPES",
    "OBJECT_FACTOR",
    "PART",
    "GraphCache",
    "IntArray",
    "LimitError",
    "PathLike",
    "PerLayer",
    "Schema",
    "array_names",
    "check_bytes",
    "check_declared",
    "check_distinct",
    "check_feat",
    "check_id_count",
    "check_matrix",
    "check_schema",
    "check_sparse_tensor",
    "check_summable",
    "csr_from_scipy",
    "csr_tensor",
    "csr_to_scipy",
    "dropped",
    "encoded",
    "first_rows",
    "is_autocast",
    "is_half",
    "is_mapped",
    "is_matrix",
    "is_sparse",
    "json_digest",
    "locked",
    "mapped_tensor",
    "parse_json",
    "per_layer",
    "read_array",
    "read_arrays",
    "read_json",
    "read_matrix",
    "read_record",
    "read_text",
    "refusing_damage",
    "replacing",
    "require_count",
    "require_rate",
    "require_shallow",
    "rows_between",
    "select_rows",
    "shown",
    "sync_folder",
    "take_rows",
    "taken_rows",
    "to_json",
    "write_matrix",
    "write_text",
]
