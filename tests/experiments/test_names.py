"""Names and orders of what the pages show."""

import pytest

from experiments.names import ordered_datasets, ordered_variants, ratio_name, variant_name
from experiments.protocol import DATASETS, METHODS, RATIOS


def test_every_method_and_data_set_keeps_the_papers_order():
    assert ordered_datasets(reversed(DATASETS)) == list(DATASETS)
    variants = [(name, None) for name in METHODS]
    assert ordered_variants(reversed(variants)) == variants


def test_a_searched_hypersage_comes_after_those_with_a_p():
    variants = [("hypersage", None), ("hypersage", 2.0), ("hypersage", -1.0), ("mlp", None)]
    assert ordered_variants(variants) == [variants[3], variants[2], variants[1], variants[0]]
    assert [variant_name(v) for v in variants[:2]] == ["HyperSAGE", "HyperSAGE (p=2)"]


@pytest.mark.parametrize("digits", [4, 6])
def test_rounded_ratios_have_the_names_of_the_exact_ones(digits):
    names = [ratio_name(round(ratio, digits)) for ratio in RATIOS]
    assert names == ["1:30", "1:15", "1:10", "1:5", "1:3"]
