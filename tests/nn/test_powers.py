"""x^p and its inverse against Python's floats, with slopes by hand."""

from __future__ import annotations

import math

import pytest
import torch

from hypersage_dgl.nn.powers import SMALL_P, floored_power, power, root

SMALL = [-0.09, -1e-3, 0.0, 1e-6, 0.01, 0.09]
POWERS = [-20.0, -3.0, -1.0, -0.5, -0.1, *SMALL, 0.1, 0.5, 1.0, 2.0, 5.0]
VALUES = [1e-3, 0.05, 0.3, 0.999, 1.0, 1.001, 2.0, 7.5]
KINDS = pytest.mark.parametrize("learned", [False, True], ids=["fixed", "learned"])


def as_power(p: float, learned: bool, dtype=torch.float64):
    return torch.tensor(p, dtype=dtype) if learned else p


def by_hand(x: float, p: float) -> float:
    """x^p, or (x^p - 1)/p at small p, whose limit at 0 is log x."""
    if p == 0:
        return math.log(x)
    return math.expm1(p * math.log(x)) / p if abs(p) < SMALL_P else x**p


@KINDS
@pytest.mark.parametrize("p", POWERS)
def test_power_and_root_by_hand(p, learned):
    x = torch.tensor(VALUES, dtype=torch.float64)
    y = power(x, as_power(p, learned))
    expected = torch.tensor([by_hand(v, p) for v in VALUES], dtype=torch.float64)
    torch.testing.assert_close(y, expected, rtol=1e-11, atol=1e-13)
    torch.testing.assert_close(root(y, as_power(p, learned)), x, rtol=1e-10, atol=0)


@KINDS
@pytest.mark.parametrize("p", [p for p in POWERS if abs(p) <= 5])
def test_float32_keeps_its_digits(p, learned):
    x = torch.tensor([v for v in VALUES if v > 0.01])
    y = power(x, as_power(p, learned, torch.float32))
    expected = torch.tensor([by_hand(float(v), p) for v in x])
    torch.testing.assert_close(y, expected, rtol=2e-6, atol=1e-7)
    back = root(y, as_power(p, learned, torch.float32))
    torch.testing.assert_close(back, x, rtol=1e-5, atol=0)


@KINDS
@pytest.mark.parametrize("p", POWERS)
def test_slopes_by_hand(p, learned):
    x = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True)
    y = power(x, as_power(p, learned))
    [slope] = torch.autograd.grad(y.sum(), [x])
    scale = 1 if abs(p) < SMALL_P else p
    expected = [scale * v ** (p - 1) for v in VALUES]
    torch.testing.assert_close(
        slope, torch.tensor(expected, dtype=torch.float64), rtol=1e-6, atol=0
    )
    z = y.detach().requires_grad_()
    [slope] = torch.autograd.grad(root(z, as_power(p, learned)).sum(), [z])
    expected = [v ** (1 - p) / scale for v in VALUES]
    torch.testing.assert_close(
        slope, torch.tensor(expected, dtype=torch.float64), rtol=1e-6, atol=0
    )


@pytest.mark.parametrize("p", [-2.0, -0.05, 0.0, 0.05, 0.5, 3.0])
def test_slopes_in_a_learned_p(p):
    x = torch.tensor([0.05, 0.3, 2.0, 7.5], dtype=torch.float64)
    given = torch.tensor(p, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda p: power(x, p), given)
    y = power(x, torch.tensor(p, dtype=torch.float64))
    assert torch.autograd.gradcheck(lambda p: root(y, p), given)


def test_slope_at_p_zero_by_hand():
    # d/dp (x^p - 1)/p at 0 is (log x)²/2.
    p = torch.zeros((), dtype=torch.float64, requires_grad=True)
    for x in VALUES:
        [slope] = torch.autograd.grad(power(torch.tensor(x, dtype=torch.float64), p), [p])
        assert float(slope) == pytest.approx(math.log(x) ** 2 / 2, rel=1e-6, abs=1e-12)


@KINDS
@pytest.mark.parametrize("p", [-20.0, -1.0, 0.0, 0.01, 0.5, 2.0])
def test_the_floor_raises_values_and_stops_the_slope(p, learned):
    x = torch.tensor([-1.0, 0.0, 0.005, 0.02, 3.0], dtype=torch.float64, requires_grad=True)
    y = floored_power(x, as_power(p, learned), 0.01)
    expected = [by_hand(max(v, 0.01), p) for v in x.tolist()]
    torch.testing.assert_close(
        y, torch.tensor(expected, dtype=torch.float64), rtol=1e-10, atol=1e-13
    )
    y.sum().backward()
    assert x.grad[:3].tolist() == [0, 0, 0]
    assert float(x.grad[3:].abs().min()) > 0


@pytest.mark.parametrize("p", [-20.0, -1.0, 0.0, 0.01, 0.5, 2.0])
def test_nothing_given_is_written_over_unless_allowed(p):
    x = torch.tensor(VALUES, dtype=torch.float64)
    y = power(x, p)
    assert x.tolist() == VALUES
    kept = y.clone()
    root(y, p)
    assert torch.equal(y, kept)
    out = root(y, p, in_place=True)
    assert out.data_ptr() == y.data_ptr()
    torch.testing.assert_close(out, x, rtol=1e-10, atol=0)


def test_each_channel_has_its_own_power():
    p = torch.tensor([-1.0, 0.0, 0.05, 3.0], dtype=torch.float64)
    x = torch.full((2, 4), 2.0, dtype=torch.float64)
    expected = [by_hand(2.0, value) for value in p.tolist()]
    torch.testing.assert_close(power(x, p), torch.tensor([expected] * 2, dtype=torch.float64))
    torch.testing.assert_close(root(power(x, p), p), x)


@KINDS
@pytest.mark.parametrize("p", [-3.0, -1.0, -0.01, 0.0, 0.01, 0.5, 2.0])
def test_second_derivatives(p, learned):
    x = torch.tensor([0.3, 1.0, 2.0], dtype=torch.float64, requires_grad=True)
    given = as_power(p, learned)
    assert torch.autograd.gradgradcheck(lambda x: power(x, given), x)
    assert torch.autograd.gradgradcheck(lambda x: floored_power(x, given, 0.01), x)
    assert torch.autograd.gradgradcheck(lambda x: root(power(x, given) ** 2 + 1, given), x)
