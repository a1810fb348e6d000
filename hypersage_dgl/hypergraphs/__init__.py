"""Build, validate, measure, cut and grow the bipartite heterograph that is our hypergraph."""

from .blocks import (
    TRUE_DEGREE,
    TRUE_SIZE,
    Slices,
    attach_counts,
    attach_neighbors,
    half_hop,
    one_thread,
    priority_sample,
    with_counts,
)
from .build import CONTAINS, HYPEREDGE, IN, NODE, hypergraph, hypergraph_from_incidence
from .cut import DERIVED, induced, remove_hyperedges, remove_nodes
from .distributed import (
    WITH_SELF,
    WITHOUT_SELF,
    attach_stored,
    check_stored,
    is_distributed,
    stored_neighbors,
)
from .grow import add_hyperedges, add_incidences, add_nodes
from .ids import Ids, Weights, as_ids, as_weights
from .measure import (
    Summary,
    check_relations,
    contains_ids,
    incidences,
    require_distinct,
    require_types,
    summary,
    validate,
)
from .neighbors import NUM_NEIGHBORS, num_neighbors

__all__ = [
    "CONTAINS",
    "DERIVED",
    "HYPEREDGE",
    "IN",
    "NODE",
    "NUM_NEIGHBORS",
    "TRUE_DEGREE",
    "TRUE_SIZE",
    "WITHOUT_SELF",
    "WITH_SELF",
    "Ids",
    "Slices",
    "Summary",
    "Weights",
    "add_hyperedges",
    "add_incidences",
    "add_nodes",
    "as_ids",
    "as_weights",
    "attach_counts",
    "attach_neighbors",
    "attach_stored",
    "check_relations",
    "check_stored",
    "contains_ids",
    "half_hop",
    "hypergraph",
    "hypergraph_from_incidence",
    "incidences",
    "induced",
    "is_distributed",
    "num_neighbors",
    "one_thread",
    "priority_sample",
    "remove_hyperedges",
    "remove_nodes",
    "require_distinct",
    "require_types",
    "stored_neighbors",
    "summary",
    "validate",
    "with_counts",
]
