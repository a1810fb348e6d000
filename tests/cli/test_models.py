"""Recipes by name or from a file, and options that win over them; models are the library's."""

from __future__ import annotations

import pytest

from hypersage_dgl.cli.command import make_parser
from hypersage_dgl.cli.models import MODELS, build_model, given_options, recipe_of
from hypersage_dgl.nn import LSTM, Attention, HyperSAGE, Max, PowerMean
from hypersage_dgl.nn.baselines import BASELINES
from hypersage_dgl.training import DEFAULT, PAPER, Recipe, load_checkpoint

OWN = ("--hypergraph", "recipes.npz")


def built(*words):
    args = make_parser().parse_args(["train", *words])
    return build_model(args, recipe_of(args), 12, 3)


def test_options_of_hypersage():
    words = ("--inter", "mean", "--exclude-self", "--no-normalize", "--intra", "max", "--hidden", 7)
    config = built(*map(str, words)).config
    assert (config.inter, config.include_self, config.normalize) == ("mean", False, False)
    assert isinstance(config.intra_aggr, Max)
    assert (config.in_feats, config.hidden_feats, config.out_feats) == (12, 7, 3)
    assert built("--intra", "lstm").config.intra_aggr is LSTM
    learned = built("--learn-p", "--p", "2").config.p
    assert isinstance(learned, PowerMean)
    assert (learned.start, learned.learn) == (2.0, True)
    attentive = built("--intra", "attention", "--inter-aggr", "attention").config
    assert attentive.intra_aggr is attentive.inter_aggr is Attention
    assert built("--node-weight", "hypermsg").config.node_weight == "hypermsg"
    assert built("--recipe", "paper").config == HyperSAGE(12, 32, 3).config
    assert built().config == DEFAULT.build(12, 3).config


@pytest.mark.parametrize("name", [name for name in MODELS if name != "hypersage"])
def test_baselines_train_save_load_and_predict(data, hypersage, name):
    done = hypersage("train", *OWN, "--model", name, "--epochs", "3", "--out", "new")
    assert done.code == 0, done
    model = load_checkpoint("new").model
    assert type(model) is BASELINES[name]
    assert (model.config["in_feats"], model.config["out_feats"]) == (12, 3)
    line = hypersage("evaluate", "new", *OWN).out.splitlines()[-1]
    assert line in done.out.splitlines()
    assert hypersage("predict", "new", *OWN).out.count("\n") == 91
    assert f"checkpoint of {type(model).__name__}\n" in hypersage("info", "new").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "mlp", "--p", "2"), "--p is an option of hypersage, and --model is mlp"),
        (("--model", "hgnn", "--intra", "max"), "--intra is an option of hypersage"),
        (("--model", "hgnn", "--exclude-self"), "--exclude-self is an option of hypersage"),
        (("--model", "hgnn", "--node-weight", "hypermsg"), "--node-weight is an option of"),
        (("--model", "hgnn", "--inter-aggr", "max"), "--inter-aggr is an option of hypersage"),
        (("--model", "hgnn", "--learn-p"), "--learn-p is an option of hypersage"),
        (("--model", "hgnn", "--no-normalize"), "--normalize is an option of hypersage"),
        (("--model", "hgnn", "--mode", "minibatch"), "on the whole hypergraph"),
        (("--learn-p", "--p", "1,2"), "--learn-p learns one power"),
    ],
)
def test_options_that_do_not_go_together(data, fails, words, said):
    assert said in fails("train", *OWN, *words, code=2)


def test_a_weight_that_the_aggregator_does_not_count_is_refused(data, fails):
    words = ("--intra", "max", "--node-weight", "hypermsg")
    assert "counts no weights" in fails("train", *OWN, *words)


def test_attention_and_node_weights_train_save_load_and_evaluate(data, hypersage):
    words = ("--intra", "attention", "--inter-aggr", "attention", "--node-weight", "hypermsg")
    done = hypersage("train", *OWN, *words, "--epochs", "3", "--out", "new")
    assert done.code == 0, done
    assert hypersage("evaluate", "new", *OWN).out.splitlines()[-1] in done.out.splitlines()
    sampled = ("--mode", "minibatch", "--alpha", "2", "--eval", "both")
    assert hypersage("train", *OWN, *words, *sampled, "--epochs", "2").code == 0


def test_features_of_hyperedges_train_and_are_asked_for(place, hypersage):
    def said(code, *words):
        done = hypersage(*words)
        assert done.code == code, done
        return done.err.splitlines()[-1]

    rows = range(60)
    (place / "members.csv").write_text(
        "node,hyperedge\n" + "".join(f"n{i},e{i % 15}\nn{i},e{(i + 4) % 15}\n" for i in rows)
    )
    (place / "nodes.csv").write_text(
        "node,kind,x\n" + "".join(f"n{i},{'ab'[i % 15 % 2]},{i % 7}\n" for i in rows)
    )
    (place / "edges.csv").write_text(
        "hyperedge,cost,word\n" + "".join(f"e{i},{i % 2},w{i}\n" for i in range(15))
    )
    own = ("--incidences", "members.csv", "--nodes", "nodes.csv", "--label", "kind")
    words = ("--hyperedge-features", "--epochs", "5")
    assert "the hyperedges have none" in said(2, "train", *own, *words)
    edges = (*own, "--hyperedges", "edges.csv")
    assert "an option of hypersage" in said(2, "train", *edges, *words, "--model", "hgnn")
    done = hypersage("train", *edges, *words, "--out", "new")
    assert done.code == 0, done
    assert load_checkpoint("new").model.config.hyperedge_feats == 1
    assert hypersage("evaluate", "new", *edges).out.splitlines()[-1] in done.out.splitlines()
    assert "are the features: cost; --hyperedges FILE" in said(1, "evaluate", "new", *own)
    assert hypersage("train", *edges, "--epochs", "2").code == 0


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
