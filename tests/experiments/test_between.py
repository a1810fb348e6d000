"""HyperSAGE between two maps is the layers of the library, with what each was given added."""

from __future__ import annotations

import pytest
import torch

from experiments.between import Between
from hypersage_dgl import hypergraph
from hypersage_dgl.nn import Max, PowerMean

GRAPH = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4]], num_nodes=6)


def feat():
    return torch.rand(6, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) - 0.4


@pytest.mark.parametrize(
    "options",
    [{}, {"intra": "max"}, {"p": [3.0, 1.0]}, {"p": 2.0, "learn_p": True}, {"num_layers": 3}],
)
def test_is_the_chain_of_its_layers(options):
    torch.manual_seed(1)
    model = Between(5, 4, 3, **options).double().eval()
    first, *hidden, last = model.layers
    x = torch.relu(feat() @ first.linear.weight.t() + first.linear.bias)
    for layer in hidden:
        x = torch.relu(x + layer(GRAPH, x))
    expected = x @ last.linear.weight.t() + last.linear.bias
    torch.testing.assert_close(model(GRAPH, feat()), expected)
    assert len(hidden) == options.get("num_layers", 2)


def test_options_reach_the_layers():
    by_max, pair, learned = (
        Between(5, 4, 3, **options).layers[1]
        for options in ({"intra": "max"}, {"p": [3.0, 1.0]}, {"p": 2.0, "learn_p": True})
    )
    assert isinstance(by_max.intra_aggr, Max)
    assert (float(pair.intra_aggr.p), float(pair.inter_aggr.p)) == (3, 1)
    assert isinstance(learned.intra_aggr, PowerMean)
    assert learned.intra_aggr.learn
    assert not learned.inter_aggr.learn
