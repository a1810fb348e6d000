"""The table of claims: always whole, whatever is missing, and every proof that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from claimed import measured, paper_runs, rows, verdict
from hypothesis import given
from hypothesis import strategies as st
from made_up import all_experiments, line, runs, shuffled

from experiments.judges import CLAIMS, OUR_CLAIMS
from experiments.pages import claims
from experiments.reading import read_results

ROOT = Path(__file__).parents[3]
RESULTS = paper_runs()
PROVED = {15: "no", 16: "partly", 17: "partly", 18: "partly"}
VERDICTS = ("yes", "no", "partly", "not measured yet")


def test_without_results_every_row_is_there_and_only_proofs_are_judged():
    found = rows([])
    assert list(found) == list(range(1, 20))
    for number, (text, holds) in found.items():
        expected = PROVED.get(number, "not measured yet")
        assert holds == expected
        assert (text == "-") == (number not in PROVED)


def test_proofs_do_not_depend_on_results():
    for results in ([], RESULTS, all_experiments()):
        assert {number: verdict(results, number) for number in PROVED} == PROVED


def test_the_order_of_the_lines_does_not_change_a_byte(tmp_path):
    for results in (RESULTS, all_experiments()):
        texts = set()
        for seed in range(3):
            path = tmp_path / f"{seed}.jsonl"
            path.write_text("".join(map(line, shuffled(results, seed))))
            texts.add(claims(read_results(f"{path}.gz")))
        assert texts == {claims(results)}


@given(st.data())
def test_whatever_is_missing_there_is_a_verdict(data):
    keep = data.draw(st.sets(st.integers(0, len(RESULTS) - 1)))
    assert all(holds in VERDICTS for _, holds in rows(RESULTS[i] for i in keep).values())


def test_a_data_set_without_runs_shows_a_dash_and_leaves_the_verdict_open():
    results = [run for run in RESULTS if run.dataset != "citeseer"]
    assert "Citeseer: -" in measured(results, 5)
    assert [verdict(results, number) for number in (1, 5, 6, 12, 13)] == ["not measured yet"] * 5
    assert [verdict(results, number) for number in (3, 4, 8)] == ["yes"] * 3


def test_one_baseline_missing_leaves_the_gain_open():
    results = [run for run in RESULTS if run.method != "fasthypergcn"]
    assert {verdict(results, number) for number in (3, 5)} == {"not measured yet"}
    assert verdict(results, 4) == "yes"


def test_single_runs_have_no_standard_deviation_to_judge():
    single = [run for run in RESULTS if run.split == 2]
    assert {verdict(single, number) for number in (1, 13)} == {"not measured yet"}
    assert verdict(single, 3) == "yes"


def test_other_recipes_are_not_looked_at():
    more = [
        run
        for column in ("best", "literal")
        for dataset in ("dblp", "pubmed")
        for run in runs([0.99, 0.98], column=column, dataset=dataset)
    ]
    assert rows(RESULTS + more) == rows(RESULTS)


def test_every_measured_row_has_its_rule_below_the_table():
    text = claims([])
    rules = dict(re.findall(r"^- (\d+): (.+)$", text, re.M))
    assert list(map(int, rules)) == [*range(1, 15), 19]
    assert all("Yes " in rule and "  " not in rule for rule in rules.values())
    assert len(set(rules.values())) == len(rules)
    assert list(rules.values()) == [claim.rule for claim in (*CLAIMS, *OUR_CLAIMS)]


def test_what_the_page_prints_is_no_docstring(monkeypatch):
    """Docstrings are for readers of the code: to reword one changes no page."""
    before = claims(RESULTS)
    for claim in (*CLAIMS, *OUR_CLAIMS):
        monkeypatch.setattr(claim.judge, "__doc__", "Other words.")
    assert claims(RESULTS) == before


def test_the_last_row_is_marked_as_ours():
    table = [text for text in claims([]).splitlines() if text.startswith("|")]
    assert table[-1].startswith("| 19. (ours) Equation 4 as printed")
    assert not any("(ours)" in text for text in table[:-1])


def test_the_papers_own_numbers_bear_its_claims_out_but_for_two():
    found = {number: verdict(RESULTS, number) for number in (1, *range(3, 14))}
    # On Citeseer p=2 is as low as p=-1, and no alpha gains on Pubmed's full accuracy for every p.
    assert found == {**dict.fromkeys(found, "yes"), 6: "partly", 10: "partly"}
