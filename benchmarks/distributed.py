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

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.data import LabelledHypergraph, generate, partition
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.hypergraphs import CONTAINS, IN
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import seed_everything

import dgl
import torch

from .measure import Row, Settings, surroundings

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
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        partition(data, folder / "parts", 2)
        (folder / "hosts.txt").write_text("10.9.0.1\n10.9.0.2\n")
        fetched = of_other_parts(folder / "parts")
        one, three = trained(folder, 1), trained(folder, 3)
    train = data.splits[0].train
    return {
        "nodes": data.num_nodes,
        "hosts": 2,
        "widths": [WIDTH, HIDDEN, data.num_classes],
        "parameters": sum(p.numel() for p in model.parameters()),
        "batch_size": BATCH,
        "steps": -(-len(train) // (2 * BATCH)),
        "seeds": len(train),
        "fetched": fetched,
        "epoch_bytes": (three[0] - one[0]) // 2,
        "epoch_packets": (three[1] - one[1]) // 2,
        "epoch_s": three[2],
    }


def of_other_parts(folder: Path) -> dict[str, int]:
    """Rows, edges and nodes asked about that lie on the other host, in an epoch of both.

    ``all_rows`` are those of this host too.
    """
    g, owners, train = joined_again(folder)
    counts = dict.fromkeys(("all_rows", "rows", "edges", "asked"), 0)
    sampler = HyperSAGESampler(2, FAN_OUT, FAN_OUT)
    for part in range(2):
        own = train[owners["node"][train] == part]
        order = own[torch.randperm(len(own))]
        for seeds in order.split(BATCH):  # type: ignore[no-untyped-call]
            found, _, pairs = sampler.sample(g, {"node": seeds})
            counts["all_rows"] += len(found["node"])
            counts["rows"] += int((owners["node"][found["node"]] != part).sum())
            for pair in pairs:
                for block, relation in zip(pair, (IN, CONTAINS)):
                    kind = relation[2]
                    met = owners[kind][block.dstnodes[kind].data[dgl.NID]] != part
                    counts["asked"] += int(met.sum())
                    counts["edges"] += int(met[block.edges(etype=relation)[1]].sum())
    return counts


def joined_again(folder: Path) -> tuple[dgl.DGLGraph, dict[str, torch.Tensor], torch.Tensor]:
    """The hypergraph of all parts in their numbering, who has what, and the training nodes."""
    nodes, edges, is_train = [], [], []
    for part in range(2):
        g, data, _, book, *_ = dgl.distributed.load_partition(str(folder / "hypergraph.json"), part)
        is_train.append(data["node/train_mask"])
        sources, targets = (g.ndata[dgl.NID][ids] for ids in g.edges())
        # What its own nodes and hyperedges are met by; the rest is the other part's.
        own = g.ndata["inner_node"][g.edges()[1]].bool()
        (of_source, source), (_, target) = map(book.map_to_per_ntype, (sources[own], targets[own]))
        is_in = of_source == book.ntypes.index("node")
        nodes.append(source[is_in])
        edges.append(target[is_in])
    g = hypergraph_from_incidence(torch.cat(nodes), torch.cat(edges))
    owners = {kind: book.nid2partid(g.nodes(kind), kind) for kind in ("node", "hyperedge")}
    return g, owners, torch.cat(is_train).bool().nonzero().squeeze(1)


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


def may_emulate_hosts() -> bool:
    """Whether the kernel gives us networks of our own."""
    line = "unshare -nm sh -c 'mount -t tmpfs none /dev/shm' && "
    line += "ip link add cable1 type veth peer name cable2"
    try:
        words = ["unshare", "-Urnm", "sh", "-c", line]
        return subprocess.run(words, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False
