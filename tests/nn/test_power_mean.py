"""PowerMean alone: its values, its floor, its limits, its gradients and its learned p."""

from __future__ import annotations

import math
import warnings

import pytest
import torch
from oracle import power_mean

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGEConv, PowerMean

INF = math.inf
POWERS = [
    -20,
    -5.5,
    -5,
    -3,
    -1,
    -0.11,
    -0.1,
    -0.01,
    0,
    1e-4,
    0.01,
    0.099,
    0.1,
    0.5,
    1,
    2,
    3,
    5,
    5.5,
]
REDUCE = {"mean": torch.mean, "max": torch.amax, "min": torch.amin}


def mean_of(aggregator: PowerMean, x: torch.Tensor) -> torch.Tensor:
    """Lift, reduce over the rows, take the root."""
    return aggregator.root(REDUCE[aggregator.reduce](aggregator.lift(x), dim=0))


def by_oracle(x: torch.Tensor, p: float, eps: float = 1e-2) -> torch.Tensor:
    columns = x.double().T.tolist()
    ones = [1.0] * len(x)
    return torch.tensor([power_mean(c, ones, p, eps) for c in columns], dtype=torch.float64)


@pytest.mark.parametrize("p", [*POWERS, 20, INF, -INF])
def test_value_in_float64(p):
    x = torch.rand(6, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 4
    x[0, :3] = 0
    torch.testing.assert_close(mean_of(PowerMean(p), x), by_oracle(x, p), rtol=1e-10, atol=0)


@pytest.mark.parametrize("p", [p for p in POWERS if abs(p) <= 5] + [INF, -INF])
def test_value_in_float32(p):
    x = torch.rand(6, 8, generator=torch.Generator().manual_seed(0)) * 4
    x[0, :3] = 0
    actual = mean_of(PowerMean(p), x)
    assert actual.dtype == torch.float32
    torch.testing.assert_close(actual.double(), by_oracle(x, p), rtol=1e-5, atol=0)


@pytest.mark.parametrize("p", [-INF, -2, 0, 0.5, 2, INF])
@pytest.mark.parametrize("eps", [1e-7, 1e-2, 0.5])
def test_inputs_below_eps_are_raised_to_eps(p, eps):
    x = torch.tensor([[0.0], [eps / 2], [0.9]], dtype=torch.float64)
    raised = torch.tensor([[eps], [eps], [0.9]], dtype=torch.float64)
    aggregator = PowerMean(p, eps=eps)
    assert torch.equal(mean_of(aggregator, x), mean_of(aggregator, raised))
    torch.testing.assert_close(mean_of(aggregator, x), by_oracle(x, p, eps), rtol=1e-10, atol=0)


def test_a_fixed_one_has_no_floor_and_no_warning():
    x = torch.tensor([[-3.0], [0.0], [1.0]], dtype=torch.float64)
    assert float(mean_of(PowerMean(1), x)) == pytest.approx(-2 / 3)
    assert float(mean_of(PowerMean(1.0), x)) == pytest.approx(-2 / 3)


def test_a_learned_one_has_the_floor():
    x = torch.tensor([[0.0], [1.0]], dtype=torch.float64)
    learned = PowerMean(1.0, learn=True).double()
    assert float(mean_of(learned, x).detach()) == pytest.approx((0.01 + 1) / 2)


@pytest.mark.parametrize("p", [-INF, -1, 0, 2, INF])
def test_negative_inputs_are_raised_with_one_warning(p):
    x = torch.tensor([[-2.0], [0.5]])
    aggregator = PowerMean(p)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        first = mean_of(aggregator, x)
        mean_of(aggregator, x)
    assert [w.category for w in caught] == [UserWarning]
    assert "eps" in str(caught[0].message)
    assert torch.equal(first, mean_of(PowerMean(p), x.clamp_min(0.01)))


@pytest.mark.parametrize("p", [-20, -1, 0, 0.5, 2, 20])
def test_is_homogeneous_idempotent_and_between_min_and_max(p):
    x = torch.rand(5, 7, dtype=torch.float64) + 0.1
    aggregator = PowerMean(p)
    mean = mean_of(aggregator, x)
    torch.testing.assert_close(mean_of(aggregator, 3 * x), 3 * mean)
    torch.testing.assert_close(mean_of(aggregator, x[:1].expand(4, -1)), x[0])
    assert (mean >= x.amin(0)).all()
    assert (mean <= x.amax(0)).all()


def test_learned_p_of_each_channel_is_its_own_mean():
    powers = [-20.0, -1.0, 0.0, 0.05, 1.0, 2.0, 20.0]
    learned = PowerMean(1.0, learn=True, channels=len(powers)).double()
    with torch.no_grad():
        learned.p.copy_(torch.tensor(powers))
    x = torch.rand(6, len(powers), dtype=torch.float64) + 0.05
    actual = mean_of(learned, x)
    for c, p in enumerate(powers):
        expected = by_oracle(x[:, c : c + 1], p)
        torch.testing.assert_close(actual[c : c + 1], expected, rtol=1e-9, atol=0)


@pytest.mark.parametrize("p", [-20.0, -1.0, -0.05, 0.0, 0.05, 0.5, 1.0, 2.0, 20.0])
@pytest.mark.parametrize("channels", [None, 3])
def test_gradients_of_a_learned_p(p, channels):
    learned = PowerMean(p, learn=True, channels=channels).double()
    x = torch.rand(4, 3, dtype=torch.float64) + 0.1
    x.requires_grad_()
    assert torch.autograd.gradcheck(lambda x, _: mean_of(learned, x), (x, learned.p))


@pytest.mark.parametrize("p", POWERS)
def test_gradients_of_a_fixed_p(p):
    x = torch.rand(4, 3, dtype=torch.float64) + 0.1
    x.requires_grad_()
    assert torch.autograd.gradcheck(lambda x: mean_of(PowerMean(p), x), (x,))


@pytest.mark.parametrize("p", [-20, -1, -0.01, 0, 0.01, 0.5, 2, 3, 20])
@pytest.mark.parametrize("learn", [False, True], ids=["fixed", "learned"])
def test_second_derivatives(p, learn):
    x = torch.rand(4, 3, dtype=torch.float64) / 2 + 0.5
    x.requires_grad_()
    aggregator = PowerMean(float(p), learn=learn).double()
    assert torch.autograd.gradgradcheck(lambda x: mean_of(aggregator, x), (x,))


def test_p_is_a_number_or_a_parameter():
    assert isinstance(PowerMean(2).p, float)
    assert isinstance(PowerMean(2.0, learn=True).p, torch.nn.Parameter)
    assert PowerMean(2.0, learn=True).p.shape == ()
    assert PowerMean(2.0, learn=True, channels=5).p.shape == (5,)
    assert list(PowerMean(2).parameters()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"p": math.nan}, "nan"),
        ({"p": "mean"}, "mean"),
        ({"p": True}, "True"),
        ({"p": 2, "eps": 0}, "eps"),
        ({"p": 2, "eps": -1e-3}, "-0.001"),
        ({"p": 2, "eps": math.inf}, "inf"),
        ({"p": INF, "learn": True}, "inf"),
        ({"p": 2, "channels": 4}, "channels"),
    ],
)
def test_bad_arguments_are_named(arguments, words):
    with pytest.raises((ValueError, TypeError), match=words):
        PowerMean(**arguments)


def test_repr_is_one_line():
    assert repr(PowerMean(0.5)) == "PowerMean(p=0.5)"
    text = repr(PowerMean(1.0, learn=True, channels=4, eps=0.1))
    assert "\n" not in text
    assert all(part in text for part in ("learn=True", "channels=4", "eps=0.1"))


def test_a_tiny_floor_leaves_p_one_alone():
    conv = HyperSAGEConv(1, 1, 1.0, eps=1e-36)
    out = conv.aggregate(hypergraph([[0, 1]]), torch.tensor([[-1.0], [-3.0]]))
    assert out.flatten().tolist() == [-2.0, -2.0]


@pytest.mark.parametrize("learn", [False, True], ids=["fixed", "learned"])
@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("p", [-5, -3, -2, -1, -0.05, 0, 0.5, 2, 5])
@pytest.mark.many
def test_equal_inputs_of_any_size_share_a_gradient_of_one(p, include_self, learn):
    """The slope of the root is x^(1-p)/p, which a float32 that holds x^p need not hold."""
    graph = hypergraph([[0, 1]])
    conv = HyperSAGEConv(1, 1, p=PowerMean(p, learn=learn), include_self=include_self)
    # The gradient of p itself is a difference of terms that grow with x·log x/p.
    largest = (34, 37) if not learn else (34,) if abs(p) >= 0.5 else ()
    for exponent in (0, 6, 7, 10, 13, 19, 20, 28, *largest):
        x = torch.full((2, 1), 5.0 * 10.0**exponent, requires_grad=True)
        conv.zero_grad()
        out = conv.aggregate(graph, x)
        out.sum().backward()
        torch.testing.assert_close(out.detach(), x.detach(), rtol=1e-4, atol=0)
        torch.testing.assert_close(x.grad, torch.ones(2, 1), rtol=1e-4, atol=0)
        if learn:
            assert math.isfinite(conv.intra_aggr.p.grad)
