"""The plan is the paper's protocol."""

from __future__ import annotations

from collections import Counter

import pytest

from experiments.ledger import identity
from experiments.plan import TABLES, jobs_of, recipe_of
from experiments.protocol import BASELINES


def count(table, **filters):
    return Counter(
        (run.dataset, run.column, run.method, run.p, run.alpha, run.ratio)
        for run, _ in jobs_of(table, **filters)
    )


def test_table_1_has_80_runs_a_cell_and_20_where_equation_4_is_literal():
    cells = count("table1", columns=["paper", "literal"])
    assert len(cells) == 5 * (len(BASELINES) + 4 + 4)
    for (_, column, *_), runs in cells.items():
        assert runs == (80 if column == "paper" else 20)
    assert {key[3] for key in cells if key[1] == "literal"} == {2.0, 1.0, 0.01, -1.0}


def test_table_2_is_the_grid_of_alpha_and_p():
    cells = count("table2")
    assert {key[0] for key in cells} == {"dblp", "pubmed"}
    assert {key[4] for key in cells} == {2, 3, 5, 10}
    assert {key[3] for key in cells} == {-1.0, 0.01, 1.0, 2.0, 3.0, 4.0, 5.0}
    assert len(cells) == 2 * 4 * 7
    assert set(cells.values()) == {10}


def test_table_3_is_scored_on_seen_and_unseen_nodes():
    cells = count("table3")
    assert {key[0] for key in cells} == {"dblp", "pubmed", "citeseer", "cora-cocitation"}
    assert {key[2:4] for key in cells} == {
        ("mlp+hlr", None),
        ("hypersage", 0.01),
        ("hypersage", 1.0),
        ("hypersage", 2.0),
    }
    assert all(run.parts == ("seen", "unseen") for run, _ in jobs_of("table3"))


def test_stability_has_five_ratios_up_to_a_third():
    cells = count("stability")
    ratios = sorted({key[5] for key in cells})
    assert len(ratios) == 5
    assert ratios[-1] == pytest.approx(1 / 3, abs=1e-6)
    assert {key[2] for key in cells} == {"hypergcn", "hypersage"}
    assert len(cells) == 5 * 5 * 2


@pytest.mark.exhaustive
def test_recipes_of_the_paper_column_are_the_papers():
    for run, recipe in jobs_of("table1", columns=["paper"]):
        assert (recipe.hidden, recipe.epochs, recipe.lr, recipe.weight_decay) == (
            32,
            150,
            0.01,
            5e-4,
        )
        assert (recipe.features, recipe.rounds) == ("raw", 0)
        model = recipe.build(5, 3)
        config = vars(model.config) if run.method == "hypersage" else model.config
        assert config["dropout"] == 0.5
        assert config["num_layers"] == 2
        if run.method == "hypersage":
            assert {key: config[key] for key in ("p", "eps", "inter", "include_self")} == {
                "p": run.p,
                "eps": 1e-7,
                "inter": "size",
                "include_self": True,
            }


def test_literal_is_equation_4():
    run, recipe = jobs_of("table1", columns=["literal"])[0]
    assert recipe.model["inter"] == "paper"
    assert recipe == recipe_of(run, {})


def test_no_two_runs_are_the_same():
    for table in TABLES:
        columns = ["paper", "literal"]
        identities = [identity(run.to_row()) for run, _ in jobs_of(table, columns=columns)]
        assert len(set(identities)) == len(identities)


def test_filters_and_quick():
    quick = jobs_of("table1", datasets=["citeseer"], columns=["paper"], quick=True)
    assert len(quick) == 11 * 3
    assert all(recipe.epochs == 50 for _, recipe in quick)
    few = jobs_of("table1", datasets=["citeseer"], methods=["mlp"], columns=["paper"], inits=2)
    assert Counter(run.init for run, _ in few) == {0: 10, 1: 10}
