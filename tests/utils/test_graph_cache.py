"""What is derived from a graph is kept exactly as long as it holds."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import GraphCache
from hypersage_dgl.nn import HyperSAGEConv

WEIGHT = "weight"


def small():
    return hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]], 6)


class Counted:
    """A derivation that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return self.calls


def ask(cache, counted, graph, *reads):
    return cache.get(graph, "key", counted, [graph.nodes["hyperedge"].data.get(WEIGHT), *reads])


def test_derives_once():
    cache, counted, graph, feat = GraphCache(), Counted(), small(), torch.rand(6, 2)
    assert [ask(cache, counted, graph, feat) for _ in range(3)] == [1, 1, 1]


def test_derives_again_for_what_changed():
    cache, counted, graph, feat = GraphCache(), Counted(), small(), torch.rand(6, 2)
    assert ask(cache, counted, graph, feat) == 1
    assert ask(cache, counted, graph, feat.clone()) == 2
    assert ask(cache, counted, graph, feat) == 3
    feat[0, 0] += 1
    assert ask(cache, counted, graph, feat) == 4
    graph.nodes["hyperedge"].data[WEIGHT] = torch.ones(3)
    assert ask(cache, counted, graph, feat) == 5
    graph.nodes["hyperedge"].data[WEIGHT][0] = 2
    assert ask(cache, counted, graph, feat) == 6
    assert ask(cache, counted, graph, feat) == 6
    graph.add_nodes(1, ntype="node")
    assert ask(cache, counted, graph, feat) == 7
    assert ask(cache, counted, small(), feat) == 8


def test_keys_and_numbers_of_tensors_tell_results_apart():
    cache, counted, graph, one = GraphCache(), Counted(), small(), torch.ones(1)
    assert cache.get(graph, "a", counted) == 1
    assert cache.get(graph, ("a", True), counted) == 2
    assert cache.get(graph, "a", counted) == 1
    assert cache.get(graph, "a", counted, [one]) == 3
    assert cache.get(graph, "a", counted, [one, None]) == 3


def test_a_result_of_none_is_kept():
    calls, cache, graph = [], GraphCache(), small()
    for _ in range(2):
        assert cache.get(graph, "none", lambda: calls.append(1)) is None
    assert len(calls) == 1


@pytest.mark.parametrize("changed", [1, 2])
def test_edges_removed_and_added_in_equal_number_are_a_new_structure(changed):
    graph, cache = small(), GraphCache()

    def degrees():
        return cache.get(graph, "degrees", lambda: graph.in_degrees(etype="contains"))

    assert degrees().tolist() == [2, 1, 2, 2, 1, 0]
    count = graph.num_edges("contains")
    graph.remove_edges(list(range(changed)), etype="contains")
    graph.add_edges([0] * changed, [5] * changed, etype="contains")
    assert graph.num_edges("contains") == count
    assert degrees().tolist() == graph.in_degrees(etype="contains").tolist()
    assert degrees()[5] == changed


def test_a_weight_changed_in_place_gives_a_new_result():
    graph, cache = small(), GraphCache()
    weight = torch.ones(3)

    def total():
        return float(cache.get(graph, "sum", weight.sum, [weight]))

    assert total() == 3
    weight[0] = 5
    assert total() == 7
    weight.mul_(2)
    assert total() == 14


def test_what_changes_while_it_is_made_is_not_what_it_was_made_of():
    graph, cache, weight = small(), GraphCache(), torch.ones(3)

    def make():
        found = float(weight.sum())
        weight.mul_(2)
        return found

    assert cache.get(graph, "sum", make, [weight]) == 3
    assert cache.get(graph, "sum", make, [weight]) == 6


def test_a_learned_weight_gets_its_gradient_after_a_call_without_gradients():
    graph, cache = small(), GraphCache()
    weight = torch.ones(3, requires_grad=True)

    def doubled():
        return cache.get(graph, "double", lambda: 2 * weight, [weight])

    with torch.no_grad():
        assert not doubled().requires_grad
    doubled().sum().backward()
    assert weight.grad.tolist() == [2, 2, 2]
    # And again: nothing of a freed graph of operations is kept.
    doubled().sum().backward()
    assert weight.grad.tolist() == [4, 4, 4]


def test_a_weight_that_becomes_learned_gets_its_gradient():
    graph, cache, weight = small(), GraphCache(), torch.ones(3)

    def doubled():
        return cache.get(graph, "double", lambda: 2 * weight, [weight])

    doubled()
    weight.requires_grad_()
    doubled().sum().backward()
    assert weight.grad.tolist() == [2, 2, 2]


def test_a_first_call_in_inference_mode_leaves_training_possible():
    graph, cache = small(), GraphCache()
    with torch.inference_mode():
        first = cache.get(graph, "ones", lambda: torch.ones(3))
    assert not first.is_inference()
    x = torch.rand(3, requires_grad=True)
    (x * cache.get(graph, "ones", lambda: torch.zeros(3))).sum().backward()
    assert x.grad.tolist() == [1, 1, 1]


def test_a_layer_first_called_in_inference_mode_trains():
    graph, x = small(), torch.rand(6, 3)
    conv = HyperSAGEConv(3, 2, inter="invariant")
    with torch.inference_mode():
        expected = conv(graph, x)
    x.requires_grad_()
    out = conv(graph, x)
    out.sum().backward()
    assert torch.equal(out, expected)
    assert bool(torch.isfinite(x.grad).all())


def test_takes_inference_tensors():
    cache, counted, graph = GraphCache(), Counted(), small()
    with torch.inference_mode():
        feat = torch.rand(6, 2) * 2
    assert [ask(cache, counted, graph, feat), ask(cache, counted, graph, feat)] == [1, 1]


def test_threads_never_see_the_result_of_another_graph():
    cache, wrong = GraphCache(), []
    graphs = [hypergraph([[0, 1]], 3), hypergraph([[0, 1], [1, 2]], 7)]
    weights = [torch.full((1,), float(i)) for i in range(2)]
    start = threading.Barrier(8)

    def work(seed: int):
        start.wait()
        for step in range(100):
            i = (seed + step) % 2
            graph, weight = graphs[i], weights[i]
            found = cache.get(
                graph,
                "count",
                lambda g=graph, w=weight: (g.num_nodes("node"), float(w)),
                [weight],
            )
            if found != (graph.num_nodes("node"), i):
                wrong.append((i, found))
            # Graphs that come and go meanwhile, and may get the number of one that went.
            passing = hypergraph([[0]], 10 + seed)
            count = cache.get(passing, "count", lambda g=passing: g.num_nodes("node"))
            if count != 10 + seed:
                wrong.append((seed, count))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_entries_vanish_with_their_graph():
    cache, kept = GraphCache(), small()
    cache.get(kept, "key", object)
    for i in range(3):
        passing = hypergraph([[0, 1]], 2 + i)
        result = cache.get(passing, "key", lambda: torch.ones(5))
        alive, result_alive = weakref.ref(passing), weakref.ref(result)
        del passing, result
        gc.collect()
        assert alive() is None
        assert result_alive() is None
    assert len(cache._kept) == 1
    del kept
    gc.collect()
    assert len(cache._kept) == 0


def test_a_graph_that_shares_its_structure_shares_the_result():
    cache, counted, graph = GraphCache(), Counted(), small()
    assert cache.get(graph, "key", counted) == 1
    assert cache.get(graph.local_var(), "key", counted) == 1


def test_a_failing_derivation_is_not_kept():
    cache, graph = GraphCache(), small()
    with pytest.raises(ZeroDivisionError):
        cache.get(graph, "key", lambda: 1 / 0)
    assert cache.get(graph, "key", lambda: 5) == 5


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda cache: pickle.loads(pickle.dumps(cache))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_start_empty(copied):
    cache, counted, graph = GraphCache(), Counted(), small()
    cache.get(graph, "key", counted)
    other = copied(cache)
    assert isinstance(other, GraphCache)
    assert other.get(graph, "key", counted) == 2
    assert cache.get(graph, "key", counted) == 1
    assert other.get(graph, "key", counted) == 2
