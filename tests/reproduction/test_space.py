"""The recipes of the search: as many for each method, drawn alike, the same every time."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from hypersage_dgl.reproduction.recipe import HYPERSAGE, METHODS, Recipe
from hypersage_dgl.reproduction.space import (
    GROUPS,
    OWN,
    RECIPES,
    SHARED,
    candidates,
    recipe_of_options,
)

CELLS = [(group, method) for group in GROUPS for method in METHODS]


def first_dropout(recipe):
    """Read from the recipe by hand: where a model has dropout before its first W."""
    if recipe.method == HYPERSAGE:
        return recipe.model["dropout"][0]
    return recipe.model["feat_drop"]


@pytest.mark.parametrize(("group", "method"), CELLS)
def test_every_method_has_as_many_different_recipes_the_papers_first(group, method):
    recipes = candidates(group, method)
    assert recipes[0] == Recipe(method)
    assert len({recipe.to_json() for recipe in recipes}) == RECIPES == len(recipes)
    assert {recipe.method for recipe in recipes} == {method}


@pytest.mark.parametrize("group", GROUPS)
def test_shared_options_are_the_same_for_all_methods(group):
    def shared(recipe):
        later = recipe.model["dropout"]
        return (
            *(recipe.features, recipe.hidden, recipe.weight_decay, recipe.rounds, recipe.share),
            *(first_dropout(recipe), later[1] if isinstance(later, list) else later),
        )

    found = {tuple(map(shared, candidates(group, method)[1:])) for method in METHODS}
    assert len(found) == 1


@pytest.mark.parametrize(("group", "method"), CELLS)
def test_every_value_of_an_option_comes_equally_often(group, method):
    recipes = candidates(group, method)[1:]
    for name in ("features", "hidden", "weight_decay"):
        times = Counter(getattr(recipe, name) for recipe in recipes)
        assert set(times) == set(SHARED[group][name])
        assert max(times.values()) - min(times.values()) <= 1
    times = Counter(map(first_dropout, recipes))
    assert set(times) == set(SHARED[group]["first_dropout"])
    assert max(times.values()) - min(times.values()) <= 1


@pytest.mark.parametrize(("group", "method"), CELLS)
def test_every_recipe_makes_a_model(group, method):
    for recipe in candidates(group, method):
        model = recipe.build(6, 3)
        assert sum(p.numel() for p in model.parameters()) > 0
        assert Recipe.from_json(recipe.to_json()) == recipe


def test_own_options_reach_the_recipe():
    found = {(recipe.alpha, recipe.loops) for recipe in candidates("few labels", HYPERSAGE)[1:]}
    assert {alpha for alpha, _ in found} == set(OWN[HYPERSAGE]["alpha"])
    assert {loops for _, loops in found} == {True, False}
    strengths = {recipe.model["strength"] for recipe in candidates("few labels", "mlp+hlr")[1:]}
    assert strengths == set(OWN["mlp+hlr"]["strength"])


def test_dropout_before_the_first_w_is_the_methods_own():
    options = {"first_dropout": 0.25, "dropout": 0.75}
    sage = recipe_of_options(HYPERSAGE, options).build(4, 2)
    assert [layer.dropout for layer in sage.layers] == [0.25, 0.75]
    hgnn = recipe_of_options("hgnn", options).build(4, 2)
    assert (hgnn.config["feat_drop"], hgnn.config["dropout"]) == (0.25, 0.75)


def test_draws_do_not_touch_the_generators_of_others():
    torch.manual_seed(0)
    before = torch.get_rng_state()
    candidates("few labels", "mlp")
    assert torch.equal(torch.get_rng_state(), before)


def test_alpha_is_for_hypersage_alone():
    with pytest.raises(ValueError, match="alpha is 2 for mlp; hypersage alone samples"):
        Recipe("mlp", alpha=2)
