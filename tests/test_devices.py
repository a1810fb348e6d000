"""Nothing assumes the CPU: every tensor is made where its inputs are, by test and by device."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
import torch
from torch.overrides import TorchFunctionMode

import hypersage_dgl
from hypersage_dgl.data import generate
from hypersage_dgl.nn import HyperSAGE, Max
from hypersage_dgl.training import FullGraph, Minibatches, accuracy_on, fit, sampler_for

PACKAGE = str(Path(hypersage_dgl.__file__).parent)
FACTORIES = ("arange", "empty", "eye", "full", "ones", "rand", "randint", "randn", "randperm")
FACTORIES += ("tensor", "zeros", "linspace")
# The GPU as well, where there is one.
DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
MODELS = [
    {"p": 1.0},
    {"p": 2.0, "include_self": False},
    {"p": 0.01, "inter": "mean"},
    {"p": (1.0, 3.0), "inter": "paper"},
    {"p": 1.0, "inter": "invariant", "include_self": False},
    {"intra_aggr": Max()},
    {"node_weight": "hypermsg"},
    # Without dropout W may come first, and the first layer may be kept.
    {"p": 1.0, "dropout": 0.0},
    {"p": 2.0, "dropout": 0.0, "cached": True},
]
DATA = generate(80, 60, num_feats=24, feats_per_node=3, max_size=6, train_per_class=5, seed=1)


class Watch(TorchFunctionMode):
    """Notes every tensor that our code makes without saying where."""

    def __init__(self):
        super().__init__()
        self.made = Counter()

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        is_factory = getattr(func, "__name__", "") in FACTORIES and "device" not in kwargs
        # A single number goes with tensors of any device.
        if is_factory and isinstance(out, torch.Tensor) and out.dim() > 0:
            frame = sys._getframe(1)
            if frame.f_code.co_filename.startswith(PACKAGE):
                self.made[f"{frame.f_code.co_filename[len(PACKAGE) :]}:{frame.f_lineno}"] += 1
        return out


def everything(model, device):
    """Train on minibatches and on the full graph, score, infer and sample; give logits."""
    graph, feat = DATA.graph.to(device), DATA.feat.to_dense().to(device)
    labels, train = DATA.labels.to(device), DATA.splits[0].train.to(device)
    model = model.to(device)
    sampler = sampler_for(model, graph, alpha=2, beta=2)
    minibatches = Minibatches(graph, feat, labels, train, sampler, batch_size=8, device=device)
    fit(model, minibatches, epochs=1)
    validate = accuracy_on(graph, feat, labels, DATA.splits[0].test[:20].to(device), model=model)
    fit(model, FullGraph(graph, feat, labels, train, model=model), epochs=2, validate=validate)
    exact = model.inference(graph, feat, 16)
    whole = model(graph, feat)
    torch.testing.assert_close(exact, whole, rtol=1e-4, atol=1e-5)
    return whole


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("options", MODELS, ids=lambda options: "-".join(map(str, options)))
def test_all_that_is_made_says_where(options, device):
    torch.manual_seed(0)
    model = HyperSAGE(24, 8, 4, **{"dropout": 0.2, **options})
    with Watch() as watch:
        logits = everything(model, device)
    assert logits.device.type == device
    assert watch.made == {}


def test_the_watch_sees_what_our_code_makes_and_no_other():
    made = "def make():\n    return torch.zeros(3), torch.tensor(1.0)\n"
    for file, expected in ((f"{PACKAGE}/nn/x.py", {"/nn/x.py:2": 1}), ("/elsewhere/x.py", {})):
        found = {"torch": torch}
        exec(compile(made, file, "exec"), found)
        with Watch() as watch:
            found["make"]()
        assert watch.made == expected


def test_uva_needs_a_gpu():
    model = HyperSAGE(24, 8, 4)
    parts = (DATA.graph, DATA.feat, DATA.labels, DATA.splits[0].train)
    with pytest.raises(ValueError, match=r"use_uva samples on a GPU .* these go to cpu"):
        Minibatches(*parts, sampler_for(model, DATA.graph), use_uva=True)


@pytest.mark.gpu
def test_uva_gives_the_batches_of_the_whole_neighbourhood():
    model = HyperSAGE(24, 8, 4, dropout=0.0).cuda()
    parts = (DATA.graph, DATA.feat.to_dense(), DATA.labels, DATA.splits[0].train)
    options = {"batch_size": 8, "shuffle": False, "device": "cuda"}
    sampler = sampler_for(model, DATA.graph)
    plain, uva = (
        torch.cat([model(b.graph, b.feat) for b in Minibatches(*parts, sampler, **options, **u)])
        for u in ({}, {"use_uva": True})
    )
    torch.testing.assert_close(plain, uva)
