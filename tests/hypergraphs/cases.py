"""A hypergraph whose data tell where each row came from, and what was in it before."""

from __future__ import annotations

import torch


def with_data(h):
    """A weighted or plain graph whose data tell where each row came from."""
    graph = h.graph()
    graph.nodes["node"].data["feat"] = h.features()
    graph.nodes["node"].data["label"] = torch.arange(h.num_nodes)
    graph.nodes["hyperedge"].data["year"] = torch.arange(len(h.hyperedges)) + 1900
    for relation in ("in", "contains"):
        graph.edges[relation].data["mark"] = torch.arange(graph.num_edges(relation)) * 10
    return graph


def snapshot(graph):
    frames = [graph.nodes[t].data for t in graph.ntypes] + [
        graph.edges[r].data for r in graph.etypes
    ]
    return [{k: v.clone() for k, v in frame.items()} for frame in frames]


def unchanged(graph, before) -> bool:
    after = snapshot(graph)
    return all(
        a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)
        for a, b in zip(after, before)
    )


def incidences(graph) -> list[tuple[int, int]]:
    nodes, edges = graph.edges(etype="in", order="eid")
    return list(zip(nodes.tolist(), edges.tolist()))
