"""The launcher starts and ends all together; two hosts train as one process does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from hypersage_dgl._utils import locked
from hypersage_dgl.data import load, partition
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Host, launch, python_command, read_hosts, seed_everything
from hypersage_dgl.training.processes.cluster import environments

ROOT = Path(__file__).parents[3]
TRAINER = str(ROOT / "examples" / "train_distributed.py")
BATCH = 20


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    partition(load("synthetic"), folder, 1, neighbors="exact")
    return folder


def test_hosts_are_read_line_by_line(tmp_path):
    path = tmp_path / "hosts.txt"
    path.write_text("10.0.0.1\n\n# the other one\n10.0.0.2 40000  # with a port\n")
    assert read_hosts(path) == [Host("10.0.0.1", 30050), Host("10.0.0.2", 40000)]
    path.write_text("10.0.0.1 port\n")
    with pytest.raises(ValueError, match=r"line 1 is '10\.0\.0\.1 port'; it must be an address"):
        read_hosts(path)
    path.write_text("# none\n")
    with pytest.raises(ValueError, match="names no host"):
        read_hosts(path)


@pytest.mark.parametrize(
    "line", ["-oProxyCommand=x", "a;b", "a 0", "a 65535", "a 99999", "a ²", "a 1 2", "a\x1b[2J"]
)
def test_no_host_is_an_option_or_has_a_port_that_is_none(tmp_path, line):
    path = tmp_path / "hosts.txt"
    path.write_text(f"10.0.0.1\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"hosts\.txt, line 2 is .* from 1 to 65534"):
        read_hosts(path)


def test_hosts_that_are_no_text_are_refused_by_name(tmp_path):
    (tmp_path / "hosts.txt").write_bytes(b"10.0.0.1\n\xff")
    with pytest.raises(ValueError, match=r"hosts\.txt: line 2, byte 9 is not UTF-8"):
        read_hosts(tmp_path / "hosts.txt")


def test_two_launches_do_not_share_a_folder(parts):
    with locked(parts, "launch"), pytest.raises(BlockingIOError, match="in use by process"):
        launch(parts, ["true"])


def test_every_process_knows_its_place(tmp_path):
    made = environments(tmp_path, [Host("a", 7), Host("b")], trainers=2, interface="eth1")
    assert [(host, role) for host, role, _ in made] == [
        *((0, "server"), (1, "server")),
        *((0, "trainer"), (0, "trainer"), (1, "trainer"), (1, "trainer")),
    ]
    assert [env.get("DGL_SERVER_ID") for _, _, env in made[:3]] == ["0", "1", None]
    assert [env.get("RANK") for _, _, env in made] == [None, None, "0", "1", "2", "3"]
    for _, _, env in made:
        assert env["DGL_NUM_CLIENT"] == "4"
        assert env["GLOO_SOCKET_IFNAME"] == "eth1"
        assert env.get("MASTER_ADDR", "a") == "a"


def test_all_run_in_the_workspace_with_their_roles(parts, tmp_path):
    line = 'echo "$DGL_ROLE $(pwd) $RANK" > "role-$DGL_ROLE-$RANK"'
    launch(parts, ["sh", "-c", line], trainers=2, workspace=tmp_path, timeout=600)
    found = sorted(path.read_text().split() for path in tmp_path.glob("role-*"))
    assert found[:2] == [["client", str(tmp_path), "0"], ["client", str(tmp_path), "1"]]
    assert (parts / "ip_config.txt").read_text() == "127.0.0.1 30050\n"


def test_one_that_fails_ends_all(parts, tmp_path):
    # Who is not ended wakes up and says so.
    line = 'if [ "$RANK" = 1 ]; then exit 3; fi; sleep 600; touch "woke-$DGL_ROLE"'
    with pytest.raises(RuntimeError, match=r"trainer 1 on 127.0.0.1 ended with exit code 3; all"):
        launch(parts, ["sh", "-c", line], trainers=2, workspace=tmp_path)
    assert not list(tmp_path.glob("woke-*"))


def test_the_time_limit_names_who_still_runs(parts):
    with pytest.raises(RuntimeError, match=r"after 0.5 s and ended: server 0 .*, trainer 0"):
        launch(parts, ["sleep", "600"], timeout=0.5)


def test_hosts_and_parts_must_be_as_many(parts, tmp_path):
    with pytest.raises(ValueError, match=r"has 1 parts for 2 hosts.* --parts 2"):
        launch(parts, ["true"], hosts=[Host("a"), Host("b")])
    with pytest.raises(FileNotFoundError, match="holds no parts"):
        launch(tmp_path, ["true"])


def test_lines_reach_a_host_whole(parts, tmp_path):
    ssh = tmp_path / "fake-ssh"
    ssh.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/hosts\nexec sh -c "$2"\n')
    ssh.chmod(0o755)
    line = 'test "$1" = "two words" || exit 5'
    launch(parts, ["sh", "-c", line, "x", "two words"], hosts=[Host("far")], ssh=str(ssh))
    assert (tmp_path / "hosts").read_text().split() == ["far", "far"]


def test_scripts_run_with_this_python():
    assert python_command(["a.py", "--b"]) == [sys.executable, "a.py", "--b"]
    assert python_command(["pypy", "a.py"]) == ["pypy", "a.py"]


@pytest.mark.exhaustive
def test_one_host_with_two_trainers_learns(parts, tmp_path, capfd):
    launch(parts, [sys.executable, TRAINER, "--epochs", "60", "--batch-size", "20"], trainers=2)
    printed = capfd.readouterr().out
    assert float(printed.partition("test accuracy (full): ")[2].split()[0]) > 60


def may_emulate_hosts() -> bool:
    line = "unshare -nm sh -c 'mount -t tmpfs none /dev/shm' && "
    line += "ip link add cable1 type veth peer name cable2"
    words = ["unshare", "-Urnm", "sh", "-c", line]
    try:
        return subprocess.run(words, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.exhaustive
@pytest.mark.parametrize("inter", ["size", "paper"])
def test_two_hosts_train_as_one_process(tmp_path, inter):
    if not may_emulate_hosts():
        pytest.skip("the kernel forbids network namespaces, which emulate the two hosts")
    data = load("synthetic")
    partition(data, tmp_path / "parts", 2, neighbors="exact")
    (tmp_path / "hosts.txt").write_text("10.9.0.1\n10.9.0.2\n")
    hosts = [str(ROOT / "scripts" / "two_hosts.sh"), str(tmp_path)]
    launcher = ["launch", str(tmp_path / "parts"), "--hosts", str(tmp_path / "hosts.txt")]
    launcher += ["--ssh", str(tmp_path / "into"), "--timeout", "300", "--", TRAINER]
    options = ["--epochs", "2", "--batch-size", str(BATCH), "--dropout", "0", "--alpha", "-1"]
    options += ["--inter", inter, "--trace", str(tmp_path), "--save", str(tmp_path / "model")]
    command = [sys.executable, "-m", "hypersage_dgl", *launcher, *options]
    done = subprocess.run(
        ["unshare", "-Urnm", *hosts, *command], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    traces = [torch.load(tmp_path / f"trace-{rank}.pt") for rank in range(2)]
    assert [len(trace) for trace in traces] == [4, 4]

    seed_everything(0)
    model = HyperSAGE(data.num_feats, 32, 4, dropout=0.0, inter=inter)
    optimizer = torch.optim.Adam(model.parameters(), 0.01, weight_decay=5e-4)
    met = set()
    for steps in zip(*traces):
        batch = torch.cat([step["nodes"] for step in steps])
        assert len(set(batch.tolist())) == 2 * BATCH
        met |= set(batch.tolist())
        optimizer.zero_grad()
        logits = model(data.graph, data.feat)
        F.cross_entropy(logits[batch], data.labels[batch]).backward()
        for step in steps:
            for found, parameter in zip(step["grad"], model.parameters(), strict=True):
                torch.testing.assert_close(found, parameter.grad, rtol=1e-4, atol=1e-5)
        optimizer.step()
    assert met == set(data.splits[0].train.tolist())
    expected = model.inference(data.graph, data.feat)
    for rank in range(2):
        rows = torch.load(tmp_path / f"logits-{rank}.pt")
        torch.testing.assert_close(rows["logits"], expected[rows["nodes"]], rtol=1e-4, atol=1e-4)
