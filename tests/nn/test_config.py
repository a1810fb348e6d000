"""One place for the options: signature, docstring, checks and checkpoints follow from it."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from hypersage_dgl.nn import HyperSAGE, HyperSAGEConfig, Max
from hypersage_dgl.training.saving.model_json import decode_config, encode_config


def test_the_signature_of_the_model_is_that_of_the_options():
    ours, theirs = (inspect.signature(made).parameters for made in (HyperSAGE, HyperSAGEConfig))
    assert list(ours) == list(theirs) == [f.name for f in fields(HyperSAGEConfig)]
    assert [p.default for p in ours.values()] == [p.default for p in theirs.values()]
    kinds = [p.kind is inspect.Parameter.KEYWORD_ONLY for p in ours.values()]
    assert kinds == [False] * 6 + [True] * (len(kinds) - 6)


def test_every_option_is_documented():
    for option in fields(HyperSAGEConfig):
        assert f"\n    {option.name}\n        " in HyperSAGE.__doc__
        assert HyperSAGEConfig.option(option.name).metadata["help"]
    assert "<options>" not in HyperSAGE.__doc__


def test_arguments_by_position_and_by_name():
    model = HyperSAGE(16, 32, 4, 3, 2.0, 0.25, inter="mean")
    same = HyperSAGE(
        in_feats=16, hidden_feats=32, out_feats=4, num_layers=3, p=2.0, dropout=0.25, inter="mean"
    )
    assert model.config == same.config == HyperSAGEConfig(16, 32, 4, 3, 2.0, 0.25, inter="mean")
    assert model.config.widths == [16, 32, 32, 4]
    assert HyperSAGE(**vars(model.config)).config == model.config


@pytest.mark.parametrize(
    ("args", "options"), [((4,), {}), ((4, 8, 2, 2, 1.0, 0.5, "mean"), {}), ((4, 8, 2), {"q": 1})]
)
def test_other_arguments_are_refused(args, options):
    with pytest.raises(TypeError):
        HyperSAGE(*args, **options)


def test_the_configuration_cannot_change():
    model = HyperSAGE(4, 8, 2)
    with pytest.raises(FrozenInstanceError):
        model.config.p = 2


@pytest.mark.parametrize("layers", [0, -1, 2.0, True, "2"])
def test_bad_numbers_of_layers_are_named(layers):
    with pytest.raises(ValueError, match="num_layers is"):
        HyperSAGEConfig(4, 8, 2, layers)


def test_a_number_of_numpy_is_a_number():
    config = HyperSAGEConfig(4, 8, 2, np.int64(3))
    assert type(config.num_layers) is int


def test_every_option_goes_into_json_and_back():
    config = HyperSAGEConfig(4, 8, 2, p=(2, 1), dropout=(0.5, 0.1), intra_aggr=Max())
    coded = encode_config(config)
    assert list(coded) == [f.name for f in fields(HyperSAGEConfig)]
    assert encode_config(decode_config(coded)) == coded


def test_copies_and_pickles_of_a_model_keep_it():
    model = HyperSAGE(4, 8, 2, p=2)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin.config == model.config


def test_a_subclass_may_have_a_constructor_of_its_own():
    class Mine(HyperSAGE):
        def __init__(self, width: int) -> None:
            super().__init__(width, 8, 2, p=2)

    assert Mine(5).config.in_feats == 5
