"""The recipes of the search: as many for each method, drawn alike, the same every time."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from experiments.protocol import GROUPS, HYPERSAGE, METHODS
from experiments.recipe import Recipe
from experiments.space import OWN, RECIPES, SHARED, candidates, recipe_of_options

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


def drawn_values(recipe):
    """What a recipe has of each option of the space, read by hand."""
    model = recipe.model
    later = model["dropout"][1] if recipe.method == HYPERSAGE else model["dropout"]
    return {
        **{name: getattr(recipe, name) for name in ("features", "hidden", "weight_decay")},
        **{name: getattr(recipe, name) for name in ("loops", "alpha")},
        **{name: model.get(name) for name in ("normalize", "strength")},
        "first_dropout": first_dropout(recipe),
        "dropout": later,
        "self_training": (recipe.rounds, recipe.share),
    }


@pytest.mark.parametrize(("group", "method"), CELLS)
def test_values_come_as_often_as_they_stand_in_the_list(group, method):
    recipes = candidates(group, method)[1:]
    for name, values in {**SHARED[group], **OWN.get(method, {})}.items():
        times = Counter(repr(drawn_values(recipe)[name]) for recipe in recipes)
        listed = Counter(map(repr, values))
        assert set(times) == set(listed)
        for value, count in listed.items():
            share = count * len(recipes) / len(values)
            assert math.floor(share) <= times[value] <= math.ceil(share)


@pytest.mark.parametrize(("group", "method"), CELLS)
def test_every_recipe_makes_a_model(group, method):
    for recipe in candidates(group, method):
        model = recipe.build(6, 3)
        assert sum(p.numel() for p in model.parameters()) > 0
        assert Recipe.from_json(recipe.to_json()) == recipe


def test_own_options_reach_the_recipe():
    options = {"first_dropout": 0.0, "dropout": 0.5}
    own = {"normalize": [True, False], "loops": True, "alpha": 2}
    recipe = recipe_of_options(HYPERSAGE, {**options, **own})
    assert (recipe.loops, recipe.alpha) == (True, 2)
    assert [layer.normalize for layer in recipe.build(4, 2).layers] == [True, False]
    recipe = recipe_of_options("mlp+hlr", {**options, "strength": 0.25})
    assert recipe.build(4, 2).config["strength"] == 0.25


def test_dropout_before_the_first_w_is_the_methods_own():
    options = {"first_dropout": 0.25, "dropout": 0.75}
    sage = recipe_of_options(HYPERSAGE, options).build(4, 2)
    assert [layer.dropout for layer in sage.layers] == [0.25, 0.75]
    hgnn = recipe_of_options("hgnn", options).build(4, 2)
    assert (hgnn.config["feat_drop"], hgnn.config["dropout"]) == (0.25, 0.75)


def test_draws_do_not_touch_the_generators_of_others():
    random.seed(0)
    before = random.getstate()
    candidates("few labels", "mlp")
    assert random.getstate() == before
