"""The product with cheap dropout: rate, mean, gradient, and the same law for sparse and dense."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from products import product

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.fast.dropped_linear import BLOCK, dropped_linear

from .cases import DTYPES, INTERS, PLACES, WEIGHTS, assert_alike, features, layer, place

LAYOUTS = pytest.mark.parametrize("layout", ["dense", "sparse"])
# A share of independent draws is further off than 5 standard errors once in 1.7 million times.
SIGMAS = 5.0


def as_layout(x: torch.Tensor, layout: str) -> torch.Tensor:
    return x if layout == "dense" else x.to_sparse_csr()


def mask_of(x: torch.Tensor, rate: float, layout: str) -> torch.Tensor:
    """What dropout left of x: the product with a unit matrix shows it."""
    return dropped_linear(as_layout(x, layout), torch.eye(x.shape[1], dtype=x.dtype), rate)


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.25, 255 / 256, 0.1, 0.3, 0.6, 0.001])
def test_rate_and_scale(rate, layout):
    torch.manual_seed(0)
    x = torch.rand(1000, 400) + 0.5
    left = mask_of(x, rate, layout)
    is_left = left != 0
    bound = SIGMAS * math.sqrt(rate * (1 - rate) / x.numel())
    assert abs(float(is_left.double().mean()) - (1 - rate)) < bound + 2**-17
    # What is left grows by what was dropped, so that the mean stays.
    scale = 1 / (1 - rate)
    expected = x[is_left] * scale
    exact = 1e-6 if (rate * 256).is_integer() else 2**-16 * scale
    torch.testing.assert_close(left[is_left], expected, rtol=exact, atol=0)


@LAYOUTS
def test_multiples_of_a_256th_are_exact(layout):
    x = torch.ones(64, 64)
    for numerator in (1, 64, 128, 192, 255):
        left = mask_of(x, numerator / 256, layout)
        assert left.max() == torch.tensor(256 / (256 - numerator))


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.2])
def test_entries_are_independent(rate, layout):
    # Eight or four entries come from one random number: neither within nor between numbers, rows
    # or columns does one tell of another.
    torch.manual_seed(1)
    is_left = (mask_of(torch.ones(512, 512), rate, layout) != 0).double() - (1 - rate)
    variance = rate * (1 - rate)
    for lag in (1, 2, 3, 4, 7, 8, 16, 512):
        flat = is_left.flatten()
        correlation = float((flat[lag:] * flat[:-lag]).mean()) / variance
        assert abs(correlation) < SIGMAS / math.sqrt(len(flat) - lag), lag
    # Each column and each row has its share.
    for share in (is_left.mean(0), is_left.mean(1)):
        assert float(share.abs().max()) < SIGMAS * math.sqrt(variance / 512)


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.3])
def test_mean_over_draws_is_the_plain_product(rate, layout):
    torch.manual_seed(2)
    x, weight = torch.rand(6, 40, dtype=torch.float64), torch.rand(3, 40, dtype=torch.float64)
    x = x * (x > 0.5)
    draws = torch.stack([dropped_linear(as_layout(x, layout), weight, rate) for _ in range(2000)])
    error = draws.std(0) / math.sqrt(len(draws))
    assert float(((draws.mean(0) - x @ weight.T) / error).abs().max()) < SIGMAS
    # And the variance is that of a mask: Σ (x w)² r / (1 - r).
    expected = (x**2) @ (weight.T**2) * rate / (1 - rate)
    torch.testing.assert_close(draws.var(0), expected, rtol=0.2, atol=0)


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.3, 0.0])
def test_value_and_gradient_are_those_of_an_explicit_mask(rate, layout):
    # More rows than a block holds, so that several blocks add up.
    rows, width = 5000, 331
    assert rows * width > BLOCK
    torch.manual_seed(3)
    x = torch.rand(rows, width, dtype=torch.float64) * (torch.rand(rows, width) > 0.6)
    weight = torch.rand(4, width, dtype=torch.float64, requires_grad=True)
    torch.manual_seed(9)
    left = mask_of(x, rate, layout)
    assert rate == 0 or 0 < float((left == 0).sum() - (x == 0).sum()) < (x != 0).sum()
    torch.manual_seed(9)
    out = dropped_linear(as_layout(x, layout), weight, rate)
    torch.testing.assert_close(out, left @ weight.T)
    upstream = torch.rand_like(out)
    [grad] = torch.autograd.grad(out, [weight], upstream)
    torch.testing.assert_close(grad, upstream.T @ left)


@LAYOUTS
def test_the_seed_decides(layout):
    x = torch.rand(50, 50)
    results = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        results.append(mask_of(x, 0.5, layout))
    assert torch.equal(results[0], results[1])
    assert not torch.equal(results[0], results[2])


def test_an_input_with_a_gradient_gets_it():
    torch.manual_seed(4)
    x = torch.rand(200, 30, dtype=torch.float64, requires_grad=True)
    weight = torch.eye(30, dtype=torch.float64)
    out = dropped_linear(x, weight, 0.5)
    [grad] = torch.autograd.grad(out.sum(), [x])
    torch.testing.assert_close(grad, (out != 0).double() * 2)


@LAYOUTS
def test_sparse_rows_without_entries_and_no_rows_at_all(layout):
    x = torch.zeros(3, 4)
    x[1, 2] = 1
    assert mask_of(x, 0.5, layout)[[0, 2]].abs().max() == 0
    assert mask_of(torch.zeros(0, 4), 0.5, layout).shape == (0, 4)
    assert mask_of(torch.zeros(3, 4), 0.5, layout).abs().max() == 0


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("rate", [0.5, 1 / 256, 255 / 256, 0.3, 0.999])
def test_what_stays_is_scaled_to_the_last_bit(rate, dtype, layout):
    # Both kinds of draws, both widths of bits, and both signs.
    torch.manual_seed(5)
    x = torch.randn(300, 100, dtype=dtype)
    left = mask_of(x, rate, layout)
    assert left.dtype == dtype
    levels = 2**8 if (rate * 256).is_integer() else 2**16
    scale = levels / (levels - round(rate * levels))
    is_left = left != 0
    assert 0 < int(is_left.sum()) < x.numel()
    assert torch.equal(left[is_left], (x * scale)[is_left])


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.3])
def test_the_same_entries_stay_in_both_widths(rate, layout):
    x, left = torch.ones(40, 30), []
    for dtype in (torch.float32, torch.float64):
        torch.manual_seed(6)
        left.append(mask_of(x.to(dtype), rate, layout) != 0)
    assert torch.equal(*left)


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("rate", [0.5, 0.3])
def test_what_is_dropped_is_zero_whatever_it_was(rate, dtype, layout):
    torch.manual_seed(7)
    ones = torch.ones(60, 50, dtype=dtype)
    state = torch.get_rng_state()
    is_left = mask_of(ones, rate, layout) != 0
    x = ones.clone()
    x[~is_left] = torch.tensor([math.inf, -math.inf, math.nan], dtype=dtype).repeat(
        1 + int((~is_left).sum()) // 3
    )[: int((~is_left).sum())]
    assert not bool(torch.isfinite(x).all())
    results = []
    for given in (x, ones):
        weight = torch.rand(4, 50, dtype=dtype, generator=torch.Generator().manual_seed(0))
        weight.requires_grad_()
        torch.set_rng_state(state)
        out = dropped_linear(as_layout(given, layout), weight, rate)
        results.append((out, *torch.autograd.grad(out.sum(), [weight])))
    for ours, expected in zip(*results):
        assert torch.equal(ours, expected)


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(lambda x: x.t().contiguous().t(), id="transposed"),
        pytest.param(lambda x: torch.cat((x, x), 1)[:, : x.shape[1]], id="columns"),
        pytest.param(lambda x: torch.stack((x, x), 2)[:, :, 0], id="every second"),
    ],
)
@pytest.mark.parametrize("rate", [0.5, 0.3])
def test_strides_do_not_matter(rate, view):
    x, results = torch.rand(90, 70), []
    weight = torch.rand(4, 70, requires_grad=True)
    assert not view(x).is_contiguous()
    for given in (x, view(x)):
        torch.manual_seed(8)
        out = dropped_linear(given, weight, rate)
        results.append((out, *torch.autograd.grad(out.sum(), [weight])))
    for ours, expected in zip(*results):
        torch.testing.assert_close(ours, expected)


def test_one_row_stands_for_many():
    left = mask_of(torch.ones(1, 20).expand(50, 20), 0.5, "dense")
    assert len(left.unique(dim=0)) > 1


@LAYOUTS
@pytest.mark.parametrize("rate", [0.5, 0.3, 0.0])
@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0, 0)])
def test_empty_inputs_have_a_zero_gradient(shape, rate, layout):
    weight = torch.rand(2, shape[1], requires_grad=True)
    out = dropped_linear(as_layout(torch.zeros(shape), layout), weight, rate)
    assert torch.equal(out, torch.zeros(shape[0], 2))
    [grad] = torch.autograd.grad(out.sum(), [weight])
    assert torch.equal(grad, torch.zeros(2, shape[1]))


def test_other_types_go_through_torch():
    x, weight = torch.rand(30, 20).bfloat16(), torch.rand(4, 20).bfloat16()
    torch.manual_seed(9)
    out = dropped_linear(x, weight, 0.5)
    torch.manual_seed(9)
    assert torch.equal(out, F.linear(F.dropout(x, 0.5), weight))


def test_dense_gradient_can_be_derived_again():
    weight = torch.rand(3, 5, dtype=torch.float64, requires_grad=True)
    out = dropped_linear(torch.rand(4, 5, dtype=torch.float64), weight, 0.5)
    [grad] = torch.autograd.grad((out**3).sum(), [weight], create_graph=True)
    [again] = torch.autograd.grad(grad.sum(), [weight])
    assert again.abs().max() > 0


def test_second_derivatives_through_sparse_features_are_refused():
    model, x = HyperSAGE(3, 4, 2, dropout=0), torch.rand(4, 3, dtype=torch.float64).to_sparse_csr()
    loss = model.double()(hypergraph([[0, 1, 2], [2, 3], [1, 3]]), x).square().sum()
    (slope,) = torch.autograd.grad(loss, [model.layers[0].linear.weight], create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        slope.sum().backward()


@product(
    {
        "p": [1, 2, (1, 2), math.inf],
        "inter": INTERS,
        "include_self": [True, False],
        "weights": WEIGHTS,
        "layout": ["dense", "csr"],
        "where": PLACES,
        "dtype": DTYPES,
        "training": [True, False],
    }
)
def test_without_a_rate_the_layer_is_the_plain_one(
    p, inter, include_self, weights, layout, where, dtype, training
):
    graph, nodes = place(weights, where, include_self)
    feat = features(dtype)[nodes]
    feat = feat if layout == "dense" else feat.to_sparse_csr()
    rate = 0.0 if training else 0.5
    conv = layer(p, inter, include_self, dtype, dropout=rate).train(training)
    assert_alike(conv, graph, feat)


@product(
    {
        "include_self": [True, False],
        "weights": WEIGHTS,
        "layout": ["dense", "csr"],
        "where": PLACES,
        "rate": [0.5, 0.3],
    }
)
def test_with_a_rate_the_layer_is_the_plain_one_in_mean_and_variance(
    include_self, weights, layout, where, rate
):
    torch.manual_seed(0)
    graph, nodes = place(weights, where, include_self)
    x = features(torch.float64)[nodes]
    conv = layer(2, "size", include_self, torch.float64, dropout=rate, bias=False)
    with torch.no_grad():
        hidden = conv.hidden(graph, x)
        weight = conv.linear.weight
        mean, variance = hidden @ weight.T, hidden**2 @ weight.T**2 * rate / (1 - rate)
        kept = conv.hidden(graph, x if layout == "dense" else x.to_sparse_csr())
        for fast in (True, False):
            conv.fast = fast
            draws = torch.stack([conv.project(kept) for _ in range(1000)])
            error = (variance / len(draws)).sqrt()
            assert bool(((draws.mean(0) - mean).abs() <= SIGMAS * error + 1e-4).all())
            torch.testing.assert_close(draws.var(0), variance, rtol=0.3, atol=1e-3)
