"""Predictions are those of the model; what does not fit it is named."""

from __future__ import annotations

import pytest
import torch
from small_hypergraph import INF, NODES, WIDTH, model_for

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Named
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import About, Predictor, save_checkpoint

from ..cases import attached, small

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
# Three new nodes: one joins two hyperedges and one that is new, one only new ones, one nothing.
MEMBERSHIPS = [[2, 0, 2], [], []]
NEW_HYPEREDGES = [[NODES, 3, NODES + 1], [NODES + 1, NODES], [5, 3, 8]]
FEATURES = torch.rand(3, WIDTH, generator=torch.Generator().manual_seed(4), dtype=torch.float64)


@torch.no_grad()
@pytest.mark.parametrize("batch_size", [None, 1, 4, 1000])
@pytest.mark.parametrize("sparse", [False, True])
def test_predictions_are_the_models(batch_size, sparse):
    case = small()
    model = model_for(2, dropout=0.5).train()
    predictor = Predictor(model)
    feat = case.feat.to_sparse_csr() if sparse else case.feat
    prediction = predictor.predict(case.graph, feat, batch_size)
    expected = model.eval()(case.graph, case.feat).softmax(1)
    torch.testing.assert_close(prediction.probabilities, expected)
    assert torch.equal(prediction.label, expected.argmax(1))
    torch.testing.assert_close(prediction.probability, expected.max(1).values)
    assert not prediction.probabilities.requires_grad


def test_a_saved_model_predicts_the_same(tmp_path):
    case, model, about = small(), model_for(-1), About(("a", "b", "c"))
    save_checkpoint(tmp_path, model, about)
    loaded = Predictor.load(tmp_path)
    assert loaded.about == about
    expected = Predictor(model, about).predict(case.graph, case.feat)
    assert torch.equal(loaded.predict(case.graph, case.feat).probabilities, expected.probabilities)


def test_new_nodes_need_an_attached_hypergraph():
    with pytest.raises(ValueError, match="attach"):
        Predictor(model_for()).predict_new(FEATURES, MEMBERSHIPS)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"memberships": [[0]]}, ValueError, "1 lists of memberships for 3 new nodes"),
        ({"memberships": None}, TypeError, "memberships is None; it must be a list of lists"),
        ({"memberships": "012"}, TypeError, "memberships is '012'; it must be a list of lists"),
        ({"hyperedges": 3}, TypeError, "hyperedges is 3; it must be a list of lists"),
        ({"memberships": [0, 1, 2]}, TypeError, r"memberships\[0\] is 0; it must be a list"),
        ({"memberships": ["01", [], []]}, TypeError, r"memberships\[0\] is '01'"),
        ({"memberships": [[99], [], []]}, ValueError, "hyperedge id 99 is too large"),
        ({"memberships": [[-1], [], []]}, ValueError, "negative"),
        ({"memberships": [[0.5], [], []]}, TypeError, "integers"),
        ({"hyperedges": [[NODES + 3]]}, ValueError, "node id 16 is too large"),
        ({"hyperedges": [[NODES], []]}, ValueError, "new hyperedge 1 is empty"),
        ({"features": FEATURES[0]}, ValueError, "takes 5 columns"),
        ({"features": FEATURES[:, :3]}, ValueError, "takes 5 columns"),
        ({"features": FEATURES.float()}, TypeError, "torch.float32"),
        ({"features": FEATURES * INF}, ValueError, "NaN or infinite"),
        ({"features": FEATURES.tolist()}, TypeError, "torch tensor"),
    ],
)
def test_arrivals_that_cannot_be_are_named(changes, error, message):
    arrival = {"features": FEATURES, "memberships": MEMBERSHIPS, "hyperedges": NEW_HYPEREDGES}
    with pytest.raises(error, match=message):
        attached(model_for(), small()).predict_new(**{**arrival, **changes})


@pytest.mark.parametrize(
    ("feat", "error", "message"),
    [
        (torch.rand(3, WIDTH).double(), ValueError, "3 rows of features for 13 nodes"),
        (torch.rand(NODES, 2).double(), ValueError, "takes 5 columns"),
        (torch.rand(NODES, WIDTH), TypeError, "torch.float32"),
        (torch.full((NODES, WIDTH), float("nan")).double(), ValueError, "NaN or infinite"),
        (torch.rand(NODES, WIDTH).double().numpy(), TypeError, "torch tensor"),
    ],
)
def test_features_that_do_not_fit_are_named(feat, error, message):
    case, predictor = small(), Predictor(model_for())
    for call in (predictor.predict, predictor.attach):
        with pytest.raises(error, match=message):
            call(case.graph, feat)


@pytest.mark.skipif(torch.cuda.is_available(), reason="here it can be used")
def test_a_device_that_is_not_here_is_named(saved):
    with pytest.raises(ValueError, match="device 'cuda' cannot be used here"):
        Predictor.load(saved, "cuda")


def test_a_device_that_does_not_exist_is_named(saved):
    with pytest.raises(ValueError, match="device 'abacus' cannot be used here"):
        Predictor.load(saved, "abacus")


def test_a_folder_without_a_checkpoint_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no checkpoint"):
        Predictor.load(tmp_path)


def test_a_node_without_a_finite_logit_is_called_by_its_name():
    model = HyperSAGE(2, 4, 2, p=1, normalize=False).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(1e3)
    graph = hypergraph([[0, 1]], num_nodes=3)
    feat = torch.ones(3, 2)
    feat[2] = 3e38
    predictor, named = Predictor(model), Named(graph, ("ann", "bob", "cy"), ("x",))
    for given, name in ((graph, "2"), (named, "'cy'")):
        said = f"logits of 1 nodes, first of node {name}, are NaN or infinite"
        for batch_size in (None, 2):
            with pytest.raises(FloatingPointError, match=said):
                predictor.predict(given, feat, batch_size)
    predictor.attach(named, feat)
    with pytest.raises(FloatingPointError, match="first of node 'cy'"):
        predictor.predict_attached(["ann", "cy"])
    with pytest.raises(FloatingPointError, match="first of node 'dora'"):
        predictor.predict_new(feat[2:], [[]], names=["dora"])


def test_a_new_node_cannot_be_called_as_an_old_one():
    predictor, feat = Predictor(HyperSAGE(2, 4, 2)), torch.rand(3, 2)
    predictor.attach(Named(hypergraph([[0, 1], [1, 2]]), ("a", "b", "c"), ("x", "y")), feat)
    with pytest.raises(ValueError, match="there is a node 'a' already"):
        predictor.predict_new(feat[:1], [["x"]], [["a", "b"]], names=["a"])
    with pytest.raises(ValueError, match="2 names for 1 new nodes"):
        predictor.predict_new(feat[:1], [["x"]], [["d", "b"]], names=["d", "e"])
    named = predictor.predict_new(feat[:1], [["x"]], [["d", "b"]], names=["d"])
    numbered = predictor.predict_new(feat[:1], [["x"]], [[3, "b"]])
    assert torch.equal(named.probabilities, numbered.probabilities)
