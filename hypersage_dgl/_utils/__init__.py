"""The ground floor: files, schemas, values, features; nothing here imports the rest."""

from .compressed import check_distinct, check_matrix, check_sparse_tensor
from .features import (
    as_dense,
    check_feat,
    check_summable,
    csr_from_scipy,
    csr_tensor,
    csr_to_scipy,
    dropped,
    entries,
    first_rows,
    is_autocast,
    is_half,
    is_mapped,
    is_sparse,
    mapped_tensor,
    rows_between,
    select_rows,
    take_rows,
    taken_rows,
)
from .graph_cache import GraphCache
from .json_files import (
    json_digest,
    parse_json,
    read_json,
    read_record,
    require_shallow,
    to_json,
    write_sealed,
)
from .npz import (
    array_names,
    check_declared,
    is_matrix,
    read_array,
    read_arrays,
    read_matrix,
    refusing_damage,
    write_matrix,
)
from .schema import JSON_TYPES, Schema, check_schema, required
from .text import (
    OBJECT_FACTOR,
    LimitError,
    PathLike,
    check_bytes,
    check_id_count,
    encoded,
    read_text,
    write_text,
)
from .values import (
    RANGE,
    IntArray,
    PerLayer,
    as_float32,
    is_positive,
    per_layer,
    require_count,
    require_layers,
    require_rate,
    shown,
)
from .writing import PART, locked, replacing
