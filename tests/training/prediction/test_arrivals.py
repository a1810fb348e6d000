"""Predictions for what arrives are those of the grown hypergraph; names and ids lead to places."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from small_hypergraph import INF, NODES, WIDTH, model_for, weightings

from hypersage_dgl import (
    add_hyperedges,
    add_incidences,
    add_nodes,
    hypergraph,
    hypergraph_from_incidence,
    induced,
)
from hypersage_dgl.training.prediction.arrivals import Roll

from ..cases import OTHER_OPTIONS, Labelled, attached, small

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
# Three new nodes: one joins two hyperedges and one that is new, one only new ones, one nothing.
MEMBERSHIPS = [[2, 0, 2], [], []]
NEW_HYPEREDGES = [[NODES, 3, NODES + 1], [NODES + 1, NODES], [5, 3, 8]]
FEATURES = torch.rand(3, WIDTH, generator=torch.Generator().manual_seed(4), dtype=torch.float64)


def grown(case, features=FEATURES, memberships=MEMBERSHIPS, hyperedges=NEW_HYPEREDGES) -> Labelled:
    """The hypergraph with the new nodes in it, by the functions that grow it."""
    count = case.graph.num_nodes("node")
    graph = add_nodes(case.graph, len(features))
    nodes = [count + i for i, joined in enumerate(memberships) for _ in joined]
    graph = add_incidences(graph, nodes, [e for joined in memberships for e in joined])
    graph = add_hyperedges(graph, hyperedges)
    return Labelled(graph, torch.cat((case.feat, features)), case.labels)


@torch.no_grad()
def assert_as_grown(model, case, **arrival):
    """All probabilities of the new nodes are those in the grown hypergraph."""
    new = attached(model, case).predict_new(
        arrival.get("features", FEATURES),
        arrival.get("memberships", MEMBERSHIPS),
        arrival.get("hyperedges", NEW_HYPEREDGES),
    )
    after = grown(case, **arrival)
    expected = model.eval()(after.graph, after.feat)[case.graph.num_nodes("node") :].softmax(1)
    torch.testing.assert_close(new.probabilities, expected, rtol=1e-9, atol=1e-12)
    assert torch.equal(new.label, expected.argmax(1))
    torch.testing.assert_close(new.probability, expected.max(1).values)


@SELF
@pytest.mark.parametrize(("p", "inter"), weightings([1, 2, 0, -1, 20, INF, (1, 2)]))
@pytest.mark.many
def test_new_nodes_are_those_of_the_grown_hypergraph(p, inter, include_self):
    model = model_for(p, inter=inter, include_self=include_self)
    assert_as_grown(model, small())


@SELF
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
def test_new_nodes_at_any_depth(layers, include_self, weighted, idtype):
    model = model_for(2, layers, inter="invariant", include_self=include_self)
    assert_as_grown(model, small(weighted, idtype))


@OTHER_OPTIONS
def test_new_nodes_with_other_options(options):
    # Incidences in any order, which an LSTM reads.
    case = small()
    nodes, edges = case.graph.edges(etype="in")
    order = torch.randperm(len(nodes), generator=torch.Generator().manual_seed(1))
    graph = hypergraph_from_incidence(nodes[order], edges[order], NODES)
    assert_as_grown(model_for(**options), case._replace(graph=graph))


@pytest.mark.parametrize(
    "arrival",
    [
        {"memberships": [[0]], "hyperedges": []},
        {"memberships": [[]], "hyperedges": []},
        {"memberships": [[]], "hyperedges": [[NODES]]},
        {"memberships": [list(range(9))], "hyperedges": [[0, 1, 2], [NODES, 11]]},
    ],
    ids=["joins", "alone", "alone in a hyperedge", "joins all"],
)
@SELF
def test_one_new_node(arrival, include_self):
    case, model = small(), model_for(2, 3, include_self=include_self)
    assert_as_grown(model, case, features=FEATURES[:1], **arrival)


def test_members_come_as_any_kind_of_collection():
    predictor = attached(model_for(), small())
    expected = predictor.predict_new(FEATURES[:1], [[1, 4]], [[2, NODES]]).probabilities
    for kind in (tuple, set, torch.tensor, iter):
        new = predictor.predict_new(FEATURES[:1], (kind([1, 4]),), [kind([2, NODES])])
        torch.testing.assert_close(new.probabilities, expected)


def test_no_new_node():
    prediction = attached(model_for(), small()).predict_new(FEATURES[:0], [])
    assert prediction.probabilities.shape == (0, 3)


def test_a_hyperedge_that_was_cut_empty_can_be_joined():
    case = small()
    cut = induced(case.graph, [5, 6, 7, 8])
    assert int(cut.nodes["hyperedge"].data["size"].min()) == 0
    empty = int(cut.nodes["hyperedge"].data["size"].argmin())
    assert_as_grown(
        model_for(2),
        Labelled(cut, case.feat[5:9], case.labels[5:9]),
        features=FEATURES[:2],
        memberships=[[empty], [empty]],
        hyperedges=[],
    )


@pytest.mark.parametrize("layout", [torch.sparse_csr, torch.sparse_coo])
@pytest.mark.parametrize("new_is_sparse", [True, False])
def test_sparse_features_are_dense_ones(layout, new_is_sparse):
    case, model = small(), model_for(2)
    expected = attached(model, case).predict_new(FEATURES, MEMBERSHIPS, NEW_HYPEREDGES)
    sparse = case._replace(feat=case.feat.to_sparse(layout=layout))
    features = FEATURES.to_sparse(layout=layout) if new_is_sparse else FEATURES
    new = attached(model, sparse).predict_new(features, MEMBERSHIPS, NEW_HYPEREDGES)
    torch.testing.assert_close(new.probabilities, expected.probabilities)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_nothing_outside_of_the_receptive_field_is_touched(layers):
    # A long chain, joined at hyperedge 50 of the members 50 and 51. What is further away than
    # there are layers holds NaN, which would spread if it were read.
    graph = hypergraph([[i, i + 1] for i in range(100)])
    feat = torch.rand(101, WIDTH, dtype=torch.float64)
    predictor = attached(model_for(2, layers), Labelled(graph, feat, feat))
    expected = predictor.predict_new(FEATURES[:1], [[50]])
    inside = range(51 - layers, 51 + layers)
    outside = [v for v in range(101) if v not in inside]
    feat[outside] = float("nan")
    assert torch.equal(predictor.predict_new(FEATURES[:1], [[50]]).label, expected.label)
    again = predictor.predict_new(FEATURES[:1], [[50]]).probabilities
    assert torch.equal(again, expected.probabilities)
    feat[inside[0]] = float("nan")
    with pytest.raises(FloatingPointError, match="logits of 1 nodes, first of node 0, are NaN"):
        predictor.predict_new(FEATURES[:1], [[50]])


def test_the_attached_hypergraph_does_not_change():
    case, model = small(), model_for()
    case.graph.nodes["node"].data["mine"] = torch.rand(NODES)
    before = {t: dict(case.graph.nodes[t].data) for t in case.graph.ntypes}
    edges = [ids.clone() for ids in case.graph.edges(etype="in")]
    feat, predictor = case.feat.clone(), attached(model, case)
    first = predictor.predict_new(FEATURES, MEMBERSHIPS, NEW_HYPEREDGES)
    second = predictor.predict_new(FEATURES, MEMBERSHIPS, NEW_HYPEREDGES)
    # The second arrival does not see the first.
    assert torch.equal(first.probabilities, second.probabilities)
    assert torch.equal(case.feat, feat)
    for ids, kept in zip(case.graph.edges(etype="in"), edges):
        assert torch.equal(ids, kept)
    for ntype, data in before.items():
        assert data.keys() == case.graph.nodes[ntype].data.keys()
        assert all(torch.equal(v, case.graph.nodes[ntype].data[k]) for k, v in data.items())


def test_ids_close_ranks_and_places_stay():
    roll = Roll("node", 5)
    roll.remove(np.array([1, 1, 3]))
    assert roll.places([0, 1, 2]).tolist() == [0, 2, 4]
    # Two that arrive have the next ids and the next places.
    assert roll.places([3, 4], more=2).tolist() == [5, 6]
    assert roll.add(2) == range(3, 5)
    assert roll.places([3, 4, 0]).tolist() == [5, 6, 0]
    assert (roll.count, roll.total) == (5, 7)


def test_names_and_ids_may_be_mixed():
    roll = Roll("node", 2, ("a", "b"))
    assert roll.places(["b", 0, "new", 2], 1, {"new": 0}).tolist() == [1, 0, 2, 2]
    roll.add(1, ("new",))
    roll.remove(roll.places(["a"]))
    assert roll.names == ["b", "new"]
    assert roll.places(["new", 1]).tolist() == [2, 2]
    roll.check_new(("a",), 1, "names")


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (["zoe"], ValueError, "node 'zoe' is not in the attached hypergraph$"),
        ([3], ValueError, "node id 3 is too large"),
        ([-1], ValueError, "negative"),
        ([0.5], TypeError, "integers"),
    ],
)
def test_what_is_not_there_is_named(values, error, message):
    with pytest.raises(error, match=message):
        Roll("node", 2, ("a", "b")).places(values)


def test_names_that_are_not_known_and_integers_that_are_names():
    with pytest.raises(ValueError, match="whose names are not known: attach it with names"):
        Roll("node", 2).places(["a"])
    assert Roll("node", 2, range(2)).places([1]).tolist() == [1]
    with pytest.raises(ValueError, match="node 7 may be a name or an id"):
        Roll("node", 2, (7, "b")).places([7])


@pytest.mark.parametrize(
    ("names", "count", "error", "message"),
    [
        ((), 1, ValueError, "0 names for 1 new nodes; those of the attached hypergraph have names"),
        (("a",), 1, ValueError, "names: there is a node 'a' already"),
        (("c", "c"), 2, ValueError, "names: there is a node 'c' already"),
        ((3,), 1, TypeError, "names has 3; a name must be a str"),
    ],
)
def test_names_that_cannot_be_added(names, count, error, message):
    with pytest.raises(error, match=message):
        Roll("node", 2, ("a", "b")).check_new(names, count, "names")


def test_names_where_there_are_none():
    with pytest.raises(ValueError, match="of the attached hypergraph have no names"):
        Roll("node", 2).check_new(("a",), 1, "names")


def test_names_of_some_that_do_not_stay():
    named, unnamed = Roll("node", 2, ("a", "b")), Roll("node", 2)
    for roll in (named, unnamed):
        roll.check_new((), 1, "names", is_kept=False)
        roll.check_new(("c",), 1, "names", is_kept=False)
        with pytest.raises(ValueError, match="2 names for 1 new nodes; give one for each"):
            roll.check_new(("c", "d"), 1, "names", is_kept=False)
        with pytest.raises(ValueError, match="there is a node 'c' already"):
            roll.check_new(("c", "c"), 2, "names", is_kept=False)
    with pytest.raises(ValueError, match="there is a node 'a' already"):
        named.check_new(("a",), 1, "names", is_kept=False)
