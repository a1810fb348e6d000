"""What others have published is of sets and methods that are run here."""

from experiments.allset import METHODS, SETS
from experiments.published import PUBLISHED


def test_names_and_ranges():
    assert set(PUBLISHED) < set(METHODS)
    for row in PUBLISHED.values():
        assert len(row) == 6
        assert set(row) < set(SETS)
        assert all(50 < mean < 100 and 0 < deviation < 3 for mean, deviation in row.values())
    assert PUBLISHED["ed-hnn"]["walmart-trips"] == (66.91, 0.41)
