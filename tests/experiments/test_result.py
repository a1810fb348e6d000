"""A run, planned or done, and the line that it is."""

import json
from dataclasses import replace

import pytest
from made_up import RUN

from experiments.names import Setting
from experiments.protocol import PARTS
from experiments.result import Result, parse_result


def test_a_line_comes_back_as_the_run_it_was():
    for run in (RUN, replace(RUN, alpha=5, connected_acc=None), replace(RUN, ratio=0.25, init=3)):
        assert parse_result("here", json.dumps(run.to_row())) == run


def test_a_line_leaves_out_what_does_not_apply():
    assert list(RUN.to_row()) == [
        *("dataset", "method", "column", "split", "init", "p", "alpha", "part"),
        *("test_acc", "connected_acc", "seconds", "command"),
    ]
    assert replace(RUN, ratio=0.5, recipe="0a").to_row().items() > {"ratio": 0.5}.items()


def test_what_was_not_scored_is_null():
    assert Result("dblp", "mlp", "paper", 1).to_row()["test_acc"] is None


def test_other_methods_on_the_same_split_have_the_same_seed():
    assert replace(RUN, split=3, init=2).seed == 302
    assert replace(RUN, split=3, init=2, method="mlp").seed == 302


def test_a_run_of_table_3_is_scored_on_seen_and_unseen_nodes():
    parts = {part: replace(RUN, part=part).parts for part in PARTS}
    both = ("seen", "unseen")
    assert parts == {"test": ("test",), "seen": both, "unseen": both, "validation": ("validation",)}


def test_variant_and_setting_say_what_was_scored():
    run = replace(RUN, method="hypersage", p=2.0, alpha=3)
    assert run.variant == ("hypersage", 2.0)
    assert run.setting == Setting("dblp", 3, "test")


@pytest.mark.parametrize("change", [{"recipe": "0a"}, {"test_acc": 0.1}, {"command": "other"}])
def test_a_cell_has_one_recipe_so_it_is_not_in_the_key(change):
    assert replace(RUN, **change).key == RUN.key
    searched = replace(RUN, column="search", fold=1, part="validation", recipe="{}")
    assert (replace(searched, **change).key == searched.key) == ("recipe" not in change)


def test_a_wrong_line_is_refused_with_its_place():
    with pytest.raises(ValueError, match=r"file: line 7: .*; correct or remove the line"):
        parse_result("file: line 7", "{}")
