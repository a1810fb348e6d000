"""A hypergraph that grew and shrank step by step is the one that is built at once."""

from __future__ import annotations

import pytest
import torch
from products import product
from small_hypergraph import INF, INTERS, WIDTH, model_for, weightings

from hypersage_dgl import (
    add_hyperedges,
    add_incidences,
    add_nodes,
    hypergraph,
    remove_hyperedges,
    remove_nodes,
    validate,
)
from hypersage_dgl.convert import Named, to_hyperedges
from hypersage_dgl.training import Committed, Predictor
from hypersage_dgl.training.prediction import surroundings

from ..cases import OTHER_OPTIONS, attached, small

NEW = torch.rand(40, WIDTH, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


class Rebuilt:
    """The same by the functions that make a new graph each time."""

    def __init__(self, case):
        self.graph, self.feat = case.graph, case.feat

    def commit(self, features, memberships, hyperedges=(), incidences=()):
        first = self.graph.num_nodes("node")
        self.graph = add_nodes(self.graph, len(features))
        nodes = [first + i for i, joined in enumerate(memberships) for _ in joined]
        self.graph = add_incidences(self.graph, nodes, [e for m in memberships for e in m])
        if hyperedges:
            self.graph = add_hyperedges(self.graph, hyperedges)
        if incidences:
            self.graph = add_incidences(self.graph, *zip(*incidences))
        self.feat = torch.cat((self.feat, features))

    def remove(self, nodes=(), hyperedges=()):
        self.graph = remove_hyperedges(remove_nodes(self.graph, nodes), hyperedges)
        stays = [i for i in range(len(self.feat)) if i not in set(nodes)]
        self.feat = self.feat[stays]


def change(*of):
    """A history of arrivals and removals, told to all of them."""
    for step in range(12):
        count = of[0].graph.num_nodes("node")
        edges = of[0].graph.num_nodes("hyperedge")
        new = NEW[3 * step : 3 * step + step % 3]
        memberships = [
            [(step + i) % edges, (5 * step) % edges, step % edges] for i in range(len(new))
        ]
        members = [[(7 * step) % count, (3 * step) % count, count + len(new) - 1]] * (step % 2)
        joins = [((4 * step) % count, (3 * step) % edges), (0, edges - 1)] * (step % 4 > 1)
        for each in of:
            each.commit(new, memberships, members, incidences=joins)
        if step % 3 == 2:
            gone = {"nodes": [2, (5 * step) % count, 2], "hyperedges": [step % edges]}
            for each in of:
                each.remove(**gone)


def assert_same_graph(found, expected):
    for a, b in zip(found.edges(etype="in"), expected.edges(etype="in")):
        assert torch.equal(a, b)
    for ntype in ("node", "hyperedge"):
        assert found.num_nodes(ntype) == expected.num_nodes(ntype)
    for frame in (lambda g: g.nodes["hyperedge"].data, lambda g: g.edges["in"].data):
        assert ("weight" in frame(found)) == ("weight" in frame(expected))
        if "weight" in frame(found):
            assert torch.equal(frame(found)["weight"], frame(expected)["weight"])
    assert (found.idtype, found.device) == (expected.idtype, expected.device)
    validate(found)


@torch.no_grad()
def assert_as_rebuilt(model, case):
    rebuilt, predictor = Rebuilt(case), attached(model, case)
    change(rebuilt, predictor)
    now = predictor.attached()
    assert_same_graph(now.graph, rebuilt.graph)
    dense = now.feat.to_dense() if now.feat.layout != torch.strided else now.feat
    assert torch.equal(dense, rebuilt.feat)
    # All nodes by their fields, and a new one, are those of a predictor that starts from there.
    expected = Predictor(model).predict(rebuilt.graph, rebuilt.feat).probabilities
    nodes = list(range(len(expected)))[::-1]
    found = predictor.predict_attached(nodes).probabilities
    torch.testing.assert_close(found, expected.flip(0), rtol=1e-9, atol=1e-12)
    fresh = attached(model, rebuilt).predict_new(NEW[:1], [[1, 2]], [[4, len(nodes)]])
    later = predictor.predict_new(NEW[:1], [[1, 2]], [[4, len(nodes)]])
    torch.testing.assert_close(later.probabilities, fresh.probabilities, rtol=1e-9, atol=1e-12)


@product(
    {"p": [1, 0, 20, INF, (1, 2)], "inter": INTERS, "include_self": [True, False]},
    lambda p, inter, **_: (p, inter) in weightings([p]),
)
@pytest.mark.many
def test_predictions_and_structure_are_those_of_a_rebuilt_graph(p, inter, include_self):
    assert_as_rebuilt(model_for(p, inter=inter, include_self=include_self), small())


@pytest.mark.parametrize("loose", [10_000, 0], ids=["loose", "tidied"])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
@pytest.mark.many
def test_at_any_depth_and_with_an_index_made_again(monkeypatch, loose, layers, weighted, idtype):
    monkeypatch.setattr(surroundings, "LOOSE", loose)
    assert_as_rebuilt(model_for(2, layers, inter="invariant"), small(weighted, idtype))


@OTHER_OPTIONS
def test_other_options(options):
    assert_as_rebuilt(model_for(**options), small())


def test_sparse_features():
    case = small()
    predictor, rebuilt = attached(model_for(2), case), Rebuilt(case)
    sparse = attached(model_for(2), case._replace(feat=case.feat.to_sparse_csr()))
    change(rebuilt, predictor, sparse)
    assert torch.equal(sparse.attached().feat.to_dense(), rebuilt.feat)
    nodes = range(len(rebuilt.feat))
    torch.testing.assert_close(
        sparse.predict_attached(nodes).probabilities,
        predictor.predict_attached(nodes).probabilities,
    )


@pytest.mark.parametrize("loose", [10_000, 0], ids=["loose", "tidied"])
@torch.no_grad()
def test_weights_arrive_as_in_a_rebuilt_graph(monkeypatch, loose):
    monkeypatch.setattr(surroundings, "LOOSE", loose)
    case, model = small(), model_for(2, inter="paper")
    predictor = attached(model, case)
    # Node 13 joins 0 and 2, hyperedge 10 has three members, and 11 joins 5; node 10 is in 9 before.
    done = predictor.commit(
        NEW[:1],
        [[0, 2]],
        [[13, 3, 11]],
        incidences=[(11, 5), (10, 9), (13, 2)],
        hyperedge_weight=[2.5],
        incidence_weight=torch.tensor([0.5, 3.0, 1.5, 0.25, 2.0, 4.0, 9.0, 9.0]),
    )
    assert done == Committed(range(13, 14), range(10, 11))
    graph = add_nodes(case.graph, 1)
    weights = [torch.tensor(w) for w in ([0.5, 3.0], [1.5, 0.25, 2.0], [4.0])]
    graph = add_incidences(graph, [13, 13], [0, 2], {"weight": weights[0]})
    graph = add_hyperedges(graph, [[13, 3, 11]], {"weight": torch.tensor([2.5])})
    graph.edges["in"].data["weight"][-3:] = weights[1]
    graph = add_incidences(graph, [11], [5], {"weight": weights[2]})
    assert_same_graph(predictor.attached().graph, graph)
    feat = torch.cat((case.feat, NEW[:1]))
    torch.testing.assert_close(
        predictor.predict_attached(range(14)).probabilities, model(graph, feat).softmax(1)
    )


def named():
    names = (("ann", "bob", "cy"), ("x", "y"))
    predictor = Predictor(model_for())
    predictor.attach(Named(hypergraph([[0, 1], [1, 2]]), *names), NEW[:3])
    return predictor


def test_all_by_name():
    predictor = named()
    done = predictor.commit(
        NEW[3:5],
        [["x"], []],
        [["eve", "cy"]],
        incidences=[("ann", "y"), ("ann", "x"), ("dora", "z")],
        names=["dora", "eve"],
        hyperedge_names=["z"],
    )
    assert done == Committed(range(3, 5), range(2, 3))
    now = predictor.attached()
    assert (now.node_names, now.hyperedge_names) == (
        ["ann", "bob", "cy", "dora", "eve"],
        ["x", "y", "z"],
    )
    assert to_hyperedges(now.graph) == [[0, 1, 3], [1, 2, 0], [4, 2, 3]]
    predictor.remove(nodes=["bob"], hyperedges=["y"], incidences=[("dora", "z")])
    now = predictor.attached()
    assert (now.node_names, now.hyperedge_names) == (["ann", "cy", "dora", "eve"], ["x", "z"])
    assert to_hyperedges(now.graph) == [[0, 2], [3, 1]]
    # A name that is free again can be given again, and a new node be called by its name.
    assert predictor.commit(NEW[5:6], [["z"]], names=["bob"]).nodes == range(4, 5)
    again = predictor.predict_new(NEW[6:7], [["x"]], [["finn", "bob"]], names=["finn"])
    same = predictor.predict_new(NEW[6:7], [[0]], [[5, 4]])
    assert torch.equal(again.probabilities, same.probabilities)
    one = predictor.predict_attached(["bob", "ann", "bob"]).probabilities
    assert torch.equal(one, predictor.predict_attached([4, 0, 4]).probabilities)


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ({"memberships": [["no"]]}, ValueError, "hyperedge 'no' is not in the attached"),
        ({"memberships": [[9]]}, ValueError, "hyperedge id 9 is too large"),
        ({"memberships": []}, ValueError, "0 lists of memberships for 1 new nodes"),
        ({"names": []}, ValueError, "0 names for 1 new nodes"),
        ({"names": ["ann"]}, ValueError, "there is a node 'ann' already"),
        ({"hyperedges": [["ann"]]}, ValueError, "0 hyperedge_names for 1 new hyperedges"),
        ({"hyperedges": [[]], "hyperedge_names": ["z"]}, ValueError, "new hyperedge 0 is empty"),
        ({"incidences": ["ax"]}, TypeError, r"incidences\[0\] is 'ax'"),
        ({"incidences": [("ann", "z")]}, ValueError, "hyperedge 'z' is not in"),
        ({"features": NEW[:1].float()}, TypeError, "torch.float32"),
        ({"incidence_weight": [2.0]}, ValueError, "incidence_weight is given, but the attached"),
        ({"hyperedge_weight": []}, ValueError, "hyperedge_weight is given, but the attached"),
    ],
)
def test_after_an_error_nothing_has_changed(words, error, message):
    predictor = named()
    before = predictor.attached()
    arrival = {"features": NEW[3:4], "memberships": [["x"]], "names": ["dora"]}
    with pytest.raises(error, match=message):
        predictor.commit(**{**arrival, **words})
    assert_same_graph(predictor.attached().graph, before.graph)
    assert predictor.attached().node_names == before.node_names
    assert predictor.commit(**arrival).nodes == range(3, 4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"incidence_weight": [1.0, 2.0]}, r"shape \(2,\); it needs one number for each new inc"),
        ({"incidence_weight": [-1.0]}, r"incidence_weight\[0\] is -1.0; weights must be positive"),
        ({"hyperedge_weight": [1.0]}, "it needs one number for each new hyperedge"),
    ],
)
def test_weights_that_do_not_fit_change_nothing(words, message):
    predictor = attached(model_for(), small())
    with pytest.raises(ValueError, match=message):
        predictor.commit(NEW[:1], [[0]], **words)
    assert_same_graph(predictor.attached().graph, small().graph)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"nodes": ["ann", "no"]}, "node 'no' is not in the attached hypergraph"),
        ({"nodes": ["ann"], "hyperedges": [7]}, "hyperedge id 7 is too large"),
        ({"nodes": ["bob"], "incidences": [("ann", "y")]}, "node 'ann' is not in hyperedge 'y'"),
    ],
)
def test_what_cannot_be_removed_is_named_and_all_stays(words, message):
    predictor = named()
    with pytest.raises(ValueError, match=message):
        predictor.remove(**words)
    assert predictor.attached().node_names == ["ann", "bob", "cy"]
    assert to_hyperedges(predictor.attached().graph) == [[0, 1], [1, 2]]


def test_the_given_graph_and_features_stay_as_they_are():
    case = small()
    feat, edges = case.feat.clone(), [ids.clone() for ids in case.graph.edges(etype="in")]
    weights = case.graph.nodes["hyperedge"].data["weight"].clone()
    change(Rebuilt(case), attached(model_for(), case))
    assert torch.equal(case.feat, feat)
    assert torch.equal(case.graph.nodes["hyperedge"].data["weight"], weights)
    for ids, kept in zip(case.graph.edges(etype="in"), edges):
        assert torch.equal(ids, kept)


def test_nothing_at_all_may_be_committed_and_removed():
    predictor = attached(model_for(), small())
    assert predictor.commit() == Committed(range(13, 13), range(10, 10))
    predictor.remove()
    assert_same_graph(predictor.attached().graph, small().graph)
