"""HyperSAGE on DGL: inductive two-level message passing on hypergraphs."""

from . import (
    _interrupt,  # noqa: F401  (Ctrl-C during all that is imported below)
    _stack,  # noqa: F401  (checks the installed DGL before anything imports it)
    convert,
    data,
    dataloading,
    nn,
    training,
)
from ._version import __version__
from .hypergraphs import (
    Summary,
    add_hyperedges,
    add_incidences,
    add_nodes,
    hypergraph,
    hypergraph_from_incidence,
    induced,
    num_neighbors,
    remove_hyperedges,
    remove_nodes,
    summary,
    validate,
)

__all__ = [
    "Summary",
    "__version__",
    "add_hyperedges",
    "add_incidences",
    "add_nodes",
    "convert",
    "data",
    "dataloading",
    "hypergraph",
    "hypergraph_from_incidence",
    "induced",
    "nn",
    "num_neighbors",
    "remove_hyperedges",
    "remove_nodes",
    "summary",
    "training",
    "validate",
]
