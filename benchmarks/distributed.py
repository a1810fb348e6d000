"""Several processes: two ranks on one machine, and what two machines send.

Two hosts are emulated by network namespaces (scripts/two_hosts.sh) with a counted cable between
them; a run of three epochs less a run of one is two epochs, without the start and the evaluation.
Ranks are those of ``torchrun examples/train_minibatch.py``, on one thread each.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypersage_dgl.data import LabelledHypergraph, generate, partition
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import sampler_for, seed_everything

import dgl
import torch

from .measure import Row, Settings, surroundings
from .scaling import counted

ROOT = Path(__file__).resolve().parents[1]
BATCH, FAN_OUT, HIDDEN, WIDTH = 256, 5, 32, 64
ALONE = {"OMP_NUM_THREADS": "1"}


def rows(settings: Settings, is_large: bool = False) -> Iterator[Row]:
    """One of ranks, one of hosts where the kernel lets us emulate them."""
    yield {"benchmark": "distributed", "comparison": "ranks", **ranks(settings), **surroundings()}
    if not may_emulate_hosts():
        print("two hosts: the kernel forbids network namespaces, so nothing was measured")
        return
    yield {"benchmark": "distributed", "comparison": "hosts", **hosts(settings), **surroundings()}


def ranks(settings: Settings) -> Row:
    """Seconds of an epoch by one process and by two."""
    name, batch, epochs = ("synthetic", 20, 2) if settings.quick else ("synthetic:100k", 250, 6)
    words = ["examples/train_minibatch.py", "--dataset", name, "--epochs", str(epochs)]
    words += ["--batch-size", str(batch), "--alpha", "5", "--beta", "5", "--eval", "minibatch"]
    found = {}
    for count in (1, 2):
        start = ["-m", "torch.distributed.run", "--nproc-per-node", "2"] if count == 2 else []
        done = subprocess.run(
            [sys.executable, *start, *words],
            check=True,
            cwd=ROOT,
            env={**os.environ, **ALONE},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        seconds = re.search(r"trained \d+ epochs.* in (\S+) s", done.stdout)
        assert seconds is not None
        found[str(count)] = round(float(seconds[1]) / epochs, 4)
    return {"data": name, "batch_size": batch, "epochs": epochs, "epoch_s": found}


def hosts(settings: Settings) -> Row:
    """What was sent, and what was sampled for it."""
    data = split_data(400 if settings.quick else 20_000)
    seed_everything(0)
    model = HyperSAGE(WIDTH, HIDDEN, data.num_classes)
    sampler = sampler_for(model, data.graph, FAN_OUT, FAN_OUT)
    train = data.splits[0].train
    counts = dict.fromkeys(("rows", "messages", "hyperedges", "targets"), 0)
    for seeds in train[torch.randperm(len(train))].split(BATCH):  # type: ignore[no-untyped-call]
        for key, value in counted(*sampler.sample(data.graph, {"node": seeds})).items():
            counts[key] += value
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        partition(data, folder / "parts", 2)
        (folder / "hosts.txt").write_text("10.9.0.1\n10.9.0.2\n")
        cut = cut_share(folder)
        one, three = trained(folder, 1), trained(folder, 3)
    return {
        "nodes": data.num_nodes,
        "hosts": 2,
        "widths": [WIDTH, HIDDEN, data.num_classes],
        "parameters": sum(p.numel() for p in model.parameters()),
        "batch_size": BATCH,
        "steps": -(-len(train) // (2 * BATCH)),
        "seeds": len(train),
        "sampled": counts,
        "cut": round(cut, 4),
        "epoch_bytes": (three[0] - one[0]) // 2,
        "epoch_packets": (three[1] - one[1]) // 2,
        "epoch_s": three[2],
    }


def split_data(count: int) -> LabelledHypergraph:
    """A generated hypergraph, 40 % of it to train on."""
    return generate(
        *(count, count * 3 // 4),
        num_feats=WIDTH,
        feats_per_node=4,
        max_size=20,
        train_per_class=count // 10,
        num_splits=1,
    )


def trained(folder: Path, epochs: int) -> tuple[int, int, float]:
    """Bytes and packets over the cable, both ways, and seconds of the last epoch."""
    words = ["unshare", "-Urnm", str(ROOT / "scripts" / "two_hosts.sh"), str(folder)]
    words += [sys.executable, "-m", "hypersage_dgl", "launch", str(folder / "parts")]
    words += ["--hosts", str(folder / "hosts.txt"), "--ssh", str(folder / "into"), "--"]
    words += [str(ROOT / "examples" / "train_distributed.py"), "--epochs", str(epochs)]
    words += ["--batch-size", str(BATCH), "--alpha", str(FAN_OUT), "--beta", str(FAN_OUT)]
    environment = {**os.environ, **ALONE}
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    numbers = list(map(int, (folder / "traffic").read_text().partition(":")[2].split()))
    seconds = float(re.findall(r"epoch \d+: loss \S+, (\S+) s", done.stdout)[-1])
    return numbers[0] + numbers[8], numbers[1] + numbers[9], seconds


def cut_share(folder: Path) -> float:
    """Share of the edges whose source another part has."""
    cut = total = 0
    for part in range(2):
        graph = dgl.load_graphs(str(folder / "parts" / f"part{part}" / "graph.dgl"))[0][0]
        sources, _ = graph.edges()
        cut += int((graph.ndata["inner_node"][sources] == 0).sum())
        total += len(sources)
    return cut / total


def may_emulate_hosts() -> bool:
    """Whether the kernel gives us networks of our own."""
    line = "unshare -nm sh -c 'mount -t tmpfs none /dev/shm' && "
    line += "ip link add cable1 type veth peer name cable2"
    try:
        words = ["unshare", "-Urnm", "sh", "-c", line]
        return subprocess.run(words, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False
