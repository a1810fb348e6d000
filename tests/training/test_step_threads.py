"""Small steps of ``fit`` run on one thread, larger ones on all of them."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl.data import generate
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Batch, FullGraph, fit, threads

DATA = generate(80, 60, num_feats=24, feats_per_node=3, max_size=6, train_per_class=5, seed=1)


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


class Counting(torch.nn.Linear):
    """Notes the threads of each way."""

    def __init__(self):
        super().__init__(24, 4)
        self.seen = []

    def forward(self, graph, feat):
        out = super().forward(feat)
        self.seen.append(torch.get_num_threads())
        out.register_hook(lambda _: self.seen.append(torch.get_num_threads()))
        return out


@pytest.mark.parametrize(("small", "expected"), [(0, 2), (threads.SMALL, 1)])
def test_both_ways_of_a_step(small, expected, monkeypatch):
    monkeypatch.setattr(threads, "SMALL", small)
    model = Counting()
    train = DATA.splits[0].train
    fit(model, [Batch(DATA.graph, DATA.feat.to_dense(), DATA.labels[train], train)], epochs=1)
    assert model.seen == [expected, expected]
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("dropout", [0.0, 0.5], ids=["lengths", "rows"])
@pytest.mark.parametrize("keep_first", [True, False], ids=["kept", "features"])
def test_entries_are_those_that_a_step_reads(keep_first, dropout, monkeypatch):
    model = HyperSAGE(24, 8, 4, dropout=dropout)
    parts = (DATA.graph, DATA.feat, DATA.labels, DATA.splits[0].train)
    (batch,) = FullGraph(*parts, model=model, keep_first=keep_first)
    read = batch.feat
    if keep_first:
        read = read.linear.rows() if dropout == 0 else read.hidden
    count = int((read.to_dense() if read.layout != torch.strided else read).numel())
    stored = read._nnz() if read.layout != torch.strided else count
    for small, expected in ((stored, 1), (stored - 1, 2)):
        monkeypatch.setattr(threads, "SMALL", small)
        with threads.threads_for(batch):
            assert torch.get_num_threads() == expected
