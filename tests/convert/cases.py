"""Random named hypergraphs, cut ones included, and what it means that two are the same."""

from __future__ import annotations

import torch
from hypothesis import strategies as st

import hypersage_dgl
from hypersage_dgl.convert import Attributes, Named
from hypersage_dgl.hypergraphs import measure

NAMES = st.one_of(st.text(max_size=4), st.integers(-3, 12))
# Keys that mean something to a format have tests of their own.
KEYS = st.text(max_size=4).filter(lambda key: key not in {"weight", "label", "bipartite"})
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=4,
)
WEIGHT = st.floats(0.0625, 1000, width=32)


@st.composite
def graphs(draw, hyperedge_weight=None, incidence_weight=None, may_cut=True):
    """Draw a hypergraph: isolated nodes, equal and empty hyperedges, with or without weights."""
    n = draw(st.integers(1, 7))
    members = st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True)
    hyperedges = draw(st.lists(members, max_size=5))
    count = sum(len(e) for e in hyperedges)

    def weights(wanted, number):
        wanted = draw(st.booleans()) if wanted is None else wanted
        return draw(st.lists(WEIGHT, min_size=number, max_size=number)) if wanted else None

    graph = hypersage_dgl.hypergraph(
        hyperedges,
        n + draw(st.integers(0, 2)),
        hyperedge_weight=weights(hyperedge_weight, len(hyperedges)),
        incidence_weight=weights(incidence_weight, count),
        idtype=draw(st.sampled_from([torch.int64, torch.int32])),
    )
    if may_cut and draw(st.booleans()):
        kept = draw(st.lists(st.integers(0, n - 1), unique=True))
        graph = hypersage_dgl.induced(graph, kept)
    return graph


@st.composite
def named_graphs(draw, names=NAMES, values=VALUES, incidence_attributes=True, **options):
    """Draw a hypergraph with names and attributes."""
    graph = draw(graphs(**options))

    def distinct(count):
        return tuple(draw(st.lists(names, min_size=count, max_size=count, unique=True)))

    def some(count):
        ids = st.integers(0, max(count - 1, 0))
        attributes = st.dictionaries(KEYS, values, min_size=1, max_size=2)
        return draw(st.dictionaries(ids, attributes, max_size=2)) if count else {}

    n, m = graph.num_nodes("node"), graph.num_nodes("hyperedge")
    return Named(
        graph,
        distinct(n),
        distinct(m),
        attributes=Attributes(
            network=draw(st.dictionaries(KEYS, values, max_size=2)),
            nodes=some(n),
            hyperedges=some(m),
            incidences=some(graph.num_edges("in")) if incidence_attributes else {},
        ),
    )


def weight_of(frame):
    """Give the weights, none if there is nothing that could have one."""
    return (frame["weight"].tolist() if "weight" in frame else None) or None


def structure(graph):
    """Give all that ids and weights say, in order."""
    hypersage_dgl.validate(graph)
    nodes, edges = measure.incidences(graph)
    return {
        "nodes": graph.num_nodes("node"),
        "hyperedges": graph.num_nodes("hyperedge"),
        "incidences": list(zip(nodes.tolist(), edges.tolist())),
        "hyperedge weight": weight_of(graph.nodes["hyperedge"].data),
        "incidence weight": weight_of(graph.edges["in"].data),
    }


def unordered(graph):
    """Give the same, in whatever order the incidences come."""
    found = structure(graph)
    weights = found.pop("incidence weight")
    pairs = found.pop("incidences")
    return {**found, "incidences": dict(zip(pairs, weights or [1.0] * len(pairs)))}


def everything(named):
    """Give all that a named hypergraph says, in order."""
    return {
        **structure(named.graph),
        "node names": list(named.node_names),
        "hyperedge names": list(named.hyperedge_names),
        "class names": list(named.class_names),
        "attributes": named.attributes,
    }


def by_name(named):
    """Give all that a named hypergraph says whatever ids it gives: equal for other orders."""
    graph, attributes = named.graph, named.attributes
    hyperedges = [named.hyperedge_names[i] for i in range(graph.num_nodes("hyperedge"))]
    members: dict = {name: {} for name in hyperedges}
    weights = weight_of(graph.edges["in"].data) or [None] * graph.num_edges("in")
    for i, (node, edge) in enumerate(structure(graph)["incidences"]):
        about = (weights[i], attributes.incidences.get(i, {}))
        members[hyperedges[edge]][named.node_names[node]] = about
    weights = weight_of(graph.nodes["hyperedge"].data)
    return {
        "nodes": {name: attributes.nodes.get(i, {}) for i, name in enumerate(named.node_names)},
        "hyperedges": {name: attributes.hyperedges.get(i, {}) for i, name in enumerate(hyperedges)},
        "members": members,
        "weights": weights and dict(zip(hyperedges, weights)),
        "network": attributes.network,
        "type": attributes.network_type,
    }


def dense(graph):
    """Give the weighted incidence matrix as a float64 array, filled one entry at a time."""
    matrix = torch.zeros(graph.num_nodes("node"), graph.num_nodes("hyperedge"), dtype=torch.float64)
    found = structure(graph)
    weights = found["incidence weight"] or [1.0] * len(found["incidences"])
    for (node, edge), weight in zip(found["incidences"], weights):
        matrix[node, edge] = weight
    return matrix.numpy()
