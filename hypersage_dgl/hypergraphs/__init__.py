"""Build, validate, measure, cut and grow the bipartite heterograph that is our hypergraph."""

from .build import CONTAINS, HYPEREDGE, IN, NODE, hypergraph, hypergraph_from_incidence
from .cut import induced, remove_hyperedges, remove_nodes
from .grow import add_hyperedges, add_incidences, add_nodes
from .measure import Summary, summary, validate
from .neighbors import NUM_NEIGHBORS, num_neighbors

__all__ = [
    "CONTAINS",
    "HYPEREDGE",
    "IN",
    "NODE",
    "NUM_NEIGHBORS",
    "Summary",
    "add_hyperedges",
    "add_incidences",
    "add_nodes",
    "hypergraph",
    "hypergraph_from_incidence",
    "induced",
    "num_neighbors",
    "remove_hyperedges",
    "remove_nodes",
    "summary",
    "validate",
]
