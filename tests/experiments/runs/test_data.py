"""A data set in memory: its features, its loops, and what its runs share."""

from __future__ import annotations

import math

import pytest
import torch

from experiments.recipe import Recipe
from experiments.runs.data import open_bench
from hypersage_dgl.data import knn_hyperedges, member_sets


@pytest.fixture(scope="module")
def bench():
    return open_bench("synthetic")


def test_rows_of_features_sum_to_one(bench):
    rows = bench.features("rows").to_dense()
    raw = bench.features("raw").to_dense()
    expected = raw / raw.sum(dim=1, keepdim=True).clamp(min=1e-30)
    torch.testing.assert_close(rows, expected)
    with pytest.raises(ValueError, match="'raw', 'rows' or 'idf'"):
        bench.features("columns")


def test_rare_columns_weigh_more_and_rows_have_unit_length(bench):
    raw = bench.features("raw").to_dense()
    expected = torch.zeros_like(raw, dtype=torch.float64)
    for column in range(raw.shape[1]):
        having = int((raw[:, column] != 0).sum())
        if having:
            expected[:, column] = raw[:, column] * math.log(len(raw) / having)
    for row in expected:
        row /= max(math.sqrt(math.fsum(float(value) ** 2 for value in row)), 1e-30)
    torch.testing.assert_close(bench.features("idf").to_dense(), expected.float())


def test_the_first_layer_is_computed_once_for_all_runs_of_a_recipe(bench):
    recipe = Recipe("hypersage", {"p": 2.0})
    models = [recipe.build(bench.features("raw").shape[1], 3) for _ in range(2)]
    first = bench.first(models[0], recipe)
    assert first is bench.first(models[1], recipe)
    with torch.no_grad():
        expected = models[1].first.hidden(bench.graph, bench.features("raw"))
    torch.testing.assert_close(first.hidden.to_dense(), expected.to_dense())
    other = Recipe("hypersage", {"p": 3.0})
    assert bench.first(other.build(bench.features("raw").shape[1], 3), other) is not first


def test_loops_give_isolated_nodes_a_hyperedge_of_their_own(bench):
    degree = bench.graph.nodes["node"].data["degree"]
    alone = int((degree == 0).sum())
    assert alone > 0
    looped = bench.structure(loops=True)
    assert bench.structure(loops=False) is bench.graph
    assert looped.num_nodes("hyperedge") == bench.graph.num_nodes("hyperedge") + alone
    assert torch.equal(looped.nodes["node"].data["degree"], degree.clamp(min=1))
    plain, loops = (Recipe("hypersage", {"normalize": False}, loops=on) for on in (False, True))
    model = plain.build(bench.features("raw").shape[1], 3)
    kept = (bench.first(model, recipe) for recipe in (plain, loops))
    first, doubled = (layer.hidden.to_dense() for layer in kept)
    own = bench.features("raw").to_dense()
    torch.testing.assert_close(first[degree == 0], own[degree == 0])
    torch.testing.assert_close(doubled[degree == 0], 2 * own[degree == 0])
    torch.testing.assert_close(doubled[degree > 0], first[degree > 0])


def test_similar_nodes_make_hyperedges(bench):
    grown = bench.structure(loops=False, knn=2)
    rows = knn_hyperedges(bench.features("idf"), 2).tolist()
    before = bench.graph.num_nodes("hyperedge")
    members = member_sets(grown)
    assert [set(each) for each in members[before:]] == [set(row) for row in rows]
    assert members[:before] == member_sets(bench.graph)
    assert bench.structure(loops=False, knn=2) is grown
    assert bench.structure(loops=False) is bench.graph
