"""DGL's own loader around the sampler: prefetched data, workers, and what a seed repeats."""

from __future__ import annotations

import warnings

import dgl
import pytest
import torch
from hypothesis import strategies as st

from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import seed_everything

from .cases import edges_by_id, random_graph

FAN_OUT = st.sampled_from([1, 2, 3, -1])


def drawn(pairs) -> list[list[tuple[int, int]]]:
    return [
        sorted(edges_by_id(block, name))
        for pair in pairs
        for block, name in zip(pair, ("in", "contains"))
    ]


def loaded(graph, workers, alpha=3, beta=2, batch_size=64, **options):
    """All batches of DGL's own loader, as plain lists."""
    sampler = HyperSAGESampler(2, alpha, beta, **options)
    ids = {"node": torch.arange(150, dtype=graph.idtype)}
    loader = dgl.dataloading.DataLoader(
        graph, ids, sampler, batch_size=batch_size, shuffle=True, num_workers=workers
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
        return list(loader)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
def test_works_in_a_plain_loader_with_prefetched_features_and_labels(workers, idtype):
    graph = random_graph(idtype=idtype)
    feat, labels = (graph.nodes["node"].data[key] for key in ("feat", "label"))
    model = HyperSAGE(4, 8, 3)
    batches = loaded(
        graph, workers, prefetch_node_feats=["feat"], prefetch_labels=["label"], batch_size=64
    )
    seen = []
    for input_nodes, output_nodes, pairs in batches:
        fetched = pairs[0][0].srcnodes["node"].data["feat"]
        assert torch.equal(fetched, feat[input_nodes["node"].long()])
        assert torch.equal(
            pairs[-1][1].dstnodes["node"].data["label"], labels[output_nodes["node"].long()]
        )
        assert model(pairs, fetched).shape == (len(output_nodes["node"]), 3)
        seen += output_nodes["node"].tolist()
    assert sorted(seen) == list(range(150))


@pytest.mark.parametrize("workers", [0, 2])
def test_the_same_seed_gives_the_same_batches(workers):
    # With workers this holds for the same number of workers: each has a generator of its own.
    graph = random_graph()
    runs = {}
    for run, seed in {"a": 5, "b": 5, "other": 6}.items():
        seed_everything(seed)
        batches = loaded(graph, workers)
        runs[run] = [(o["node"].tolist(), i["node"].tolist(), drawn(p)) for i, o, p in batches]
    assert runs["a"] == runs["b"]
    assert runs["a"] != runs["other"]


def test_the_same_seed_gives_the_same_sample_on_any_number_of_threads():
    graph = random_graph(5000, 3000)
    threads = torch.get_num_threads()
    samples = []
    try:
        for count in (1, 2, 2):
            torch.set_num_threads(count)
            seed_everything(3)
            samples.append(drawn(HyperSAGESampler(2, 2, 1).sample(graph, torch.arange(4000))[2]))
            assert torch.get_num_threads() == count
    finally:
        torch.set_num_threads(threads)
    assert samples[0] == samples[1] == samples[2]
