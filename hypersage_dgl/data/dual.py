"""The dual of a hypergraph: its hyperedges are the nodes, and have classes, numbers and splits."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import csr_to_scipy, is_sparse
from ..convert import Attributes
from ..hypergraphs import HYPEREDGE, NODE, hypergraph_from_incidence, incidences
from .labelled import LabelledHypergraph


def dual(data: LabelledHypergraph) -> LabelledHypergraph:
    """Turn a hypergraph around: hyperedges become nodes, nodes the hyperedges of what they are in.

    What is said of nodes is then said of hyperedges: :func:`with_targets` makes their labels of
    the attributes of the hyperedges, and a split is one of hyperedges. The features of a hyperedge
    are the mean of its members', 0 without any. Weights, and features that hyperedges have of
    their own, are left out.

    Examples
    --------
    >>> from hypersage_dgl.data import from_tables, with_targets
    >>> data = from_tables(
    ...     {"node": ["ann", "bob", "bob"], "hyperedge": ["x", "x", "y"]},
    ...     hyperedges={"hyperedge": ["y", "x"], "topic": ["art", "maths"]},
    ... )
    >>> edges = with_targets(dual(data), "topic")
    >>> edges.node_names, edges.class_names, edges.labels
    (('x', 'y'), ('art', 'maths'), tensor([1, 0]))
    """
    nodes, edges = incidences(data.graph)
    counts = (data.graph.num_nodes(HYPEREDGE), data.graph.num_nodes(NODE))
    return LabelledHypergraph(
        hypergraph_from_incidence(edges, nodes, *counts, allow_empty=True),
        data.hyperedge_names,
        data.node_names,
        attributes=Attributes(nodes=data.attributes.hyperedges, hyperedges=data.attributes.nodes),
        name=data.name,
        feat=None if data.feat is None else _mean_of_members(data.feat, nodes, edges, counts),
        feature_names=data.feature_names,
    )


def _mean_of_members(feat: Tensor, nodes: Tensor, edges: Tensor, shape: tuple[int, int]) -> Any:
    sizes = torch.bincount(edges.cpu().long(), minlength=shape[0]).double().numpy()
    places = (edges.cpu().numpy(), nodes.cpu().numpy())
    means = sparse.csr_matrix((1 / sizes[places[0]], places), shape=shape)
    of_nodes = csr_to_scipy(feat.cpu()) if is_sparse(feat) else feat.cpu().double().numpy()
    return (means @ of_nodes).astype(np.float32)
