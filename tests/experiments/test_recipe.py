"""Recipes: what they refuse, and the file of those that were chosen."""

from __future__ import annotations

import pytest

from experiments.protocol import DATASETS, HYPERSAGE, METHODS
from experiments.recipe import Recipe, read_recipes, recipe_for, write_recipes


def test_alpha_is_for_hypersage_alone():
    with pytest.raises(ValueError, match="alpha is 2 for mlp; hypersage alone samples"):
        Recipe("mlp", alpha=2)
    for alpha in (0, 2.5, True):
        with pytest.raises(ValueError, match=f"alpha is {alpha}; it must be a positive integer"):
            Recipe(HYPERSAGE, alpha=alpha)


def test_an_unknown_method_names_those_there_are():
    with pytest.raises(ValueError, match=r"method is 'gat'; it must be one of mlp, .*hypersage"):
        Recipe("gat").build(4, 2)


def test_the_checksum_is_of_what_is_not_the_papers():
    """Lines of the committed results have it: it must never change."""
    assert Recipe("mlp").checksum() == "8145c9f6"
    paper = {"p": 1.0, "eps": 1e-7, "inter": "size"}
    assert Recipe(HYPERSAGE, paper).checksum() == "9e17e87c"
    assert Recipe(HYPERSAGE, {**paper, "p": -1.0}).checksum() == "fbbb347f"
    assert Recipe("mlp", hidden=32).checksum() == Recipe("mlp").checksum()


def test_recipes_come_back_as_they_were_written(tmp_path):
    chosen = read_recipes()
    assert {(d, m) for d in chosen for m in chosen[d]} == {
        (d, m) for d in DATASETS for m in METHODS
    }
    assert recipe_for(chosen, "dblp", "mlp") is chosen["dblp"]["mlp"]
    write_recipes(chosen, tmp_path / "recipes.json")
    assert read_recipes(tmp_path / "recipes.json") == chosen
