"""Hypergraphs to and from other forms: a pair of functions for each, one file for each form."""

from .arrays import from_coo, from_hyperedges, from_scipy, to_coo, to_hyperedges, to_scipy
from .csv_file import read_csv, write_csv
from .csv_rows import SEPARATORS, Rows, read_rows
from .expansions import (
    clique_expansion,
    from_networkx_bipartite,
    star_expansion,
    to_networkx_bipartite,
)
from .folder import read_folder, write_folder
from .graphs import from_graph, to_graph, to_networkx_graph
from .hif import from_hif_dict, read_hif, to_hif_dict, write_hif
from .named import Attributes, Hypergraph, Named, as_named, refuse_weights
from .names import Name, integer_names, is_numbered, json_names
from .node_data import degree_features, encode_labels, one_hot_features
from .table_file import Table, read_table
from .xgi_network import from_xgi, to_xgi

__all__ = [
    "SEPARATORS",
    "Attributes",
    "Hypergraph",
    "Name",
    "Named",
    "Rows",
    "Table",
    "as_named",
    "clique_expansion",
    "degree_features",
    "encode_labels",
    "from_coo",
    "from_graph",
    "from_hif_dict",
    "from_hyperedges",
    "from_networkx_bipartite",
    "from_scipy",
    "from_xgi",
    "integer_names",
    "is_numbered",
    "json_names",
    "one_hot_features",
    "read_csv",
    "read_folder",
    "read_hif",
    "read_rows",
    "read_table",
    "refuse_weights",
    "star_expansion",
    "to_coo",
    "to_graph",
    "to_hif_dict",
    "to_hyperedges",
    "to_networkx_bipartite",
    "to_networkx_graph",
    "to_scipy",
    "to_xgi",
    "write_csv",
    "write_folder",
    "write_hif",
]
