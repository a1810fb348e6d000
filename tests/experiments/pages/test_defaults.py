"""The page of the defaults has every candidate and data set, and marks the best."""

from __future__ import annotations

from experiments.defaults import CANDIDATES, DATASETS, Comparison
from experiments.pages.defaults import defaults_page


def test_a_row_for_each_candidate_and_a_column_for_each_data_set():
    scores = {name: 0.5 + 0.01 * number for number, name in enumerate(CANDIDATES)}
    means = {(name, dataset): scores[name] for name in CANDIDATES for dataset in DATASETS}
    text = defaults_page(Comparison(means))
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert [cell.strip() for cell in rows[0].split("|")[2:-1]] == [
        *DATASETS,
        "mean",
        "without Mushroom",
    ]
    assert len(rows) == 2 + len(CANDIDATES)
    *_, last = CANDIDATES
    assert rows[-1].startswith(f"| **{last}**")
    assert rows[-1].count(" 58.0 ") == len(DATASETS) + 2
    assert f"The best, **{last}**, is the default" in text
