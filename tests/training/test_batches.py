"""FullGraph and Minibatches give the loss and the gradients of the plain model on the whole."""

from __future__ import annotations

import functools

import pytest
import torch
import torch.nn.functional as F
from products import product
from small_hypergraph import INF, INTERS, NODES, WIDTH, model_for, weightings

from hypersage_dgl import add_nodes, hypergraph_from_incidence, num_neighbors
from hypersage_dgl.nn import LSTM, Max, PowerMean
from hypersage_dgl.training import FullGraph, sampler_for, seed_everything

from .cases import full, gradients, logits_of, quiet_about_cores, sampled, small, whole

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
TRAIN = torch.tensor([7, 2, 12, 4, 0])


def plain(model, case, nodes):
    """Loss and gradients without any of the machinery."""
    loss = F.cross_entropy(model(case.graph, case.feat)[nodes], case.labels[nodes])
    return loss, gradients(model, loss)


def assert_same(model, batches, expected, rtol=1e-9):
    """One batch of the same loss and gradients."""
    [batch] = batches
    loss = F.cross_entropy(logits_of(model, batch), batch.labels)
    torch.testing.assert_close(loss, expected[0], rtol=rtol, atol=rtol)
    torch.testing.assert_close(gradients(model, loss), expected[1], rtol=rtol, atol=rtol)


@product(
    {"p": [1, 2, -1, 0, 20, INF, (1, 2)], "inter": INTERS, "include_self": [True, False]},
    lambda p, inter, **_: (p, inter) in weightings([p]),
)
@pytest.mark.many
def test_gradients_of_the_plain_model(p, inter, include_self):
    case = small()
    model = model_for(p, inter=inter, include_self=include_self)
    expected = plain(model, case, TRAIN)
    assert float(expected[1]["layers.0.linear.weight"].abs().max()) > 1e-4
    everything = {"alpha": -1, "beta": -1, "batch_size": NODES, "shuffle": False}
    assert_same(model, sampled(model, *case, TRAIN, **everything), expected)
    for make in (full, whole):
        for keep_first in (True, False):
            assert_same(model, make(model, *case, TRAIN, keep_first=keep_first), expected)


@SELF
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
def test_gradients_in_single_precision(layers, include_self, idtype):
    case = small(idtype=idtype, dtype=torch.float32)
    model = model_for(2, layers, include_self=include_self, dtype=torch.float32)
    expected = plain(model, case, TRAIN)
    assert_same(model, full(model, *case, TRAIN), expected, rtol=1e-5)
    assert_same(model, sampled(model, *case, TRAIN, shuffle=False), expected, rtol=1e-5)
    everything = torch.arange(NODES)
    expected = plain(model, case, everything)
    batches = sampled(model, *case, everything, batch_size=NODES)
    assert_same(model, batches, expected, rtol=1e-5)


@pytest.mark.parametrize("aggr", [LSTM, Max()], ids=["lstm", "max"])
def test_gradients_with_other_aggregators(aggr):
    # An LSTM depends on the order of a neighbourhood, which the cut must keep: here the incidences
    # of a hyperedge are scattered.
    case = small()
    nodes, edges = case.graph.edges(etype="in")
    order = torch.randperm(len(nodes), generator=torch.Generator().manual_seed(1))
    graph = hypergraph_from_incidence(nodes[order], edges[order], NODES)
    case = case._replace(graph=graph)
    model = model_for(intra_aggr=aggr, inter_aggr=aggr)
    assert_same(model, full(model, *case, TRAIN), plain(model, case, TRAIN))


def test_gradients_of_a_learned_power():
    case = small()
    model = model_for(PowerMean(1.5, learn=True, channels=WIDTH))
    batches = full(model, *case, TRAIN)
    assert batches.first is None
    expected = plain(model, case, TRAIN)
    assert any(name.endswith("aggr.p") for name in expected[1])
    assert_same(model, batches, expected)


@pytest.mark.parametrize("layout", ["csr", "coo", "csr of int32"])
@pytest.mark.parametrize("p", [1, 0.5])
@SELF
def test_sparse_features_are_dense_ones(p, layout, include_self):
    case = small()
    model = model_for(p, include_self=include_self)
    expected = plain(model, case, TRAIN)
    sparse = case.feat.to_sparse() if layout == "coo" else case.feat.to_sparse_csr()
    if layout == "csr of int32":
        parts = (sparse.crow_indices().int(), sparse.col_indices().int(), sparse.values())
        sparse = torch.sparse_csr_tensor(*parts, case.feat.shape, check_invariants=True)
    case = case._replace(feat=sparse)
    for batches in (
        full(model, *case, TRAIN),
        whole(model, *case, TRAIN, keep_first=True),
        full(model, *case, TRAIN, keep_first=False),
        sampled(model, *case, TRAIN, shuffle=False),
    ):
        assert_same(model, batches, expected)


@pytest.mark.parametrize("make", [full, whole, functools.partial(full, keep_first=False)])
@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_gradients_reach_the_features(make, layout):
    # Features of one's own embedding layer, through the batches of several epochs.
    case = small()
    case.feat.requires_grad_()
    model = model_for()
    loss = F.cross_entropy(model(case.graph, case.feat)[TRAIN], case.labels[TRAIN])
    [expected] = torch.autograd.grad(loss, [case.feat])
    feat = case.feat.detach()
    feat = (feat if layout == "dense" else feat.to_sparse_csr()).requires_grad_()
    batches = make(model, case.graph, feat, case.labels, TRAIN)
    for _ in range(2):
        [batch] = batches
        [grad] = torch.autograd.grad(F.cross_entropy(logits_of(model, batch), batch.labels), [feat])
        # A gradient of sparse features is asked only where they store something.
        grad, stored = (grad, 1) if layout == "dense" else (grad.to_dense(), case.feat != 0)
        torch.testing.assert_close(grad * stored, expected * stored)


@pytest.mark.parametrize("as_mask", [True, False])
def test_a_mask_is_its_ids(as_mask):
    case, ids = small(), torch.tensor([1, 4, 6])
    mask = torch.zeros(NODES, dtype=torch.bool)
    mask[ids] = True
    model = model_for()
    for make in (full, sampled):
        [batch] = make(model, *case, mask if as_mask else ids.numpy())
        assert sorted(batch.labels.tolist()) == sorted(case.labels[ids].tolist())


def test_pruning_goes_no_further_than_the_receptive_field():
    # With one layer: the training nodes and the other members of their hyperedges.
    case = small()
    members, edges = (ids.tolist() for ids in case.graph.edges(etype="in"))
    near = set(TRAIN.tolist())
    joined = {e for v, e in zip(members, edges) if v in near}
    near |= {v for v, e in zip(members, edges) if e in joined}
    assert len(near) < NODES
    assert len(full(model_for(layers=1), *case, TRAIN).feat) == len(near)


def test_the_first_layer_is_kept_only_where_nothing_changes_it():
    case = small()
    for options, is_kept in (
        ({}, True),
        ({"p": 2}, True),
        ({"feat_drop": 0.5}, False),
        ({"p": PowerMean(2, learn=True)}, False),
        ({"intra_aggr": LSTM}, False),
    ):
        assert (full(model_for(**options), *case, TRAIN).first is not None) is is_kept


def test_the_cut_is_the_same_whatever_was_drawn_before():
    case, model = small(), model_for(2)
    logits = []
    for seed in range(3):
        seed_everything(seed)
        [batch] = full(model, *case, TRAIN, keep_first=False)
        logits.append(logits_of(model, batch))
    assert torch.equal(logits[0], logits[1])
    assert torch.equal(logits[0], logits[2])


def test_dropout_differs_from_epoch_to_epoch():
    case = small()
    model = model_for(dropout=0.5).train()
    batches = full(model, *case, TRAIN)
    first, second = (logits_of(model, next(iter(batches))) for _ in range(2))
    assert not torch.allclose(first, second)


@pytest.mark.parametrize("workers", [0, 2])
def test_an_epoch_of_minibatches_has_each_node_once_and_depends_on_its_seed_alone(workers):
    case = small()
    model = model_for()
    nodes = torch.arange(11)
    batches = sampled(model, *case, nodes, alpha=2, beta=1, batch_size=4, num_workers=workers)
    assert len(batches) == 3

    def epoch(seed):
        seed_everything(seed)
        with quiet_about_cores():
            return [(logits_of(model, b).tolist(), b.labels.tolist()) for b in batches]

    first, other, again = epoch(1), epoch(2), epoch(1)
    assert sorted(len(labels) for _, labels in first) == [3, 4, 4]
    flat = sorted(label for _, labels in first for label in labels)
    assert flat == sorted(case.labels[nodes].tolist())
    assert first != other
    assert first == again


def test_minibatches_read_no_node_data_and_leave_the_graph_alone():
    case = small()
    case.graph.nodes["node"].data["wide"] = torch.rand(NODES, 50)
    batches = sampled(model_for(), *case, TRAIN)
    found = batches.sampler.sample(batches.graph, TRAIN)[2][0][0].srcnodes["node"].data
    assert "wide" not in found
    assert "wide" in case.graph.nodes["node"].data


def test_the_sampler_of_a_model_fits_its_weighting():
    case = small()
    sampler = sampler_for(model_for(layers=3), case.graph, alpha=[1, 2, 3])
    assert sampler.alpha == [1, 2, 3]
    assert sampler.num_neighbors is None
    sampler = sampler_for(model_for(inter="paper", include_self=False), case.graph)
    assert torch.equal(sampler.num_neighbors, num_neighbors(case.graph, include_self=False))


def test_labels_of_other_whole_types_are_taken():
    case = small()
    expected = plain(model_for(), case, TRAIN)
    for dtype in (torch.int32, torch.uint8, torch.int16):
        labels = case.labels.to(dtype)
        model = model_for()
        assert_same(model, full(model, case.graph, case.feat, labels, TRAIN), expected)


def test_a_graph_without_hyperedges_trains_on_self_terms():
    case = small()
    graph = add_nodes(case.graph, 1)
    feat = torch.cat((case.feat, torch.ones(1, WIDTH).double()))
    labels = torch.cat((case.labels, torch.tensor([0])))
    model = model_for()
    [batch] = full(model, graph, feat, labels, [NODES])
    hidden = model.layers[0].project(F.normalize(feat[-1:], dim=1))
    torch.testing.assert_close(
        logits_of(model, batch), model.layers[1].project(F.normalize(hidden, dim=1))
    )


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("p", [1, 2])
def test_a_first_layer_of_all_nodes_may_be_shared(p, layers, cut):
    case = small()
    model = model_for(p, layers=layers)
    expected = plain(model, case, TRAIN)
    of_all = model.first_layer(case.graph, case.feat)
    options = {"model": model if cut else None}
    assert_same(model, FullGraph(*case, TRAIN, first=of_all, **options), expected)
    # It is used: another one gives another loss.
    flipped = of_all.select(torch.arange(NODES - 1, -1, -1))
    [batch] = FullGraph(*case, TRAIN, first=flipped, **options)
    loss = F.cross_entropy(logits_of(model, batch), batch.labels)
    assert float((loss - expected[0]).detach().abs()) > 1e-6


def test_a_first_layer_of_other_nodes_is_refused():
    case, model = small(), model_for(1)
    first = model.first_layer(case.graph, case.feat).select(torch.arange(3))
    with pytest.raises(ValueError, match=f"first has 3 rows for {NODES} nodes"):
        FullGraph(*case, TRAIN, first=first)
    with pytest.raises(ValueError, match=f"3 rows for {NODES} nodes"):
        model(case.graph, first)
