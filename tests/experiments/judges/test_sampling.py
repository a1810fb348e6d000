"""Claims about alpha and p, in grids made to meet a rule or not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claimed import measured, sage, table_2, verdict

POWERS = (-1.0, 0.01, 1.0, 2.0)


def grid(lift=(0, 0, 0, 0), fall=0.0):
    """60 at every p, lifted by alpha, lower by so much at each p from 2 on; 50 at p=-1."""
    by_power = {-1.0: 50, 0.01: 60, **{float(p): 60 - fall * (p - 1) for p in range(1, 6)}}
    return {p: [mean + more for more in lift] for p, mean in by_power.items()}


@pytest.mark.parametrize(
    ("at_2", "at_10", "expected"),
    [(1.9, 0.0, "yes"), (2.0, 2.1, "partly"), (2.0, 2.0, "no"), (9, 3, "no")],
)
def test_7_same_for_all_powers(at_2, at_10, expected):
    rows = grid()
    rows[5.0] = [60 + at_2, 60, 60, 60 - at_10]
    results = table_2(rows, "dblp")
    assert measured(results, 7) == [
        f"alpha=2: {at_2:.1f} (paper 1.9)",
        f"alpha=10: {at_10:.1f} (paper 6.8)",
        "p=-1 at alpha=2: 50.0, others from 60.0",
    ]
    assert verdict(results, 7) == expected


@pytest.mark.parametrize(
    ("lift", "expected"),
    [
        ((0, 1, 2, 3), "yes"),
        ((0, -0.4, 2, 1.6), "yes"),
        ((0, -0.5, 2, 3), "partly"),
        ((0, 3, 2, 1), "partly"),
        ((0, 0, 0.2, 0.4), "no"),
        ((0, 1, 2, 0), "no"),
        ((3, 2, 1, 0), "no"),
    ],
)
def test_8_grows_with_alpha(lift, expected):
    results = table_2(grid(lift), "dblp")
    # (50 + 6 * 60) / 7 is 58.57.
    means = [f"alpha={a} {58.6 + more:.1f}" for a, more in zip((2, 3, 5, 10), lift)]
    assert measured(results, 8) == [", ".join(means)]
    assert verdict(results, 8) == expected


@pytest.mark.parametrize(
    ("winners", "high", "expected"),
    [
        (7, 61, "yes"),
        # (4 * 62 + 3 * 59) / 7 is 60.7; with 61 it is 60.1, level with 60.
        (4, 62, "yes"),
        (4, 61, "partly"),
        # In the mean (3 * 90 + 4 * 59) / 7, which is 72.3, against 60.
        (3, 90, "partly"),
        (3, 61, "no"),
        (0, 61, "no"),
    ],
)
def test_9_peaks_at_five(winners, high, expected):
    rows = {p: [50, 50, high if n < winners else 59, 60] for n, p in enumerate(grid())}
    results = table_2(rows, "pubmed")
    assert measured(results, 9)[1] == f"alpha=5 is best for {winners} of 7 p"
    assert verdict(results, 9) == expected


def test_9_is_partly_where_one_bad_p_spoils_the_mean():
    rows = {p: [50, 50, 61, 60] for p in grid()}
    rows[-1.0] = [50, 50, 10, 60]
    results = table_2(rows, "pubmed")
    # (6 * 61 + 10) / 7 is 53.71.
    means = "alpha=2 50.0, alpha=3 50.0, alpha=5 53.7, alpha=10 60.0"
    assert measured(results, 9) == [means, "alpha=5 is best for 6 of 7 p"]
    assert verdict(results, 9) == "partly"


def full_and_sampled(dataset, gains_at_3):
    """The full neighbourhood at 60; alpha=3 is so much above it by p, the others are below."""
    made = [run for p in POWERS for run in sage(p, 60, 5, dataset=dataset)]
    for p, gain in zip(POWERS, gains_at_3):
        made += table_2({p: [55, 60 + gain, 58, 58]}, dataset)
    return made


@pytest.mark.parametrize(
    ("dblp", "pubmed", "expected"),
    [
        ((1, 2, 0.1, 3), (0.5, 1, 1, 1), "yes"),
        # DBLP is shown and not judged.
        ((-9, -9, -9, -9), (1, 1, 1, 1), "yes"),
        ((1, 1, 1, 1), (1, 1, 0.4, 1), "partly"),
        ((1, 1, 1, 1), (0, 0.4, -0.4, 0), "partly"),
        ((1, 1, 1, 1), (-0.5, -0.5, -1, -1), "no"),
    ],
)
def test_10_regularises(dblp, pubmed, expected):
    results = full_and_sampled("dblp", dblp) + full_and_sampled("pubmed", pubmed)
    words = "Pubmed: alpha=3: p=-1 {:+.1f}, p=0.01 {:+.1f}, p=1 {:+.1f}, p=2 {:+.1f}"
    assert measured(results, 10)[1] == words.format(*pubmed)
    assert measured(results, 10)[0].startswith("DBLP: alpha=")
    assert verdict(results, 10) == expected


def test_10_compares_common_runs_alone():
    results = full_and_sampled("dblp", (1, 1, 1, 1)) + full_and_sampled("pubmed", (1, 1, 1, 1))
    # Other splits and initialisations at 99 would turn the verdict.
    more = [
        replace(run, test_acc=0.99, **other)
        for run in results
        if run.alpha is None
        for other in ({"split": 7}, {"init": 1})
    ]
    assert measured(results + more, 10) == measured(results, 10)
    apart = [replace(run, init=1) if run.alpha else run for run in results]
    assert verdict(apart, 10) == "not measured yet"


@pytest.mark.parametrize(
    ("dblp", "pubmed", "expected"),
    # From p=1 to p=5 it falls four times.
    [(1, 0.2, "yes"), (1, -1, "partly"), (0, 1, "partly"), (0.1, 0, "no"), (-1, -0.5, "no")],
)
def test_11_falls_with_power(dblp, pubmed, expected):
    results = table_2(grid(fall=dblp), "dblp") + table_2(grid(fall=pubmed), "pubmed")
    means = [60 - dblp * more for more in range(5)]
    listed = ", ".join(f"p={p} {mean:.1f}" for p, mean in enumerate(means, 1))
    assert measured(results, 11)[0] == f"DBLP: {listed}"
    assert verdict(results, 11) == expected


def test_11_is_partly_where_only_the_ends_fall():
    # 60, 59, 59.5, 57, 56.
    rows = {**grid(fall=1), 3.0: [59.5] * 4}
    assert verdict(table_2(rows, "dblp") + table_2(grid(fall=1), "pubmed"), 11) == "partly"
