"""Medians, minima and ratios follow from given seconds; steps go in turns; peaks see memory."""

import torch

from benchmarks.measure import (
    Case,
    Comparison,
    Settings,
    in_turns,
    measured,
    peak_mib,
    summary,
    weight,
)


def case(name, **options):
    return Case(name, lambda: lambda: None, **options)


def test_ratios_are_of_medians_and_to_the_fastest_reference():
    cases = [
        case("slow", is_reference=True),
        case("quick", is_reference=True),
        case("ours", goal=2),
    ]
    times = {"slow": [8.0, 4.0, 9.0], "quick": [2.0, 1.0, 2.0], "ours": [3.0, 100.0, 2.5]}
    slow, quick, ours = summary(cases, times, {"ours": 7.0})
    assert (slow["median_s"], slow["minimum_s"], slow["ratio"]) == (8.0, 4.0, 4.0)
    assert (quick["ratio"], quick["reference"], quick["peak_mib"]) == (1.0, True, None)
    assert ours["ratios"] == {"slow": 0.375, "quick": 1.5}
    assert (ours["ratio"], ours["goal"], ours["peak_mib"]) == (1.5, 2, 7.0)
    assert "goal" not in slow


def test_without_a_reference_there_is_no_ratio():
    (row,) = summary([case("ours")], {"ours": [1.0]}, {})
    assert (row["ratio"], row["ratios"]) == (None, {})


def test_steps_go_in_turns_and_the_first_round_does_not_count():
    done = []
    times = in_turns({"a": lambda: done.append("a"), "b": lambda: done.append("b")}, 2)
    assert done == ["a", "b"] * 3
    assert {name: len(found) for name, found in times.items()} == {"a": 2, "b": 2}


def test_a_row_says_what_was_measured_and_with_what():
    comparison = Comparison("some", [case("ours")], repeats=2, missing={"Peer": "no"})
    row = measured("layer", comparison, Settings("synthetic", quick=True))
    expected = {"benchmark": "layer", "comparison": "some", "data": "synthetic", "repeats": 2}
    assert expected.items() <= row.items()
    assert row["missing"] == {"Peer": "no"}
    assert row["threads"] == torch.get_num_threads()
    assert {"python", "torch", "dgl"} <= row["versions"].keys()


def test_the_peak_is_that_of_the_step():
    # A peak never falls again, so more than what this process has had already.
    wanted = int(peak_mib()) + 50
    held = weight(lambda: lambda: torch.ones(wanted << 20, dtype=torch.uint8))
    assert wanted <= held < 2 * wanted + 100
