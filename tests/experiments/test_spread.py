"""Mean and spread by hand, whatever the order of the runs."""

import pytest
from made_up import shuffled

from experiments.spread import Difference, Spread


def test_mean_and_sample_standard_deviation_by_hand():
    # Mean 70; squares 4, 16, 4, 16 add up to 40, and 40 / 3 is 13.33.
    spread = Spread.of([0.72, 0.66, 0.68, 0.74])
    assert spread.mean == pytest.approx(70)
    assert spread.sd == pytest.approx((40 / 3) ** 0.5)
    assert spread.runs == 4
    assert str(spread) == "70.0 ± 3.7"


def test_one_run_has_no_standard_deviation():
    assert Spread.of([0.5]) == Spread(50.0, None, 1)
    assert str(Spread.of([0.5])) == "50.0"


def test_the_order_of_the_runs_does_not_change_a_bit():
    values = [0.1 * k for k in (3, 7, 1, 9, 2, 6)]
    assert len({Spread.of(shuffled(values, seed)) for seed in range(20)}) == 1


def test_no_run_is_refused():
    with pytest.raises(ValueError, match="no value"):
        Spread.of([])


def test_a_difference_of_pairs_has_its_standard_error_by_hand():
    # 1, 2 and 3 points: the standard deviation is 1, over the root of 3.
    found = Difference.of([0.61, 0.72, 0.53], [0.60, 0.70, 0.50])
    assert found.points == pytest.approx(2)
    assert found.error == pytest.approx(3**-0.5)
    assert not found.is_level
    assert Difference.of([0.5], [0.4]).error is None
