"""Work ahead: in order, drawn by the caller's thread, and no thread stays, however it ends."""

from __future__ import annotations

import threading
import time

import pytest
import torch
from small_hypergraph import model_for

from hypersage_dgl.hypergraphs import one_thread
from hypersage_dgl.nn import PowerMean
from hypersage_dgl.training import Minibatches, fit, sampler_for
from hypersage_dgl.training.ahead import WORKERS, ahead

from .cases import small

TRAIN = torch.tensor([7, 2, 12, 4, 0, 9, 5])


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def helpers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name.startswith("hypersage-ahead")]


def test_results_come_in_order_though_the_first_takes_longest():
    def work(number):
        time.sleep(0.02 if number % 3 == 0 else 0)
        return number

    assert list(ahead(range(10), work)) == list(range(10))
    assert not helpers()


def test_the_caller_draws_and_others_work_on_one_thread_each():
    drawn, worked = set(), []

    def items():
        for number in range(6):
            drawn.add(threading.current_thread())
            yield number

    def work(number):
        worked.append((threading.current_thread(), torch.get_num_threads()))
        return number

    assert len(list(ahead(items(), work))) == 6
    assert drawn == {threading.current_thread()}
    assert all(thread is not threading.current_thread() for thread, _ in worked)
    assert {count for _, count in worked} == {1}
    assert torch.get_num_threads() == 2
    born = []
    thread = threading.Thread(target=lambda: born.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    assert born == [2]


def test_no_more_is_drawn_than_the_workers_need():
    drawn = []
    batches = ahead((drawn.append(i) or i for i in range(100)), lambda i: i)
    next(batches)
    assert len(drawn) == WORKERS + 1
    batches.close()
    assert len(drawn) == WORKERS + 1


def test_who_asked_for_one_thread_gets_no_other():
    def work(number):
        return threading.current_thread()

    with one_thread():
        assert set(ahead(range(3), work)) == {threading.current_thread()}


@pytest.mark.parametrize("error", [ValueError, MemoryError])
def test_an_error_comes_where_its_item_would(error):
    def work(number):
        if number == 3:
            raise error("here")
        return number

    found = []

    def run():
        for each in ahead(range(10), work):
            found.append(each)

    with pytest.raises(error, match="here"):
        run()
    assert found == [0, 1, 2]
    assert not helpers()


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_ends_the_loop_ends_the_threads(error):
    def run():
        for _ in ahead(range(10), lambda number: number):
            raise error

    with pytest.raises(error):
        run()
    # Before anything else is collected: the loop's own end has joined them.
    for _ in range(100):
        if not helpers():
            break
        time.sleep(0.01)
    assert not helpers()


def test_an_error_of_what_draws_ends_the_threads():
    def items():
        yield 0
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        list(ahead(items(), lambda number: number))
    assert not helpers()


MODELS = {
    "p=1": {"p": 1.0},
    "p=0.01": {"p": 0.01},
    "learned": {"p": PowerMean(0.5, learn=True)},
    "feat_drop": {"feat_drop": 0.5},
    "without self": {"include_self": False},
    "paper": {"inter": "paper"},
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("layout", ["dense", "csr"])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.filterwarnings("ignore:negative inputs")
def test_a_run_is_the_same_to_the_bit_with_threads_and_without(name, layout, dropout):
    case = small()
    feat = case.feat.to_sparse_csr() if layout == "csr" else case.feat

    def losses(ahead_of_steps):
        torch.manual_seed(0)
        model = model_for(**{"p": 2, **MODELS[name]}, dropout=dropout)
        sampler = sampler_for(model, case.graph, alpha=2, beta=2)
        batches = Minibatches(
            *(case.graph, feat, case.labels, TRAIN, sampler),
            batch_size=2,
            model=model if ahead_of_steps else None,
        )
        history = fit(model, batches, epochs=3, lr=0.05)
        return [epoch.loss for epoch in history.epochs], list(model.parameters())

    (ours, weights), (plain, others) = losses(True), losses(False)
    assert ours == plain
    assert all(torch.equal(one, other) for one, other in zip(weights, others))
    assert not helpers()


def test_members_drawn_by_weight_stay_in_their_turn():
    case, model = small(), model_for(2, dropout=0.5)
    weight = torch.rand(case.graph.num_nodes("node")) + 0.5
    losses = []
    for given in (None, model):
        torch.manual_seed(0)
        model.reset_parameters()
        sampler = sampler_for(model, case.graph, alpha=2, member_weight=weight)
        batches = Minibatches(*case, TRAIN, sampler, batch_size=2, model=given)
        losses.append([epoch.loss for epoch in fit(model, batches, epochs=2).epochs])
    assert losses[0] == losses[1]


def test_a_model_with_another_first_layer_is_refused():
    case, model = small(), model_for(2)
    batches = Minibatches(*case, TRAIN, sampler_for(model, case.graph), model=model)
    with pytest.raises(ValueError, match="was kept by a model with"):
        fit(model_for(1.0), batches, epochs=1)
    assert not helpers()
