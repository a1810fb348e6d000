"""Several ranks train as one process does: the same batches, gradients, losses and weights."""

from __future__ import annotations

import multiprocessing
import os
import re
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from hypersage_dgl.data import generate
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    Minibatches,
    accuracy_on,
    data_parallel,
    fit,
    has_checkpoint,
    joined_ranks,
    load_checkpoint,
    my_rank,
    num_ranks,
    sampled_logits,
    sampler_for,
    seed_everything,
)
from hypersage_dgl.training.processes.ranks import bare, check_shares, from_first, own_share, summed

ROOT = Path(__file__).parents[3]
# Three ranks share 9, 9 and 1 nodes: of the last batch two have none.
BATCH, NODES = 9, 19


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def in_ranks(count, work, *arguments):
    """What ``work(rank, *arguments)`` gives, or how it ended, in as many forked ranks."""
    context, port = multiprocessing.get_context("fork"), free_port()

    def child(rank, pipe):
        torch.set_num_threads(1)
        address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        os.environ.update(address, RANK=str(rank), WORLD_SIZE=str(count))
        try:
            with joined_ranks(timeout=600) as ranks:
                pipe.send(work(ranks.rank, *arguments))
        except BaseException as end:
            pipe.send(f"{type(end).__name__}: {end}")

    pipes = [context.Pipe(duplex=False) for _ in range(count)]
    processes = [context.Process(target=child, args=(i, p[1])) for i, p in enumerate(pipes)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python 3.12 has its doubts about forks
        for process in processes:
            process.start()
    found = []
    for process, (reader, writer) in zip(processes, pipes):
        writer.close()
        try:
            found.append(reader.recv())
        except EOFError:
            found.append(None)
        process.join()
    return found


class Recording(torch.optim.SGD):
    """Notes every gradient that it is given."""

    def step(self, closure=None):
        self.seen.append([p.grad.clone().numpy() for p in self.param_groups[0]["params"]])
        return super().step(closure)


DATA = generate(60, 40, num_feats=24, feats_per_node=3, max_size=6, train_per_class=5, seed=3)


def batches_for(model, **options):
    return Minibatches(
        DATA.graph,
        DATA.feat,
        DATA.labels,
        torch.arange(NODES),
        sampler_for(model, DATA.graph),
        batch_size=BATCH,
        **options,
    )


def train(rank, folder=None, epochs=2, resume=False, on_epoch=None):
    seed_everything(0)
    model = HyperSAGE(24, 8, 4, dropout=0.0)
    optimizer = Recording(model.parameters(), lr=0.5, momentum=0.9)
    optimizer.seen = []
    validate = accuracy_on(DATA.graph, DATA.feat, DATA.labels, torch.arange(20, 40))
    history = fit(
        data_parallel(model),
        batches_for(model),
        epochs=epochs,
        optimizer=optimizer,
        validate=validate,
        folder=folder,
        resume=resume,
        on_epoch=on_epoch,
    )
    logits = sampled_logits(model, DATA.graph, DATA.feat, torch.arange(60)).numpy()
    curve = [(row.loss, row.val) for row in history.epochs]
    return optimizer.seen, curve, logits


def assert_same(found, expected):
    for ours, theirs in zip(found[0], expected[0], strict=True):
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[2], expected[2], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("count", [1, 3])
def test_gradients_are_those_of_one_process(count):
    expected = train(0)
    assert len(expected[0]) == 2 * 3
    for found in in_ranks(count, train):
        assert_same(found, expected)


def test_the_first_rank_keeps_and_all_resume(tmp_path):
    expected = train(0, epochs=4)
    in_ranks(3, train, tmp_path, 2)
    assert has_checkpoint(tmp_path)
    for found in in_ranks(3, train, tmp_path, 4, True):
        assert_same((found[0], *found[1:]), (expected[0][6:], *expected[1:]))
    assert len(load_checkpoint(tmp_path).progress["epochs"]) == 4


def die(rank, folder):
    def end(epoch):
        if rank == 1:
            os._exit(9)

    return train(rank, folder, on_epoch=end)


def test_a_dead_rank_ends_the_others_with_a_message(tmp_path):
    first, dead, third = in_ranks(3, die, tmp_path)
    assert dead is None
    for rank, said in ((0, first), (2, third)):
        assert re.match(rf"SystemExit: rank {rank} of 3 ends: another rank died", said)
        assert "start all ranks again" in said
    # What the first one had finished is kept.
    assert len(load_checkpoint(tmp_path).progress["epochs"]) == 1


def shares(rank):
    seed_everything(5)
    return own_share(torch.arange(NODES), BATCH, True)[0].tolist(), torch.rand(3).tolist()


def test_shares_are_the_batches_of_one_process_and_draws_differ():
    seed_everything(5)
    order = np.arange(NODES)
    np.random.shuffle(order)  # noqa: NPY002
    found = in_ranks(3, shares)
    for start in range(0, 18, 9):
        own = slice(start // 3, start // 3 + 3)
        joined = [node for nodes, _ in found for node in nodes[own]]
        assert joined == order[start : start + 9].tolist()
    assert {tuple(nodes[6:]) for nodes, _ in found} == {(order[18],)}
    assert len({tuple(drawn) for _, drawn in found}) == 3


def talk(rank):
    try:
        check_shares(10)
    except ValueError as error:
        refusal = str(error)
    return from_first(lambda: f"by {my_rank()}"), summed(1.0, rank), num_ranks(), refusal


def test_words_of_the_first_and_sums_of_all():
    refusal = "batch_size is 10 for 3 ranks; it counts the nodes of all ranks together, so make it "
    assert in_ranks(3, talk) == [("by 0", (3.0, 3.0), 3, refusal + "a multiple of 3")] * 3


def test_alone_nothing_is_wrapped_or_sent():
    model = HyperSAGE(4, 8, 2)
    with joined_ranks() as ranks:
        assert (ranks.is_first, ranks.size, ranks.device.type) == (True, 1, "cpu")
        assert data_parallel(model) is bare(model) is model
        assert summed(2.0) == (2.0,)


def fail(rank):
    raise RuntimeError("shapes do not fit")


def test_other_errors_stay_what_they_are():
    assert in_ranks(1, fail) == ["RuntimeError: shapes do not fit"]


def torchrun(*options):
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    command += ["--master-port", str(free_port()), "examples/train_minibatch.py", *options]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.exhaustive
def test_torchrun_gives_the_accuracy_of_one_process():
    options = ["--dataset", "synthetic", "--epochs", "20"]
    alone = subprocess.run(
        [sys.executable, "examples/train_minibatch.py", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout
    together, errors = torchrun(*options).communicate(timeout=300)
    assert "trained 20 epochs by 2 ranks" in together, errors
    scores = [float(re.search(r"accuracy \(full\): (\S+)", text)[1]) for text in (alone, together)]
    # Dropout and samples are drawn apart by each rank.
    assert scores[0] == pytest.approx(scores[1], abs=3)
    assert together.count("test accuracy") == 1


@pytest.mark.exhaustive
def test_torchrun_ends_when_a_rank_is_killed(tmp_path):
    run = torchrun("--dataset", "synthetic", "--epochs", "100000", "--save", str(tmp_path))
    while not has_checkpoint(tmp_path):
        time.sleep(0.5)
        assert run.poll() is None
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    os.kill(int(children[1]), 9)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert "rank 0 of 2 ends: another rank died" in errors
