"""Parsers and groups of options: their defaults, and errors without the usage of every option."""

from __future__ import annotations

import re

import pytest

from hypersage_dgl.cli.command import make_parser
from hypersage_dgl.cli.models import MODEL_OPTIONS
from hypersage_dgl.cli.options import command_parser
from hypersage_dgl.nn import HyperSAGEConfig
from hypersage_dgl.training import DEFAULT, PAPER


def parse(*words):
    return make_parser().parse_args(words)


def test_options_of_a_model_have_no_default_but_that_of_the_recipe(capsys):
    args = parse("train")
    assert {"p", "num_layers", "dropout"} < {name for _, name, _ in MODEL_OPTIONS}
    with pytest.raises(SystemExit):
        parse("train", "--help")
    shown = " ".join(capsys.readouterr().out.split())
    for flag, name, _ in MODEL_OPTIONS:
        assert getattr(args, name) is None
        if name != "hidden_feats":  # the model has no default of it
            assert getattr(PAPER, name) == HyperSAGEConfig.option(name).default
        text = re.search(rf" {flag} {flag[2:].upper()} .*?\(default: (\S+)\)", shown)[1]
        assert float(text) == getattr(DEFAULT, name)


def test_every_option_of_a_model_is_read():
    args = parse("train", "--p=-inf", "--layers", "3", "--hidden", "7", "--dropout", "0.25")
    assert (args.p, args.num_layers) == (float("-inf"), 3)
    assert (args.hidden_feats, args.dropout) == (7, 0.25)


def test_defaults_of_sources_and_splits():
    args = parse("train")
    assert (args.dataset, args.hypergraph, args.features, args.data_dir) == (None,) * 4
    assert (args.seed, args.split, args.val_fraction, args.label) == (None, None, None, None)
    assert (args.device, parse("predict", "model", "--dataset", "a").batch_size) == ("cpu", None)


@pytest.mark.parametrize("words", [("--debug", "train"), ("train", "--debug")])
def test_debug_in_either_place(words):
    assert parse(*words).debug
    assert not parse("train").debug


def test_an_error_is_one_line_that_names_the_help(capsys):
    parser = command_parser("tool", "Does something.", ["tool --debug"])
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(["--no-such-option"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        "tool: error: unrecognized arguments: --no-such-option (see tool --help)\n"
    )


def test_options_are_not_abbreviated_and_examples_stand_below_the_help():
    parser = command_parser("tool", "Does something.", ["tool", "tool --debug"])
    with pytest.raises(SystemExit):
        parser.parse_args(["--deb"])
    assert parser.format_help().endswith("examples:\n  tool\n  tool --debug\n")
