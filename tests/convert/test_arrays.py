"""Lists, COO and scipy incidence: round trips by value, and what is refused."""

import numpy as np
import pytest
import torch
from hypothesis import given
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import (
    from_coo,
    from_hyperedges,
    from_scipy,
    to_coo,
    to_hyperedges,
    to_scipy,
)

from .cases import dense, graphs, named_graphs, structure, unordered


@given(graphs(hyperedge_weight=False, incidence_weight=False))
def test_round_trip_of_ids(graph):
    back = from_hyperedges(to_hyperedges(graph), range(graph.num_nodes("node")))
    assert unordered(back.graph) == unordered(graph)


@given(named_graphs(hyperedge_weight=False, incidence_weight=False))
def test_round_trip_of_names(named):
    listed = dict(zip(named.hyperedge_names, to_hyperedges(named)))
    back = from_hyperedges(listed, named.node_names)
    assert unordered(back.graph) == unordered(named.graph)
    assert list(back.node_names) == list(named.node_names)
    assert list(back.hyperedge_names) == list(named.hyperedge_names)


@given(graphs(may_cut=False))
def test_the_builder_takes_the_lists(graph):
    weight = graph.nodes["hyperedge"].data.get("weight")
    back = hypergraph(
        to_hyperedges(graph),
        graph.num_nodes("node"),
        hyperedge_weight=weight,
        incidence_weight=graph.edges["in"].data.get("weight"),
    )
    assert structure(back) == structure(graph)


def test_sets_are_sorted_and_repeated_members_merged():
    named = from_hyperedges([{"c", "a", 3, "b"}, ["a", "a"]])
    assert named.node_names == (3, "a", "b", "c")
    assert to_hyperedges(named) == [[3, "a", "b", "c"], ["a"]]
    assert list(named.hyperedge_names) == [0, 1]


def test_weights_are_taken():
    named = from_hyperedges({"x": ["a", "b"], "y": ["b"]}, hyperedge_weight=[2, 3])
    assert named.graph.nodes["hyperedge"].data["weight"].tolist() == [2, 3]


@pytest.mark.parametrize(
    ("hyperedges", "names", "error", "match"),
    [
        ("abc", None, TypeError, "member lists"),
        (7, None, TypeError, "member lists"),
        ({"x": "abc"}, None, TypeError, "hyperedge 'x' is 'abc'"),
        ([["a"], 5], None, TypeError, "hyperedge 1 is 5"),
        ([["a"], [["b"]]], None, TypeError, "hyperedge 1: unhashable"),
        ({"x": ["a", "zoe"]}, ["a"], ValueError, "hyperedge 'x': node 'zoe' is unknown"),
        ([["a"]], ["a", "b", "a"], ValueError, "'a' occurs more than once"),
    ],
)
def test_bad_lists_are_refused(hyperedges, names, error, match):
    with pytest.raises(error, match=match):
        from_hyperedges(hyperedges, names)


@pytest.mark.parametrize(
    "hyperedges",
    [
        [torch.tensor([0, 1]), torch.tensor([1, 2])],
        [np.array([0, 1]), np.array([1, 2])],
        [list(torch.tensor([0, 1])), list(np.array([1, 2]))],
        torch.tensor([[0, 1], [1, 2]]),
        np.array([[0, 1], [1, 2]]),
    ],
)
def test_equal_numbers_of_tensors_are_one_node(hyperedges):
    named = from_hyperedges(hyperedges)
    assert named.node_names == (0, 1, 2)
    assert to_hyperedges(named) == [[0, 1], [1, 2]]
    known = from_hyperedges(hyperedges, node_names=torch.arange(4))
    assert known.node_names == (0, 1, 2, 3)


@pytest.mark.parametrize("members", [torch.tensor(1), torch.eye(2), np.array(1)])
def test_members_in_other_than_one_dimension_are_refused(members):
    with pytest.raises(TypeError, match=r"hyperedge 0 is [\s\S]*flat list"):
        from_hyperedges([members])


@given(graphs())
def test_round_trip_of_coo(graph):
    weights = {
        "hyperedge_weight": graph.nodes["hyperedge"].data.get("weight"),
        "incidence_weight": graph.edges["in"].data.get("weight"),
    }
    counts = graph.num_nodes("node"), graph.num_nodes("hyperedge")
    assert structure(from_coo(to_coo(graph), *counts, **weights).graph) == structure(graph)


def test_coo_is_pygs_layout():
    index = to_coo(hypergraph([[0, 2], [1, 2, 3]], idtype=torch.int32))
    assert index.dtype == torch.int64
    assert index.tolist() == [[0, 2, 1, 2, 3], [0, 0, 1, 1, 1]]


def test_coo_counts_only_if_told():
    index = np.array([[0, 1], [0, 0]])
    assert structure(from_coo(index).graph)["nodes"] == 2
    told = from_coo(index, 4, 3).graph
    assert told.nodes["hyperedge"].data["size"].tolist() == [2, 0, 0]
    assert told.nodes["node"].data["degree"].tolist() == [1, 1, 0, 0]
    assert from_coo(index, num_hyperedges=2).graph.num_nodes("node") == 2
    assert from_coo(index[:, :0], num_hyperedges=2).graph.num_nodes("node") == 0


@pytest.mark.parametrize(
    ("index", "options", "error", "match"),
    [
        (torch.zeros(3, 2, dtype=torch.int64), {}, ValueError, "2 x incidences"),
        (torch.zeros(2, dtype=torch.int64), {}, ValueError, "2 x incidences"),
        ([[0], [0]], {}, ValueError, "list"),
        (torch.zeros(2, 2), {}, TypeError, "integers"),
        (torch.tensor([[0, -1], [0, 0]]), {}, ValueError, "-1 is negative"),
        (torch.tensor([[0, 1], [0, 2]]), {}, ValueError, "hyperedge 1 is empty"),
        (torch.tensor([[0, 5], [0, 0]]), {"num_nodes": 5}, ValueError, "node id 5"),
        (torch.tensor([[0, 1], [0, 3]]), {"num_hyperedges": 3}, ValueError, "hyperedge id 3"),
        (torch.tensor([[0], [0]]), {"num_hyperedges": -1}, ValueError, "integer from 0"),
        (
            torch.tensor([[0, 0], [0, 0]]),
            {"num_hyperedges": 2, "incidence_weight": [1, 2]},
            ValueError,
            "repeated and weighted",
        ),
        (
            torch.tensor([[0], [0]]),
            {"num_hyperedges": 2, "incidence_weight": [1, 2]},
            ValueError,
            "incidence_weight has shape",
        ),
        (
            torch.tensor([[0], [0]]),
            {"num_hyperedges": 2, "hyperedge_weight": [1, -2]},
            ValueError,
            r"hyperedge_weight\[1\] is -2",
        ),
    ],
)
def test_bad_coo_is_refused(index, options, error, match):
    with pytest.raises(error, match=match):
        from_coo(index, **options)


@given(graphs())
def test_round_trip_of_scipy(graph):
    matrix = to_scipy(graph)
    np.testing.assert_array_equal(matrix.toarray(), dense(graph))
    weight = graph.nodes["hyperedge"].data.get("weight")
    assert unordered(from_scipy(matrix, hyperedge_weight=weight).graph) == unordered(graph)


@pytest.mark.parametrize(
    "kind", [sparse.coo_matrix, sparse.csr_matrix, sparse.csc_array, sparse.lil_matrix]
)
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float64])
def test_any_sparse_matrix_of_ones_is_unweighted(kind, dtype):
    graph = from_scipy(kind(np.array([[1, 0], [1, 1], [0, 0]], dtype=dtype))).graph
    assert structure(graph) == structure(hypergraph([[0, 1], [1]], num_nodes=3))


def test_stored_zeros_are_no_incidences_and_repeated_entries_add_up():
    rows, columns = [0, 1, 1, 2], [0, 0, 0, 1]
    matrix = sparse.coo_matrix((np.array([1.0, 1.5, 2.0, 0.0]), (rows, columns)), shape=(3, 2))
    graph = from_scipy(matrix).graph
    assert structure(graph)["incidences"] == [(0, 0), (1, 0)]
    assert structure(graph)["incidence weight"] == [1, 3.5]
    assert matrix.nnz == 4


@pytest.mark.parametrize(
    ("matrix", "error", "match"),
    [
        (np.eye(2), TypeError, "ndarray"),
        (sparse.csr_matrix([[1, 0], [0, -1]]), ValueError, r"entry \(1, 1\) .* is -1"),
        (sparse.csr_matrix([[1, np.nan]]), ValueError, r"entry \(0, 1\) .* is nan"),
        (sparse.csr_matrix([[np.inf, 1.0]]), ValueError, r"entry \(0, 0\) .* is inf"),
    ],
)
def test_bad_matrices_are_refused(matrix, error, match):
    with pytest.raises(error, match=match):
        from_scipy(matrix)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.bsr_matrix])
def test_an_index_that_is_not_there_is_refused_before_scipy_follows_it(kind):
    matrix = kind(np.eye(4))
    matrix.indices[:] = 1000
    with pytest.raises(ValueError, match="ind"):
        from_scipy(matrix)
