"""A run is not resumed on other features or another hypergraph than it began with."""

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import FullGraph, Minibatches, fit, sampler_for
from hypersage_dgl.training.fingerprint import fingerprint

MEMBERS = [[0, 1], [1, 2, 3]]
FEAT = torch.arange(8.0).reshape(4, 2) / 8


def graph(members=MEMBERS, **weights):
    return hypergraph(members, 4, **weights)


def test_every_part_counts():
    found = [
        fingerprint(graph(), FEAT),
        fingerprint(graph(), FEAT + 1e-6),
        fingerprint(graph(), FEAT.double()),
        fingerprint(graph([[0, 1], [1, 2]]), FEAT),
        fingerprint(graph([[1, 0], [1, 2, 3]]), FEAT),
        fingerprint(graph(hyperedge_weight=[1.0, 1.0]), FEAT),
        fingerprint(graph(hyperedge_weight=[1.0, 2.0]), FEAT),
        fingerprint(graph(incidence_weight=[1.0, 1, 1, 1, 2]), FEAT),
        fingerprint(graph(), FEAT.to_sparse_csr()),
    ]
    assert len(set(found)) == len(found)


def test_the_form_of_ids_and_of_sparse_features_does_not():
    plain = fingerprint(graph(), FEAT)
    assert fingerprint(hypergraph(MEMBERS, 4, idtype=torch.int32), FEAT) == plain
    assert fingerprint(graph(), FEAT.T.contiguous().T) == plain
    sparse = fingerprint(graph(), FEAT.to_sparse_csr())
    assert fingerprint(graph(), FEAT.to_sparse()) == sparse


@pytest.mark.parametrize("kind", ["full", "minibatches"])
@pytest.mark.parametrize("change", ["feat", "graph"])
def test_resume_refuses_other_data(tmp_path, kind, change):
    labels, nodes = torch.tensor([0, 1, 0, 1]), torch.arange(4)

    def train(g, feat, epochs, **options):
        torch.manual_seed(0)
        model = HyperSAGE(2, 4, 2)
        if kind == "full":
            batches = FullGraph(g, feat, labels, nodes, model=model)
        else:
            batches = Minibatches(g, feat, labels, nodes, sampler_for(model, g), batch_size=2)
        return fit(model, batches, epochs=epochs, folder=tmp_path, progress=False, **options)

    train(graph(), FEAT, 1)
    other = (graph(), FEAT * 2) if change == "feat" else (graph([[0, 1], [1, 3, 2]]), FEAT)
    with pytest.raises(ValueError, match=r"was trained with data=.*resume with the same"):
        train(*other, 2, resume=True)
    assert len(train(graph(), FEAT, 2, resume=True).epochs) == 2
