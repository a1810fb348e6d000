"""HIF, the Hypergraph Interchange Format: JSON with a list of incidences, nodes and edges.

Standard: https://github.com/HIF-org/HIF-standard and doi:10.1017/nws.2025.10018.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import torch

from .._utils import (
    JSON_TYPES,
    PathLike,
    Schema,
    check_schema,
    read_json,
    require_shallow,
    to_json,
    write_text,
)
from ..hypergraphs import HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from .hif_records import DIRECTIONS, Incidences, Parts, write_record
from .named import Attributes, Hypergraph, Named, as_named
from .names import json_name
from .node_data import node_attributes


def from_hif_dict(document: Mapping[str, Any]) -> Named:
    """Build a hypergraph from a HIF document.

    Ids go to the nodes and hyperedges that ``nodes`` and ``edges`` list, in their order, then to
    those that occur in incidences only. Entries listed there alone are isolated nodes and empty
    hyperedges. Records that occur twice are merged, provided that they do not contradict.

    Parameters
    ----------
    document
        What ``json.load`` gives. It is checked against the shipped schema of HIF 0.1.0.

    Returns
    -------
    Named
        With HIF's ids as names. Weights become the data ``weight`` of incidences, hyperedges and
        nodes (float32; 1 where only others have one); those of hyperedges and nodes may also be
        the attribute ``weight``, as XGI writes them. ``attrs``, ``metadata`` and ``network-type``
        are the ``attributes``. A directed hypergraph becomes undirected, tail and head together
        the members; the direction is kept as data ``direction`` of the relation ``in``: 1 tail,
        2 head, 3 both, 0 not said; ``nn.ByRole(..., key="direction")`` tells them apart. Of a
        simplicial complex (``asc``) the listed simplices become hyperedges; faces that are not
        listed are not added.

    Raises
    ------
    ValueError
        With the place as a JSON path, if the document breaks the schema or contradicts itself.
        Weights may be any finite numbers; the layers refuse those that are not positive.

    Examples
    --------
    >>> named = from_hif_dict({
    ...     "incidences": [{"edge": "paper", "node": "ann", "weight": 2}],
    ...     "nodes": [{"node": "bob", "attrs": {"age": 40}}],
    ... })
    >>> named.node_names, named.attributes.nodes
    (('bob', 'ann'), {0: {'age': 40}})
    >>> named.graph.edges["in"].data["weight"]
    tensor([2.])
    """
    if not isinstance(document, Mapping):
        raise ValueError(f"$ is {document!r:.60}; a HIF document is a JSON object")
    document = dict(document)
    require_shallow(document)
    check_schema(document, hif_schema())
    nodes, edges = Parts(document, "nodes"), Parts(document, "edges")
    members = Incidences(document["incidences"], nodes, edges)
    n, m = len(nodes.numbering), len(edges.numbering)
    graph = hypergraph_from_incidence(
        members.nodes,
        members.edges,
        n,
        m,
        allow_empty=True,
    )
    # HIF allows any number; the layers refuse weights that are not positive.
    for frame, weight in (
        (graph.nodes[NODE].data, nodes.weight_list(n)),
        (graph.nodes[HYPEREDGE].data, edges.weight_list(m)),
        (graph.edges[IN].data, members.weight_list(len(members.nodes))),
    ):
        if weight is not None:
            frame["weight"] = torch.tensor(weight, dtype=torch.float32)
    if any(members.directions):
        graph.edges[IN].data["direction"] = torch.tensor(members.directions, dtype=torch.int8)
    attributes = Attributes(
        network=dict(document.get("metadata", {})),
        nodes=nodes.attributes,
        hyperedges=edges.attributes,
        incidences=members.attributes,
        network_type=document.get("network-type", "undirected"),
    )
    return Named(graph, nodes.numbering.names, edges.numbering.names, attributes=attributes)


def to_hif_dict(graph: Hypergraph) -> dict[str, Any]:
    """Give the HIF document of a hypergraph; :func:`from_hif_dict` tells what goes where.

    All nodes and hyperedges are listed, so ids, isolated nodes and empty hyperedges survive.
    Weights of hyperedges and nodes are written twice, as the standard says and as attribute
    ``weight``, the only place where XGI looks, unless an attribute of that name is not a number.
    Labels are written as the node attribute ``label`` if the classes have names
    (:func:`encode_labels` reads them), unless there is one. Other tensors stay behind: use
    :func:`write_folder`.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> document = to_hif_dict(hypergraph([[0, 1]]))
    >>> document["incidences"]
    [{'edge': 0, 'node': 0}, {'edge': 0, 'node': 1}]
    >>> document["edges"]
    [{'edge': 0}]
    """
    named = as_named(graph)
    hypergraph, attributes = named.graph, named.attributes
    names = [json_name(name, NODE) for name in named.node_names]
    edge_names = [json_name(name, HYPEREDGE) for name in named.hyperedge_names]
    return {
        "network-type": attributes.network_type,
        "metadata": dict(attributes.network),
        "incidences": _incidence_records(named, names, edge_names),
        "nodes": _records("node", names, hypergraph.nodes[NODE].data, node_attributes(named)),
        "edges": _records(
            "edge", edge_names, hypergraph.nodes[HYPEREDGE].data, attributes.hyperedges
        ),
    }


def read_hif(path: PathLike, max_bytes: int | None = None) -> Named:
    """Read a HIF file, ``.json`` or ``.json.gz``; see :func:`from_hif_dict`.

    Parameters
    ----------
    path
        The file.
    max_bytes
        What a gzipped file may take in memory, 120 bytes for each that it unpacks to; by default
        1 GiB, and it may always unpack to 20 times its size. Of a pipe, how much is read.

    Raises
    ------
    ValueError
        With path and place, if the file is damaged, not JSON or not HIF. Nothing is returned then.
    """
    document = read_json(path, max_bytes)
    try:
        return from_hif_dict(document)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def write_hif(graph: Hypergraph, path: PathLike) -> None:
    """Write a HIF file, gzipped if the name ends in ``.gz``; see :func:`to_hif_dict`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hypersage_dgl import hypergraph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "small.json.gz"
    ...     write_hif(hypergraph([[0, 1], [1, 2]]), path)
    ...     read_hif(path)
    Named(3 nodes, 2 hyperedges, 4 incidences)
    """
    write_text(path, to_json(to_hif_dict(graph)))


def _incidence_records(
    named: Named, names: list[str | int], edge_names: list[str | int]
) -> list[dict[str, Any]]:
    nodes, edges = (ids.tolist() for ids in incidences(named.graph))
    data = named.graph.edges[IN].data
    weight = data["weight"].tolist() if "weight" in data else None
    direction = data["direction"].tolist() if "direction" in data else [0] * len(nodes)
    records: list[dict[str, Any]] = []
    for i, (node, edge) in enumerate(zip(nodes, edges)):
        head = {"edge": edge_names[edge], "node": names[node]}
        attributes = named.attributes.incidences.get(i, {})
        made = write_record(head, None if weight is None else weight[i], attributes)
        ways = [name for name, bit in DIRECTIONS.items() if direction[i] & bit]
        records.extend({**made, "direction": way} for way in ways)
        if not ways:
            records.append(made)
    return records


def _records(
    key: str,
    names: list[str | int],
    data: Mapping[str, Any],
    attributes: Mapping[int, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    weight = data["weight"].tolist() if "weight" in data else None
    records = []
    for i, name in enumerate(names):
        attrs = dict(attributes.get(i, {}))
        # A word there is an attribute of its own; a number would be read as the weight.
        if weight is not None and ("weight" not in attrs or JSON_TYPES["number"](attrs["weight"])):
            attrs["weight"] = weight[i]
        records.append(write_record({key: name}, weight[i] if weight else None, attrs))
    return records


def hif_schema() -> Schema:
    """Read the schema of the Hypergraph Interchange Format, which is shipped with the package.

    Examples
    --------
    >>> hif_schema()["required"]
    ['incidences']
    """
    text = resources.files(__package__).joinpath("hif_schema.json").read_text(encoding="utf-8")
    schema: Schema = json.loads(text)
    return schema
