"""Names as they compare, and where they are nothing but the ids."""

import numpy as np
import pytest
import torch

from hypersage_dgl.cli.commands.convert import losses
from hypersage_dgl.convert import Named
from hypersage_dgl.data import LabelledHypergraph

from .test_named import GRAPH


@pytest.mark.parametrize("names", [torch.arange(5), np.arange(5), list(torch.arange(5))])
def test_names_in_a_tensor_are_numbers(names):
    assert Named(GRAPH, names).node_names == (0, 1, 2, 3, 4)


def test_equal_names_in_a_tensor_are_equal():
    with pytest.raises(ValueError, match="0 occurs more than once"):
        Named(GRAPH, torch.zeros(5, dtype=torch.int64))


@pytest.mark.parametrize(
    ("names", "lost"), [((), []), (range(5), []), (range(1, 6), ["the names"])]
)
def test_names_that_are_not_the_ids_are_a_loss(names, lost):
    assert losses(LabelledHypergraph(GRAPH, names), "npz") == lost
