"""A HIF document that says all that HIF can say, and many that are wrong in one place."""

import copy

SMALL = {
    "network-type": "undirected",
    "metadata": {"source": "made up"},
    "incidences": [
        {"edge": "x", "node": "a"},
        {"edge": "x", "node": 7, "weight": 2.5, "attrs": {"role": "chair"}},
    ],
    "nodes": [{"node": "lonely"}, {"node": "a", "attrs": {"age": 40, "tags": [1, None]}}],
    "edges": [{"edge": "x", "weight": 3}, {"edge": "empty", "attrs": {"year": 2020}}],
}


def put(*path_and_value):
    """Give a copy of the small document with one place changed."""
    *path, last, value = path_and_value
    document = copy.deepcopy(SMALL)
    inner = document
    for key in path:
        inner = inner[key]
    if value is KeyError:
        del inner[last]
    elif isinstance(inner, list) and last == len(inner):
        inner.append(value)
    else:
        inner[last] = value
    return document


BAD = [
    ([], "$"),
    ("text", "$"),
    ({}, "$ has no 'incidences'"),
    (put("extra", 1), "$ has 'extra'"),
    (put("network-type", "mixed"), "$.network-type"),
    (put("network-type", ["asc"]), "$.network-type"),
    (put("metadata", []), "$.metadata"),
    (put("incidences", {}), "$.incidences"),
    (put("incidences", 1, 5), "$.incidences[1]"),
    (put("incidences", 1, "node", KeyError), "$.incidences[1] has no 'node'"),
    (put("incidences", 1, "node", None), "$.incidences[1].node"),
    (put("incidences", 1, "node", True), "$.incidences[1].node"),
    (put("incidences", 1, "node", 1.5), "$.incidences[1].node"),
    (put("incidences", 1, "edge", ["x"]), "$.incidences[1].edge"),
    (put("incidences", 1, "role", "chair"), "$.incidences[1] has 'role'"),
    (put("incidences", 1, "attrs", "chair"), "$.incidences[1].attrs"),
    (put("incidences", 1, "direction", "in"), "$.incidences[1].direction"),
    (put("incidences", 1, "weight", "2.5"), "$.incidences[1].weight"),
    (put("incidences", 1, "weight", float("inf")), "$.incidences[1].weight"),
    (
        put("incidences", 2, {"edge": "x", "node": 7, "weight": 1.5}),
        "$.incidences[2].weight is 1.5, but the same one had weight 2.5",
    ),
    (
        put("incidences", 2, {"edge": "x", "node": 7, "attrs": {"role": "guest"}}),
        "$.incidences[2].attrs.role",
    ),
    (put("nodes", 0, "node", KeyError), "$.nodes[0] has no 'node'"),
    (put("nodes", 0, "node", 1.23), "$.nodes[0].node"),
    (put("nodes", 0, "weight", float("nan")), "$.nodes[0].weight"),
    (put("nodes", 2, {"node": "a", "attrs": {"age": 41}}), "$.nodes[2].attrs.age is 41"),
    (put("edges", 0, "edge", KeyError), "$.edges[0] has no 'edge'"),
    (put("edges", 0, "attrs", {"weight": 2}), "$.edges[0].attrs.weight is 2, but"),
]
# Valid HIF, which no layer takes.
NOT_POSITIVE = [
    put("incidences", 1, "weight", 0),
    put("incidences", 1, "weight", -2),
    put("edges", 0, "weight", 0),
    put("edges", 1, "attrs", {"weight": -1}),
]
