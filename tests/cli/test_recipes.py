"""A recipe by name or from a file; options that are given win over it."""

from __future__ import annotations

import pytest

from hypersage_dgl.cli.command import make_parser
from hypersage_dgl.cli.recipes import given_options, recipe_of
from hypersage_dgl.training import DEFAULT, PAPER, Recipe, load_checkpoint


def parse(*words):
    return make_parser().parse_args(["train", *words])


def test_recipes_by_name():
    assert recipe_of(parse()) == recipe_of(parse("--recipe", "default")) == DEFAULT
    assert recipe_of(parse("--recipe", "paper")) == PAPER
    assert given_options(parse()) == {}


def test_options_win_wherever_they_stand(place):
    Recipe(7, 3, 2.0, "mean", 0.1, False, 0.02, 0.3, 9).save("own.json")
    assert recipe_of(parse("--recipe", "own.json")) == Recipe(
        7, 3, 2.0, "mean", 0.1, False, 0.02, 0.3, 9
    )
    given = ("--hidden", "8", "--layers", "1", "--p", "1,2", "--inter", "size", "--dropout", "0")
    given += ("--normalize", "--lr", "0.5", "--weight-decay", "0", "--epochs", "4")
    wanted = Recipe(8, 1, (1.0, 2.0), "size", 0.0, True, 0.5, 0.0, 4)
    assert recipe_of(parse(*given, "--recipe", "own.json")) == wanted
    assert recipe_of(parse("--recipe", "own.json", *given)) == wanted
    assert recipe_of(parse("--recipe", "own.json", "--no-normalize")).normalize is False
    Recipe(intra="max", learn_p=True, include_self=False).save("own.json")
    found = recipe_of(parse("--recipe", "own.json"))
    assert (found.intra, found.learn_p, found.include_self) == ("max", True, False)
    given = ("--intra", "power", "--no-learn-p", "--include-self")
    found = recipe_of(parse("--recipe", "own.json", *given))
    assert (found.intra, found.learn_p, found.include_self) == ("power", False, True)


def test_a_model_is_trained_by_its_recipe(data, hypersage):
    Recipe(7, 3, 2.0, "mean", 0.1, False, 0.02, 0.3, 2).save("own.json")
    done = hypersage(
        *("train", "--hypergraph", "recipes.npz", "--recipe", "own.json", "--out", "new")
    )
    assert done.code == 0, done
    assert "trained 2 epochs" in done.out
    config = load_checkpoint("new").model.config
    assert (config.hidden_feats, config.num_layers, config.p) == (7, 3, 2.0)
    assert (config.inter, config.dropout, config.normalize) == ("mean", 0.1, False)


def test_a_baseline_takes_of_a_recipe_what_it_has(data, hypersage):
    Recipe(7, 3, 2.0, "mean", 0.1, False, epochs=2).save("own.json")
    words = ("--hypergraph", "recipes.npz", "--recipe", "own.json", "--model", "hgnn")
    assert hypersage("train", *words, "--out", "new").code == 0
    config = load_checkpoint("new").model.config
    assert (config["hidden_feats"], config["num_layers"], config["dropout"]) == (7, 3, 0.1)


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (None, 2, "--recipe is 'own.json', which is neither a file nor one of default, paper"),
        ('{"width": 3}', 1, "own.json is no recipe as `hypersage tune` writes it"),
        ("{", 1, "own.json"),
    ],
)
def test_what_is_no_recipe(data, fails, content, code, said):
    if content is not None:
        (data / "own.json").write_text(content)
    words = ("train", "--hypergraph", "recipes.npz", "--recipe", "own.json")
    assert said in fails(*words, code=code)
