"""What the stacked baselines share: loops, options, means."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.data import member_sets
from hypersage_dgl.hypergraphs import incidences
from hypersage_dgl.nn.baselines import AllDeepSets, UniGCNII
from hypersage_dgl.nn.baselines.stacked import mean, with_loops
from hypersage_dgl.nn.stage import split_stages

from .cases import ISOLATED, NODES, features, looped, model_for, small


def test_every_node_has_a_loop():
    assert [sorted(members) for members in member_sets(with_loops(small()))] == [
        sorted(members) for members in looped()
    ]
    assert with_loops(small(torch.int32)).num_nodes("hyperedge") == len(looped())


def test_mean_of_none_is_zero():
    inside, across = split_stages(hypergraph([[0, 2]], num_nodes=3))
    x = torch.tensor([[1.0], [5.0], [3.0]])
    assert mean(inside, x).tolist() == [[2.0]]
    assert mean(across, mean(inside, x)).tolist() == [[2.0], [0.0], [2.0]]


@pytest.mark.parametrize("kind", ["UniGCNII", "AllDeepSets", "AllSetTransformer", "EDHNN"])
def test_an_isolated_node_hears_itself_alone(kind):
    model, feat = model_for(kind), features()
    expected = model(hypergraph([], 1), feat[ISOLATED[:1]])
    torch.testing.assert_close(model(small(), feat)[ISOLATED[:1]], expected)
    assert len(incidences(small())[0]) > NODES


def test_unknown_options():
    with pytest.raises(TypeError, match="AllDeepSets has no option 'heads'; it has none of its"):
        AllDeepSets(4, 4, 2, heads=2)
    with pytest.raises(TypeError, match="UniGCNII has no option 'heads'; it has alpha, strength"):
        UniGCNII(4, 4, 2, heads=2)
