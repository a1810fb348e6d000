"""A labelled hypergraph as plain arrays of numpy and scipy, to be compared with other readings."""

from __future__ import annotations

from types import SimpleNamespace

from hypersage_dgl.data import HypergraphDataset, LabelledHypergraph, Split
from hypersage_dgl.hypergraphs import incidences


def arrays_of(data: LabelledHypergraph) -> SimpleNamespace:
    """Incidences, features (CSR), labels, class names and splits."""
    node_ids, hyperedge_ids = (ids.numpy() for ids in incidences(data.graph))
    without_split = HypergraphDataset(data, Split([], [], []))
    return SimpleNamespace(
        node_ids=node_ids,
        hyperedge_ids=hyperedge_ids,
        num_nodes=data.num_nodes,
        num_hyperedges=data.num_hyperedges,
        features=without_split.features,
        labels=data.labels.numpy(),
        class_names=data.class_names,
        splits=tuple(Split(*(ids.numpy() for ids in split)) for split in data.splits),
    )
