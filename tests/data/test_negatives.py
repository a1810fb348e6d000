"""Negatives are no hyperedges, of the right size, and what their kind says."""

from __future__ import annotations

import itertools
from collections import Counter

import networkx as nx
import numpy as np
import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl.data import NEGATIVES, NegativeSampler, member_sets

NUMBERS = np.random.default_rng(5)
SETS = [NUMBERS.permutation(40)[: 1 + i % 5].tolist() for i in range(40)]
G = hypergraph(SETS, 45)
POSITIVES = sorted({tuple(sorted(s)) for s in SETS if len(s) > 1})


def clique_expansion():
    graph = nx.Graph()
    graph.add_nodes_from(range(45))
    for members in SETS:
        graph.add_edges_from(itertools.combinations(members, 2))
    return graph


@pytest.mark.parametrize("kind", NEGATIVES)
@pytest.mark.parametrize("seed", range(3))
def test_as_many_of_the_same_sizes_and_no_hyperedge(kind, seed):
    sampler = NegativeSampler(G)
    drawn = sampler.draw(kind, POSITIVES, seed)
    assert [len(set(s)) for s in drawn] == [len(s) for s in POSITIVES]
    assert not set(drawn) & set(member_sets(G))
    assert all(list(s) == sorted(s) and s[0] >= 0 and s[-1] < 45 for s in drawn)
    assert drawn == NegativeSampler(G).draw(kind, POSITIVES, seed)
    assert drawn != sampler.draw(kind, POSITIVES, seed + 10)


def test_motifs_are_connected():
    graph = clique_expansion()
    for drawn in NegativeSampler(G).draw("motif", POSITIVES, 4):
        assert nx.is_connected(graph.subgraph(drawn)), drawn


def test_cliques_differ_in_one_node_that_knows_all_others():
    graph, replaced = clique_expansion(), 0
    for positive, drawn in zip(POSITIVES, NegativeSampler(G).draw("clique", POSITIVES, 4)):
        (added,), rest = set(drawn) - set(positive), set(drawn) & set(positive)
        assert len(rest) == len(positive) - 1
        knows_all = rest <= set(graph[added])
        replaced += knows_all
        if not knows_all:
            # Only where no member could have been replaced so.
            for gone in positive:
                left = set(positive) - {gone}
                shared = set.intersection(*(set(graph[v]) for v in left)) - set(positive)
                free = {v for v in shared if tuple(sorted({*left, v})) not in POSITIVES}
                assert not free, (positive, drawn)
    assert replaced > len(POSITIVES) / 4


def test_any_node_is_as_likely_as_any_other():
    drawn = NegativeSampler(hypergraph([[0, 1]], 10)).draw("sized", [(0, 1, 2)] * 4000, 1)
    counts = Counter(node for members in drawn for node in members)
    # 1,200 each, with a standard deviation of 29.
    assert all(1050 < counts[node] < 1350 for node in range(10))


def test_sets_that_are_held_out_do_not_come_out():
    g = hypergraph([[0, 1], [1, 2]], 4)
    real = {s for s in itertools.combinations(range(4), 2) if s != (0, 3)}
    for kind in NEGATIVES:
        assert set(NegativeSampler(g, real).draw(kind, [(0, 1)] * 5, 2)) == {(0, 3)}


@pytest.mark.parametrize("kind", NEGATIVES)
def test_hyperedges_apart_have_no_motif_and_no_clique(kind):
    g = hypergraph([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    (drawn,) = NegativeSampler(g).draw(kind, [(0, 1, 2)])
    assert len(set(drawn)) == 3
    assert drawn not in member_sets(g)


def test_what_cannot_be_drawn_is_said():
    sampler = NegativeSampler(hypergraph([[0, 1], [1, 2], [0, 2]]))
    with pytest.raises(ValueError, match=r"no negative of 2 nodes was found in 200 draws"):
        sampler.draw("sized", [(0, 1)])
    with pytest.raises(ValueError, match="and there are 3"):
        sampler.draw("motif", [(0, 1, 2, 3)])
    with pytest.raises(ValueError, match="kind is 'hard'"):
        sampler.draw("hard", [(0, 1)])
    empty = NegativeSampler(hypergraph([], 5))
    assert len(empty.draw("motif", [(0, 1)])[0]) == len(empty.draw("clique", [(0, 1)])[0]) == 2


@pytest.mark.parametrize("kind", NEGATIVES)
def test_what_is_no_set_of_nodes_is_refused(kind):
    sampler = NegativeSampler(G)
    for positives, told in (
        ([(0, 1), ()], "positive 1 is empty"),
        ([(0, 99)], r"positive 0 is \(0, 99\); nodes go from 0 to 44"),
        ([(-1, 3)], r"positive 0 is \(-1, 3\)"),
    ):
        with pytest.raises(ValueError, match=told):
            sampler.draw(kind, positives)
    for seed in (-1, 1.5, True):
        with pytest.raises(ValueError, match="it must be a non-negative integer"):
            sampler.draw(kind, [(0, 1)], seed)
    with pytest.raises(TypeError, match=r"expected a hypergraph \(dgl.DGLGraph\), got list"):
        NegativeSampler([[0, 1]])
