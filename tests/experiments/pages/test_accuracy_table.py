"""One table of accuracies: cells, gaps, and the best in bold."""

from made_up import parsed, runs

from experiments.names import Setting
from experiments.pages.accuracy_table import accuracies, best, most_runs, variant_table, variants
from experiments.spread import Spread

HGNN, MLP = ("hgnn", None), ("mlp", None)
DBLP, PUBMED = Setting("dblp"), Setting("pubmed")
OURS = {
    (HGNN, DBLP): Spread(71.5, 1.9, 8),
    (MLP, DBLP): Spread(65.0, None, 1),
    (MLP, PUBMED): Spread(72.0, 1.0, 8),
}


def table(**options):
    headings = {DBLP: "DBLP", PUBMED: "Pubmed"}
    (found,) = parsed(variant_table([MLP, HGNN], OURS, headings, expected_runs=8, **options))
    return {name: row for name, (row,) in found.items()}


def test_a_row_for_each_method_a_dash_for_each_gap_and_the_best_of_each_column():
    assert table() == {
        "MLP": {"DBLP": "65.0, 1 run", "Pubmed": "**72.0 ± 1.0**"},
        "HGNN": {"DBLP": "**71.5 ± 1.9**", "Pubmed": "-"},
    }


def test_the_best_of_the_whole_table():
    bold = [cell for row in table(one_best=True).values() for cell in row.values() if "**" in cell]
    assert bold == ["**72.0 ± 1.0**"]


def test_the_papers_number_stands_below_ours_and_below_a_gap():
    paper = {(HGNN, DBLP): Spread(69.2, 5.1, None), (HGNN, PUBMED): Spread(66.8, None, None)}
    found = table(paper=paper)["HGNN"]
    assert found["DBLP"] == "**71.5 ± 1.9**<br>(paper 69.2 ± 5.1)"
    assert found["Pubmed"] == "-<br>(paper 66.8)"


def test_accuracies_are_by_cell_and_leave_out_what_has_nothing_to_score():
    made = runs([0.6, 0.8]) + runs([0.5], method="mlp", connected_acc=None)
    ours = accuracies(made)
    assert variants(ours) == [MLP, HGNN]
    assert most_runs(ours) == 2
    assert ours[HGNN, DBLP].mean == 70
    assert list(accuracies(made, "connected_acc")) == [(HGNN, DBLP)]


def test_level_to_the_digit_shown_is_equally_good():
    ours = {(0, 0): Spread(70.04, 1, 2), (1, 0): Spread(69.96, 1, 2), (2, 0): Spread(69.9, 1, 2)}
    assert best(ours, ours) == [(0, 0), (1, 0)]
    assert best([], ours) == []
