"""A recipe is data: it makes a model, goes into a file, comes back, and refuses nonsense."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from hypersage_dgl.nn import LSTM, HyperSAGE, HyperSAGEConfig, Max
from hypersage_dgl.training import DEFAULT, PAPER, RECIPES, Recipe, read_recipe


def test_the_papers_values():
    assert asdict(PAPER) == {
        "hidden_feats": 32,
        "num_layers": 2,
        "p": 1.0,
        "inter": "size",
        "dropout": 0.5,
        "normalize": True,
        "lr": 0.01,
        "weight_decay": 5e-4,
        "epochs": None,
        "intra": "power",
        "learn_p": False,
        "include_self": True,
        "inter_aggr": "power",
        "node_weight": "equal",
    }
    same = ("num_layers", "p", "inter", "dropout", "normalize", "include_self", "node_weight")
    for name in same:
        assert getattr(PAPER, name) == HyperSAGEConfig.option(name).default
    assert RECIPES == {"default": DEFAULT, "paper": PAPER}


def test_it_builds_the_model():
    recipe = Recipe(8, 3, (2.0, 1.0), "mean", 0.25, False)
    wanted = HyperSAGE(5, 8, 2, 3, (2.0, 1.0), 0.25, inter="mean", normalize=False)
    assert recipe.build(5, 2).config == wanted.config
    other = Recipe(8, p=2.0, intra="max", learn_p=True, include_self=False).build(5, 2).config
    assert isinstance(other.intra_aggr, Max)
    assert (other.p.start, other.p.learn, other.include_self) == (2.0, True, False)
    assert Recipe(intra="lstm").build(5, 2).config.intra_aggr is LSTM
    assert Recipe().build(5, 2).config.intra_aggr is None


@pytest.mark.parametrize(
    "recipe",
    [
        PAPER,
        DEFAULT,
        Recipe(p=(-1.0, 2.0), normalize=False, epochs=7),
        Recipe(intra="min", learn_p=True, include_self=False),
    ],
    ids="abcd",
)
def test_a_file_gives_it_back(tmp_path, recipe):
    recipe.save(tmp_path / "recipe.json")
    assert read_recipe(tmp_path / "recipe.json") == recipe


def test_what_a_file_leaves_out_is_the_default(tmp_path):
    path = tmp_path / "recipe.json"
    path.write_text('{"p": 2}')
    assert read_recipe(path) == replace(DEFAULT, p=2)


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        ({"width": 3}, "has 'width'; only"),
        ({"hidden_feats": 0}, "hidden_feats is 0; it must be a positive integer"),
        ({"hidden_feats": "8"}, "$.hidden_feats is '8'"),
        ({"dropout": 1}, "dropout is 1; a dropout rate"),
        ({"inter": "sum"}, "inter is 'sum'; it must be one of size, mean, paper, invariant"),
        ({"intra": "median"}, "intra is 'median'; it must be one of power, max, mean, min, sum, l"),
        ({"learn_p": True, "p": [1, 2]}, "learn_p learns one power, so p must be one number"),
        ({"include_self": 1}, "$.include_self is 1"),
        ({"p": [1, 2, 3]}, "p is (1, 2, 3); it must be a number, or two"),
        ({"lr": 0}, "lr is 0; it must be a positive number"),
        ({"weight_decay": -1}, "weight_decay is -1; it must be a non-negative number"),
        ({"epochs": 0}, "epochs is 0"),
        ({"lr": 10**400}, "it must be a number from 0 to 1e+37"),
        ({"dropout": 10**400}, "a dropout rate is at least 0 and below 1"),
        ({"num_layers": 1_000_000_000}, "a recipe has at most 1,000 layers"),
        ({"hidden_feats": 1_000_000}, "with 1,073,741,824 bytes of weights between them"),
        ({"hidden_feats": 10_000, "num_layers": 900}, "num_layers is 900 and hidden_feats 10000"),
        ([1], "must be of type object"),
    ],
)
def test_nonsense_is_refused_with_the_name_of_the_file(tmp_path, noted, said):
    path = tmp_path / "recipe.json"
    path.write_text(json.dumps(noted))
    with pytest.raises(ValueError, match="is no recipe as `hypersage tune` writes it") as error:
        read_recipe(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)
