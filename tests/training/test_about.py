"""What a model was trained for, and names that do not fit it."""

from __future__ import annotations

import pytest
from torch import nn

from hypersage_dgl.training import About

from .cases import model_for

NAMES = ("a", "b", "c", "d", "e")


def test_as_many_names_as_the_model_has_ends_or_none():
    model = model_for()
    About().check(model)
    About(classes=NAMES[:3], feature_names=NAMES).check(model)
    with pytest.raises(ValueError, match="2 classes are named, the model has 3; name all or none"):
        About(classes=NAMES[:2]).check(model)
    with pytest.raises(ValueError, match="4 feature_names are named, the model has 5"):
        About(feature_names=NAMES[:4]).check(model)


def test_a_module_of_ones_own_does_not_say_its_ends():
    About(classes=("a",)).check(nn.Linear(2, 2))
