"""What users of torch try: other number types, autocast, compile and export."""

from __future__ import annotations

import copy

import pytest
import torch
from small_hypergraph import INF, model_for, small

POWERS = [1, 2, 0.01, 0, -1, 20, (INF, 1)]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
LAYOUTS = {"dense": lambda x: x, "sparse": torch.Tensor.to_sparse_csr}


@SELF
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("p", POWERS, ids=str)
def test_autocast_rounds_the_products_and_nothing_else(p, layout, include_self):
    # Powers and sums stay in float32. What bfloat16 rounds are the two layers' inputs and
    # weights, by at most 2**-8 each.
    graph, feat = small(dtype=torch.float32)
    exact = model_for(p, include_self=include_self)(graph, feat.double())
    model = model_for(p, include_self=include_self, dtype=torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(graph, LAYOUTS[layout](feat))
        loss = logits.float().logsumexp(dim=1).sum()
    assert logits.dtype in (torch.float32, torch.bfloat16)
    assert float((logits - exact).detach().abs().max() / exact.detach().abs().max()) < 4 * 2**-8
    loss.backward()
    for parameter in model.parameters():
        assert parameter.grad is not None
        assert parameter.grad.dtype == torch.float32
        assert parameter.grad.isfinite().all()


@pytest.mark.parametrize("p", POWERS, ids=str)
def test_autocast_trains_a_layer_towards_the_same_gradient(p):
    graph, feat = small(dtype=torch.float32)
    exact, rounded = model_for(p, dtype=torch.float32), model_for(p, dtype=torch.float32)
    exact(graph, feat).pow(2).sum().backward()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rounded(graph, feat).float().pow(2).sum().backward()
    ours, theirs = (torch.cat([q.grad.flatten() for q in m.parameters()]) for m in (exact, rounded))
    assert float(torch.cosine_similarity(ours, theirs, dim=0)) > 0.999


@SELF
@pytest.mark.parametrize("p", POWERS, ids=str)
def test_float64_has_its_own_digits(p, include_self):
    graph, feat = small()
    single = model_for(p, include_self=include_self, dtype=torch.float32)
    double = copy.deepcopy(single).double()
    wide, narrow = double(graph, feat), single(graph, feat.float())
    assert (wide.dtype, narrow.dtype) == (torch.float64, torch.float32)
    torch.testing.assert_close(narrow.double(), wide, rtol=1e-4, atol=1e-5)
    # More digits than float32 has, and the same from either path.
    plain = model_for(p, include_self=include_self, fast=False, dtype=torch.float32).double()
    torch.testing.assert_close(plain(graph, feat), wide, rtol=1e-9, atol=1e-10)


def gradients(model, forward, graph, feat):
    model.zero_grad()
    forward(graph, feat).pow(2).sum().backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


@pytest.fixture
def dynamo():
    # Whatever ran before must not decide what is compiled here.
    torch._dynamo.reset()
    yield torch._dynamo
    torch._dynamo.reset()


# Torch advises how to make fewer graphs, and says what it deprecates in itself. It reads DGL's
# code for half a minute.
@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
def test_compile_gives_the_same_numbers(dynamo):
    # The graph compiler alone: what it makes of our code is ours to check, what a backend makes of
    # the graphs is torch's, and takes minutes of C++.
    graph, feat = small(dtype=torch.float32)
    model = model_for(1, layers=1, dtype=torch.float32)
    compiled = torch.compile(model, backend="eager")
    torch.testing.assert_close(compiled(graph, feat), model(graph, feat), rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(
        gradients(model, compiled, graph, feat), gradients(model, model, graph, feat)
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strict", [False, True], ids=["non-strict", "strict"])
def test_export_refuses_a_hypergraph(dynamo, strict):
    # A DGLGraph is no tensor, so torch cannot take it as an input: docs/compatibility.md has the
    # way round it.
    graph, feat = small(dtype=torch.float32)
    with pytest.raises(Exception, match=r"DGLGraph|DGLHeteroGraph|pytree|Unsupported"):
        torch.export.export(model_for(1, dtype=torch.float32).eval(), (graph, feat), strict=strict)


@pytest.mark.filterwarnings("ignore")
def test_export_takes_what_comes_after_the_aggregation(dynamo):
    graph, feat = small(dtype=torch.float32)
    layer = model_for(1, dtype=torch.float32).eval().first
    rows = layer.aggregate(graph, feat)
    exported = torch.export.export(layer.linear, (rows,)).module()
    torch.testing.assert_close(exported(rows), layer.linear(rows))
