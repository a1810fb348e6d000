"""A kept first layer stands for the features, and only where it is right."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import LSTM, Aggregator, HyperSAGE, Max, Mean, PowerMean

GRAPH = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4], [4]], 6)
FEAT = torch.rand(6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def model_for(**options) -> HyperSAGE:
    torch.manual_seed(1)
    return HyperSAGE(4, 5, 3, **options).double().eval()


class Scaled(Aggregator):
    """Someone's own, with a number that decides what comes out."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def lift(self, x):
        return x * self.factor


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(
    "options", [{}, {"p": 2}, {"include_self": False}, {"intra_aggr": Max()}, {"normalize": False}]
)
def test_it_gives_the_logits_of_the_features(options, layers, layout):
    model = model_for(num_layers=layers, **options)
    feat = FEAT if layout == "dense" else FEAT.to_sparse_csr()
    kept = model.first_layer(GRAPH, feat)
    expected = model(GRAPH, FEAT)
    torch.testing.assert_close(model(GRAPH, kept), expected)
    torch.testing.assert_close(model(GRAPH, kept.compact()), expected)
    if layers > 1:
        torch.testing.assert_close(model.embed(GRAPH, kept), model.embed(GRAPH, FEAT))
    assert not kept.hidden.requires_grad


def test_it_can_be_that_of_blocks_and_of_other_weights():
    model = model_for()
    weights = torch.rand(GRAPH.num_edges("in"), dtype=torch.float64) + 0.1
    kept = model.first_layer(GRAPH, FEAT, weights)
    torch.testing.assert_close(model(GRAPH, kept, weights), model(GRAPH, FEAT, weights))
    found, _, pairs = HyperSAGESampler(2).sample(GRAPH, torch.tensor([1, 4]))
    kept = model.first_layer(pairs, FEAT[found["node"]])
    torch.testing.assert_close(model(pairs, kept), model(GRAPH, FEAT)[[1, 4]])


def test_models_that_differ_in_weights_alone_share_it():
    model, other = model_for(p=2), model_for(p=2, num_layers=3)
    other.reset_parameters()
    torch.testing.assert_close(other(GRAPH, model.first_layer(GRAPH, FEAT)), other(GRAPH, FEAT))


@pytest.mark.parametrize(
    ("before", "now", "word"),
    [
        ({}, {"p": 2}, "p=2"),
        ({"p": (1, 2)}, {"p": (1, 3)}, "inter_aggr"),
        ({"p": 2}, {"p": 2, "eps": 0.1}, "eps=0.1"),
        ({}, {"inter": "mean"}, "'mean'"),
        ({}, {"include_self": False}, "include_self"),
        ({}, {"normalize": False}, "normalize"),
        ({}, {"normalize": (False, True)}, "normalize"),
        ({"intra_aggr": Max()}, {"intra_aggr": Mean()}, "Max.*Mean"),
        ({"intra_aggr": Scaled(2.0)}, {"intra_aggr": Scaled(3.0)}, "factor=2.0.*factor=3.0"),
    ],
    ids=str,
)
def test_a_first_layer_of_other_options_is_refused(before, now, word):
    kept = model_for(**before).first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match=word):
        model_for(**now)(GRAPH, kept)
    model_for(**before)(GRAPH, kept)


@pytest.mark.parametrize(
    "options",
    [
        {"feat_drop": 0.1},
        {"p": PowerMean(1, learn=True)},
        {"intra_aggr": LSTM},
        {"node_weight": "hypermsg"},
    ],
    ids=["feat_drop", "learned", "lstm", "node weight"],
)
def test_what_changes_in_training_is_not_kept(options):
    with pytest.raises(ValueError, match="cannot be kept"):
        model_for(**options).first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match="changes in training"):
        model_for(**options)(GRAPH, model_for().first_layer(GRAPH, FEAT))


def test_other_widths_and_other_hypergraphs_are_refused():
    kept = model_for().first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match="4 columns, this model takes 7"):
        HyperSAGE(7, 5, 3).double()(GRAPH, kept)
    with pytest.raises(ValueError, match="6 rows for 3 nodes"):
        model_for()(hypergraph([[0, 1, 2]]), kept)


def test_compact_is_sparse_where_few_entries_are_not_zero():
    model = model_for()
    assert model.first_layer(GRAPH, FEAT.to_sparse_csr()).compact().hidden.layout == torch.strided
    few = torch.zeros(6, 4, dtype=torch.float64)
    few[5, 0] = 1
    kept = model.first_layer(GRAPH, few).compact()
    assert kept.hidden.layout == torch.sparse_csr
    torch.testing.assert_close(model(GRAPH, kept), model(GRAPH, few))
