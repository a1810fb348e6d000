"""A small labelled hypergraph with everything that can be special in one, and shorthands."""

from __future__ import annotations

import hashlib
import json
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import dgl
import pytest
import small_hypergraph
import torch
from small_hypergraph import CLASSES, NODES, WIDTH
from torch import nn

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, Attention, HyperSAGE, PowerMean
from hypersage_dgl.training import FullGraph, Minibatches, Predictor, sampler_for

# What else a model may be made with, for tests of arrivals.
OTHER_OPTIONS = pytest.mark.parametrize(
    "options",
    [
        {"intra_aggr": LSTM, "inter_aggr": LSTM},
        {"p": PowerMean(0.5, learn=True, channels=WIDTH)},
        {"norm": nn.BatchNorm1d, "dropout": 0.5, "feat_drop": 0.5},
        {"node_weight": "hypermsg"},
        {"node_weight": "hypermsg", "include_self": False, "layers": 1, "inter": "paper"},
        {"intra_aggr": Attention, "inter_aggr": Attention},
    ],
    ids=["lstm", "learned", "norm", "node weight", "node weight of others", "attention"],
)


class Labelled(NamedTuple):
    """A hypergraph with features and labels of its nodes."""

    graph: dgl.DGLGraph
    feat: torch.Tensor
    labels: torch.Tensor


def small(*args, **options) -> Labelled:
    """The small hypergraph, with labels."""
    return Labelled(*small_hypergraph.small(*args, **options), torch.arange(NODES) % CLASSES)


def full(model, graph, feat, labels, nodes, **options) -> FullGraph:
    """All that a model needs of the hypergraph, its first layer kept."""
    return FullGraph(graph, feat, labels, nodes, model=model, **options)


def whole(model, graph, feat, labels, nodes, keep_first=False) -> FullGraph:
    """The whole hypergraph, with or without a kept first layer."""
    first = model.first_layer(graph, feat) if keep_first else None
    return FullGraph(graph, feat, labels, nodes, first=first)


def sampled(model, graph, feat, labels, nodes, alpha=-1, beta=-1, **options) -> Minibatches:
    """Minibatches with the sampler of a model."""
    sampler = sampler_for(model, graph, alpha, beta)
    return Minibatches(graph, feat, labels, nodes, sampler, **options)


def logits_of(model, batch) -> torch.Tensor:
    """Logits of the rows that have labels, as the loop takes them."""
    return model(batch.graph, batch.feat)[batch.rows]


def gradients(model: HyperSAGE, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    """Give the gradient of each parameter."""
    names, parameters = zip(*model.named_parameters())
    return dict(zip(names, torch.autograd.grad(loss, parameters)))


@contextmanager
def quiet_about_cores():
    """Silence DGL's advice to pin the processes of a loader to cores."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
        yield


def record_of(folder: Path) -> dict:
    """Read the JSON part of a checkpoint."""
    return json.loads((folder / "checkpoint.json").read_text())


def assert_weights(model, expected):
    for name, value in model.state_dict().items():
        assert torch.equal(value, expected[name]), name


def write_record(folder: Path, record: dict) -> None:
    """Write a record with the digest that belongs to it, as someone with bad intent would."""
    record = {key: value for key, value in record.items() if key != "sha256"}
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    (folder / "checkpoint.json").write_text(json.dumps({**record, "sha256": digest}))


def rewrite(folder: Path, **changes) -> None:
    """Change entries of the record; a dict changes entries of an entry."""
    record = record_of(folder)
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(record[key], dict):
            record[key].update(value)
        else:
            record[key] = value
    write_record(folder, record)


def attached(model, case) -> Predictor:
    predictor = Predictor(model)
    predictor.attach(case.graph, case.feat)
    return predictor


def edges_by_id(block, relation: str) -> list[tuple[int, int]]:
    """Edges of a block by the ids that their ends have in the whole graph."""
    source, _, destination = block.to_canonical_etype(relation)
    u, v = block.edges(etype=relation)
    sources = block.srcnodes[source].data[dgl.NID][u.long()]
    return list(zip(sources.tolist(), block.dstnodes[destination].data[dgl.NID][v.long()].tolist()))


def random_graph(nodes=300, hyperedges=200, idtype=torch.int64):
    numbers = torch.Generator().manual_seed(5)
    graph = hypergraph(
        [torch.randperm(nodes, generator=numbers)[: 2 + i % 7].tolist() for i in range(hyperedges)],
        nodes,
        idtype=idtype,
    )
    graph.nodes["node"].data["feat"] = torch.rand(nodes, 4, generator=numbers)
    graph.nodes["node"].data["label"] = torch.arange(nodes) % 3
    return graph
