"""A view in evaluation mode computes as ``eval()`` does, and leaves the module as it is."""

from __future__ import annotations

import warnings

import torch
from torch import nn

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE, PowerMean, in_evaluation

GRAPH = hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]])
FEAT = torch.rand(5, 4, generator=torch.Generator().manual_seed(0))


def make(**options) -> HyperSAGE:
    return HyperSAGE(4, 8, 3, dropout=0.5, feat_drop=0.2, norm=nn.BatchNorm1d, **options)


def test_computes_as_in_evaluation_mode_and_changes_nothing():
    model = make().train()
    model(GRAPH, FEAT)
    modes = [module.training for module in model.modules()]
    state = {name: value.clone() for name, value in model.state_dict().items()}
    found = in_evaluation(model)(GRAPH, FEAT)
    assert [module.training for module in model.modules()] == modes
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert torch.equal(found, model.eval()(GRAPH, FEAT))


def test_shares_weights_buffers_and_what_occurs_twice():
    model = make().train()
    view = in_evaluation(model)
    assert not any(module.training for module in view.modules())
    for mine, theirs in zip(view.state_dict(keep_vars=True).values(), model.state_dict().values()):
        assert mine.data_ptr() == theirs.data_ptr()
    assert view.layers[0].intra_aggr is view.layers[0].inter_aggr
    assert view.layers[0].cache is model.layers[0].cache
    with torch.no_grad():
        model.layers[0].linear.weight.add_(1)
    assert torch.equal(view(GRAPH, FEAT), in_evaluation(model)(GRAPH, FEAT))


def test_a_module_with_a_forward_of_its_own_is_copied():
    inner = nn.Dropout(0.9)
    wrapper = nn.Module()
    wrapper.inner = inner
    wrapper.forward = inner.__call__
    model = nn.Sequential(wrapper).train()
    # torch.compile makes such: its forward computes with the original, which is in training mode.
    assert not in_evaluation(model)[0].training
    assert inner.training


def test_a_warning_is_still_given_once():
    model = HyperSAGE(4, 8, 3, p=PowerMean(2)).train()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            in_evaluation(model)(GRAPH, FEAT - 0.5)
    assert sum("negative" in str(w.message) for w in caught) == 1


def test_inference_leaves_the_mode():
    model = make().train()
    model.layers[0].norm.eval()
    modes = [module.training for module in model.modules()]
    found = model.inference(GRAPH, FEAT, batch_size=2)
    assert [module.training for module in model.modules()] == modes
    torch.testing.assert_close(found, model.eval()(GRAPH, FEAT).detach())


def test_what_was_compiled_is_not_copied_where_it_is_in_evaluation_mode():
    wrapper = nn.Module()
    wrapper.forward = nn.Identity().__call__
    assert in_evaluation(nn.Sequential(wrapper).eval())[0] is wrapper
