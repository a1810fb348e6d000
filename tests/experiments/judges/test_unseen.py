"""Claims about unseen nodes, in numbers made to meet a rule or not."""

from __future__ import annotations

import pytest
from claimed import cell, measured, sage, verdict

INDUCTIVE = ("dblp", "pubmed", "citeseer", "cora-cocitation")


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [((4.9, 2, -1, 0), "yes"), ((5, 4.9, 4.9, 4.9), "partly"), ((5, 6, 7, 8), "no")],
)
def test_12_unseen_like_seen(gaps, expected):
    results = []
    for dataset, gap in zip(INDUCTIVE, gaps):
        results += sage(1.0, 70, dataset=dataset, part="seen")
        results += sage(1.0, 70 - gap, dataset=dataset, part="unseen")
    # 78.1 - 73.2, 78.5 - 76.4, 69.3 - 67.9 and 71.3 - 66.8.
    names = ("DBLP", "Pubmed", "Citeseer", "Cora (co-citation)")
    assert measured(results, 12) == [
        f"{name}: {gap:+.1f} (paper {paper:+.1f})"
        for name, gap, paper in zip(names, gaps, (4.9, 2.1, 1.4, 4.5))
    ]
    assert verdict(results, 12) == expected


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        # The paper has 14.5, 14.0, 9.7 and 2.6.
        ((13.5, 13, 8.7, 3.2), "yes"),
        ((13.4, 13, 8.7, 3.2), "partly"),
        # Below the pooled standard deviation.
        ((13.5, 13, 8.7, 3.1), "partly"),
        ((1, 1, 1, 1), "partly"),
        ((15, 15, 15, 0), "partly"),
        ((0, -1, -9, 0), "no"),
    ],
)
def test_13_ahead_of_mlp_on_unseen_nodes(leads, expected):
    results = []
    for dataset, lead in zip(INDUCTIVE, leads):
        results += sage(1.0, 60 + lead, 2, dataset=dataset, part="unseen")
        results += cell(60, 4, method="mlp+hlr", dataset=dataset, part="unseen")
    assert measured(results, 13)[0] == f"DBLP: {leads[0]:+.1f} (sd 3.2), paper +14.5"
    assert verdict(results, 13) == expected
