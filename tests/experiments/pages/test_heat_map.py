"""Table 2 as a picture has our numbers and the paper's."""

import numpy as np
import pytest
from made_up import runs

from experiments.pages import heat_map


def test_heat_map_writes_the_mean_and_the_papers_number_into_each_cell():
    results = [
        *runs([0.6, 0.7], method="hypersage", p=0.01, alpha=2),
        *runs([0.8, 0.9], method="hypersage", p=1.0, alpha=10),
    ]
    axes = heat_map(results, "dblp").axes[0]
    texts = {}
    for text in axes.texts:
        texts.setdefault(text.xy, []).append(text.get_text())
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "10"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0.01", "1"]
    assert texts == {
        (0, 0): ["65.0", "(61.2)"],
        (1, 0): ["-", "(77.4)"],
        (0, 1): ["-", "(62.3)"],
        (1, 1): ["85.0", "(77.2)"],
    }
    drawn = axes.images[0].get_array().filled(np.nan)
    np.testing.assert_allclose(drawn, [[65, np.nan], [np.nan, 85]])


def test_heat_map_of_a_data_set_that_the_paper_has_not():
    axes = heat_map(runs([0.6], method="hypersage", p=1.0, alpha=2, dataset="citeseer"), "citeseer")
    assert [text.get_text() for text in axes.axes[0].texts] == ["60.0"]
    assert "brackets" not in axes.axes[0].get_title()


def test_recipes_are_not_drawn_as_one():
    results = [
        *runs([0.6], method="hypersage", p=1.0, alpha=2),
        *runs([0.9], method="hypersage", p=1.0, alpha=2, column="best"),
    ]
    with pytest.raises(ValueError, match=r"several recipes \(paper, best\); choose one"):
        heat_map(results, "dblp")
    assert heat_map(results, "dblp", column="best").axes[0].texts[0].get_text() == "90.0"
