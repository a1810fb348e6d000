"""The constants fit together, and are the paper's where it prints them."""

from experiments.paper import paper_numbers
from experiments.protocol import (
    ALPHAS,
    BASELINES,
    COLUMNS,
    DATASETS,
    GROUPS,
    INITS,
    METHODS,
    PAPER_BASELINES,
    SPLITS,
    TABLE1_POWERS,
    TABLE2_DATASETS,
    TABLE2_POWERS,
    TABLE3_DATASETS,
    TABLE3_POWERS,
    small_first,
)


def rows(table):
    return [(row["method"], row["p"]) for row in paper_numbers()[table]["rows"]]


def columns(table, name):
    found = [column.get(name) for column in paper_numbers()[table]["columns"]]
    return list(dict.fromkeys(found))


def test_methods_and_powers_are_those_of_the_papers_tables():
    assert [m for m, p in rows("table1") if p is None] == list(PAPER_BASELINES)
    assert sorted(p for _, p in rows("table1") if p is not None) == list(TABLE1_POWERS)
    assert sorted({p for _, p in rows("table2")} | {4}) == list(TABLE2_POWERS)
    assert sorted(p for _, p in rows("table3") if p is not None) == list(TABLE3_POWERS)


def test_data_sets_and_alphas_are_those_of_the_papers_tables():
    assert columns("table1", "dataset") == list(DATASETS)
    assert sorted(columns("table2", "dataset")) == sorted(TABLE2_DATASETS)
    assert columns("table2", "alpha") == list(ALPHAS)
    assert sorted(columns("table3", "dataset")) == sorted(TABLE3_DATASETS)


def test_splits_and_initial_weights_are_those_of_the_papers_protocol():
    protocol = paper_numbers()["protocol"]
    assert len(SPLITS) == protocol["splits"]
    assert INITS["paper"] == protocol["inits"]
    assert COLUMNS == ("literal", "paper", "best")


def test_every_data_set_is_in_one_group_and_the_largest_runs_last():
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(DATASETS)
    assert small_first(DATASETS)[-1] == "dblp"


def test_every_method_has_a_colour_a_marker_and_a_title_of_its_own():
    for field in ("title", "model", "colour", "marker"):
        assert len({getattr(method, field) for method in METHODS.values()}) == len(METHODS)
    assert (*BASELINES, "hypersage") == tuple(METHODS)
