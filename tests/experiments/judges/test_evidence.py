"""What a judge sees: cells to the tenth, and an error where there are none."""

from dataclasses import replace

import pytest
from made_up import runs

from experiments.judges.evidence import Evidence, Lead, NotMeasuredError, tenth
from experiments.names import Setting
from experiments.spread import Spread

HGNN, DBLP = ("hgnn", None), Setting("dblp")


def test_pooling_weighs_by_the_runs():
    # (9 * 9 + 4 * 16) / 13 is 11.15, and its root 3.34.
    lead = Lead.of(Spread(75.0, 3.0, 10), Spread(70.0, 4.0, 5))
    assert lead == Lead(5.0, 3.3)


def test_a_cell_is_rounded_to_what_the_tables_show():
    evidence = Evidence(runs([0.70, 0.7101]))
    assert evidence.spread(HGNN, DBLP) == Spread(70.5, 0.7, 2)
    assert (evidence.mean(HGNN, DBLP), evidence.deviation(HGNN, DBLP)) == (70.5, 0.7)
    assert str(tenth(-0.04)) == "0.0"


def test_a_gain_is_over_the_runs_that_both_have():
    paper, literal = runs([0.5, 0.6, 0.9]), runs([0.6, 0.8], column="literal")
    evidence = Evidence(paper + literal)
    assert evidence.gain(HGNN, ("literal", DBLP), ("paper", DBLP)) == 15.0
    apart = [replace(run, init=1) for run in literal]
    with pytest.raises(NotMeasuredError, match="no split and init in both"):
        Evidence(paper + apart).gain(HGNN, ("literal", DBLP), ("paper", DBLP))


def test_what_was_not_run_or_run_once_is_not_measured():
    evidence = Evidence(runs([0.7]))
    with pytest.raises(NotMeasuredError, match="HGNN has no run on pubmed"):
        evidence.mean(HGNN, Setting("pubmed"))
    with pytest.raises(NotMeasuredError, match="HGNN has a single run on dblp"):
        evidence.deviation(HGNN, DBLP)
    with pytest.raises(NotMeasuredError, match="a single run has no standard deviation"):
        Lead.of(Spread(70.0, None, 1), Spread(60.0, 1.0, 9))


def test_ratios_are_those_of_the_methods_asked_for_rising():
    made = [run for ratio in (0.3, 0.1) for run in runs([0.5], ratio=ratio)]
    evidence = Evidence(made + runs([0.5], ratio=0.2, method="mlp"))
    assert evidence.ratios([HGNN], "dblp") == [0.1, 0.3]
    assert evidence.ratios([HGNN, ("mlp", None)], "dblp") == [0.1, 0.2, 0.3]
    assert evidence.ratios([HGNN], "pubmed") == []
