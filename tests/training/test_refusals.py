"""What cannot be computed with is one clear error, wherever it enters."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import shown
from hypersage_dgl.nn import BASELINES, HyperSAGE, HyperSAGEConv, PowerMean
from hypersage_dgl.training import FullGraph, Minibatches, Predictor, fit, sampler_for

NODES, WIDTH = 5, 3
GRAPH = hypergraph([[0, 1, 2], [2, 3]], NODES)
LABELS, TRAIN = torch.tensor([0, 1, 0, 1, 0]), torch.arange(3)
TYPES = {
    "float16": torch.float16,
    "float64": torch.float64,
    "int": torch.int64,
    "complex": torch.complex64,
    "bool": torch.bool,
}
# A model of float32, and what it is asked to do with features.
USES = {
    "layer": lambda model, feat: model.layers[0](GRAPH, feat),
    "model": lambda model, feat: model(GRAPH, feat),
    "embed": lambda model, feat: model.embed(GRAPH, feat),
    "inference": lambda model, feat: model.inference(GRAPH, feat, 2),
    "first layer": lambda model, feat: model.first_layer(GRAPH, feat),
    "fit": lambda model, feat: fit(
        model, FullGraph(GRAPH, feat, LABELS, TRAIN), epochs=1, progress=False
    ),
    "fit, cut": lambda model, feat: FullGraph(GRAPH, feat, LABELS, TRAIN, model=model),
    "fit, sampled": lambda model, feat: fit(
        model,
        Minibatches(GRAPH, feat, LABELS, TRAIN, sampler_for(model, GRAPH)),
        epochs=1,
        progress=False,
    ),
    "predict": lambda model, feat: Predictor(model).predict(GRAPH, feat),
    "attach": lambda model, feat: Predictor(model).attach(GRAPH, feat),
    "predict_new": lambda model, feat: attached(model).predict_new(feat, [[]] * NODES),
}


def attached(model: HyperSAGE) -> Predictor:
    predictor = Predictor(model)
    predictor.attach(GRAPH, torch.ones(NODES, WIDTH))
    return predictor


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("use", USES)
def test_features_of_another_type_are_named_with_the_cure(use, kind, layout):
    feat = torch.ones(NODES, WIDTH).to(TYPES[kind])
    feat = feat.to_sparse_csr() if layout == "sparse" else feat
    words = rf"features are of type {TYPES[kind]}.* convert (them|the features) with feat\.to\("
    with pytest.raises(TypeError, match=words):
        USES[use](HyperSAGE(WIDTH, 4, 2), feat)


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", BASELINES)
def test_baselines_name_them_too(name, kind, layout):
    feat = torch.ones(NODES, WIDTH).to(TYPES[kind])
    feat = feat.to_sparse_csr() if layout == "sparse" else feat
    with pytest.raises(TypeError, match=rf"features are of type {TYPES[kind]}"):
        BASELINES[name](WIDTH, 4, 2)(GRAPH, feat)


@pytest.mark.parametrize("name", [n for n in BASELINES if n not in ("mlp", "mlp-hlr")])
def test_float16_throughout_is_refused_where_dgl_sums(name):
    feat = torch.ones(NODES, WIDTH).half()
    with pytest.raises(TypeError, match="which DGL cannot sum on the CPU"):
        BASELINES[name](WIDTH, 4, 2).half()(GRAPH, feat)
    with pytest.raises(TypeError, match="which DGL cannot sum on the CPU"):
        HyperSAGE(WIDTH, 4, 2).half()(GRAPH, feat)


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_name_features_that_do_not_fit(name):
    model = BASELINES[name](WIDTH, 4, 2)
    with pytest.raises(ValueError, match="the model takes 3 columns"):
        model(GRAPH, torch.ones(NODES, WIDTH + 1))
    with pytest.raises(ValueError, match="4 rows of features for 5 nodes"):
        model(GRAPH, torch.ones(NODES - 1, WIDTH))
    with pytest.raises(TypeError, match="features are a ndarray; give a torch tensor"):
        model(GRAPH, np.ones((NODES, WIDTH)))
    assert model.double()(GRAPH, torch.ones(NODES, WIDTH).double()).dtype == torch.float64


@pytest.mark.parametrize(
    "feat", [np.ones((1, WIDTH)), [[1.0] * WIDTH], "abc", None, 3], ids=lambda f: type(f).__name__
)
@pytest.mark.parametrize("use", USES)
def test_what_is_no_tensor_is_named(use, feat):
    with pytest.raises(TypeError, match=f"features are a {type(feat).__name__}; give a torch"):
        USES[use](HyperSAGE(WIDTH, 4, 2), feat)


@pytest.mark.parametrize("which", [0, 1], ids=["memberships", "hyperedges"])
@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("ab", TypeError, "{} is 'ab'; it must be a list of lists of names or ids"),
        (None, TypeError, "{} is None; it must be a list of lists of names or ids"),
        (0, TypeError, "{} is 0; it must be a list of lists of names or ids"),
        ({0: [1]}, TypeError, r"{} is \{{0: \[1\]\}}; it must be a list of lists of names or ids"),
        (np.array([0]), TypeError, r"{}\[0\] is .*; it must be a list of names or ids"),
        (["ab"], TypeError, r"{}\[0\] is 'ab'; it must be a list of names or ids"),
        ([None], TypeError, r"{}\[0\] is None; it must be a list of names or ids"),
        ([b"a"], TypeError, r"{}\[0\] is b'a'; it must be a list of names or ids"),
        ([["a"]], ValueError, "'a' is not in the attached hypergraph, whose names are not known"),
        ([[None]], TypeError, r"ids must be integers, not None \(NoneType\)"),
        ([[0.5]], TypeError, r"ids must be integers, not 0.5 \(float\)"),
        ([[True]], TypeError, r"ids must be integers, not True \(bool\)"),
        ([np.array(["a"])], ValueError, "'a'.* is not in the attached hypergraph"),
        ([[10**400]], ValueError, "id 1000000000.* is out of range; ids go from 0 to"),
        ([[-1]], ValueError, "id -1 is negative"),
        ([[99]], ValueError, "id 99 is too large"),
    ],
    ids=range(16),
)
def test_arrivals_of_other_types_are_named(which, given, error, words):
    said = words.format(("memberships", "hyperedges")[which])
    lists = [[[0]], [[0]]]
    lists[which] = given
    with pytest.raises(error, match=said):
        attached(HyperSAGE(WIDTH, 4, 2)).predict_new(torch.ones(1, WIDTH), *lists)


@pytest.mark.parametrize("given", [None, "a", np.eye(3), [[0, 1]]], ids=lambda g: type(g).__name__)
def test_what_is_no_hypergraph_is_named(given):
    model, feat = HyperSAGE(WIDTH, 4, 2), torch.ones(NODES, WIDTH)
    calls = [
        lambda: Predictor(model).predict(given, feat),
        lambda: Predictor(model).attach(given, feat),
        lambda: model.inference(given, feat),
        lambda: FullGraph(given, feat, LABELS, TRAIN),
        lambda: Minibatches(given, feat, LABELS, TRAIN, sampler_for(model, GRAPH)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"expected a hypergraph \(dgl.DGLGraph\), got"):
            call()
    with pytest.raises((TypeError, ValueError), match="HyperSAGESampler"):
        model(given, feat)


HUGE = [10**30, 10**400, -(10**400), 10**5000]


@pytest.mark.parametrize("number", HUGE, ids=["1e30", "1e400", "-1e400", "1e5000"])
def test_ids_and_labels_beyond_int64_are_named(number):
    feat, model = torch.ones(NODES, WIDTH), HyperSAGE(WIDTH, 4, 2)
    with pytest.raises(ValueError, match=r"node id .* is out of range; ids go from 0 to"):
        FullGraph(GRAPH, feat, LABELS, [number])
    with pytest.raises(TypeError, match=r"labels are .*; give a class for each of the 5 nodes"):
        FullGraph(GRAPH, feat, [number] * NODES, TRAIN)
    with pytest.raises(ValueError, match="alpha is "):
        sampler_for(model, GRAPH, alpha=number)
    with pytest.raises(ValueError, match=r"node id .* is out of range"):
        sampler_for(model, GRAPH).sample(GRAPH, [number])


P = [1e308, -1e308, 1.1e9, np.float64(1e300), 10**400, 10**5000]


@pytest.mark.parametrize("p", P, ids=["1e308", "-1e308", "1.1e9", "numpy", "1e400", "1e5000"])
@pytest.mark.parametrize(
    "make", [PowerMean, lambda p: HyperSAGEConv(3, 2, p=(1, p))], ids=["mean", "layer"]
)
def test_powers_that_gradients_do_not_survive_are_refused(make, p):
    end = "-inf" if p < 0 else "inf"
    with pytest.raises(ValueError, match=rf"finite powers go up to 1e\+09 .* so say p={end}$"):
        make(p)


@pytest.mark.parametrize(
    "eps",
    [1e-320, 1e-39, 0, -1, 1e39, 10**400, 10**5000, True, "a", None],
    ids=lambda eps: shown(eps, 9),
)
def test_floors_out_of_range_are_refused(eps):
    with pytest.raises(ValueError, match=r"^eps is .{1,60}; the floor must be"):
        PowerMean(2, eps=eps)
    with pytest.raises(ValueError, match=r"^eps is .{1,60}; the floor must be"):
        HyperSAGE(WIDTH, 4, 2, p=2, eps=eps)


@pytest.mark.parametrize("eps", [2e-38, 1e-6, 1, np.float32(0.5), np.float64(0.5), 3e38])
def test_floors_in_range_give_finite_numbers(eps):
    conv = HyperSAGEConv(WIDTH, 2, p=2, eps=eps)
    out = conv(GRAPH, torch.rand(NODES, WIDTH))
    out.sum().backward()
    assert bool(torch.isfinite(out).all())
    assert all(bool(torch.isfinite(p.grad).all()) for p in conv.parameters())


@pytest.mark.parametrize(
    "rate", [1e39, math.inf, math.nan, -1, "x", None, 10**400, True], ids=shown
)
@pytest.mark.parametrize("name", ["lr", "weight_decay"])
def test_rates_that_adam_cannot_compute_with_are_refused(name, rate):
    model = HyperSAGE(WIDTH, 4, 2)
    batches = FullGraph(GRAPH, torch.ones(NODES, WIDTH), LABELS, TRAIN, model=model)
    with pytest.raises(ValueError, match=rf"^{name} is .{{1,60}}; it must be a number from 0 to"):
        fit(model, batches, epochs=2, progress=False, **{name: rate})


@pytest.mark.parametrize("name", ["lr", "weight_decay"])
def test_the_largest_rates_end_as_training_that_goes_wrong(name):
    model = HyperSAGE(WIDTH, 4, 2)
    batches = FullGraph(GRAPH, torch.ones(NODES, WIDTH), LABELS, TRAIN, model=model)
    with pytest.raises(FloatingPointError, match="lower lr"):
        fit(model, batches, epochs=9, progress=False, **{name: 1e37, "lr": 1e37})


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize(
    "p",
    [-math.inf, -1e9, -20, -1, 0, 0.01, 0.5, 1, 2, 3, 5, 20, 1e3, 1e9, math.inf, (1, 2)],
    ids=str,
)
def test_one_large_feature_stays_finite_for_every_power(p, include_self, layout):
    feat = torch.ones(NODES, WIDTH)
    feat[1, 1] = 1e20
    feat = feat.to_sparse_csr() if layout == "sparse" else feat
    for fast in (True, False):
        conv = HyperSAGEConv(WIDTH, 2, p=p, include_self=include_self, fast=fast)
        given = feat if layout == "sparse" else feat.clone().requires_grad_()
        out = conv(GRAPH, given)
        out.sum().backward()
        assert bool(torch.isfinite(out).all())
        assert all(bool(torch.isfinite(w.grad).all()) for w in conv.parameters())
        assert given.grad is None or bool(torch.isfinite(given.grad).all())
        hidden = conv.hidden(GRAPH, feat).to_dense() if layout == "sparse" else None
        hidden = conv.hidden(GRAPH, feat) if hidden is None else hidden
        # Scaled to unit length, and not to zeros: the norm's square is beyond float32.
        torch.testing.assert_close(hidden.norm(dim=1), torch.ones(NODES), rtol=1e-4, atol=0)
    model = HyperSAGE(WIDTH, 4, 2, p=p, include_self=include_self)
    found = Predictor(model).predict(GRAPH, feat)
    assert bool(torch.isfinite(found.probabilities).all())
