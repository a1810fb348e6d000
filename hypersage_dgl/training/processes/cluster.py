"""Start servers and trainers of DGL's distributed engine, on this host or on several by ssh."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..._utils import PathLike, locked, read_text, require_count, write_text
from ...data import read_about

# No option of ssh, and no word of a shell.
ADDRESS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*")
CONFIG = "hypergraph.json"
SSH = "ssh -tt -o BatchMode=yes"
# Seconds that a process has to end after it was told to.
GRACE = 10.0
PORT = 30050


class Host(NamedTuple):
    """A machine by its address, and the port of its server."""

    address: str
    port: int = PORT


def read_hosts(path: PathLike) -> list[Host]:
    """Read a file with a line ``address`` or ``address port`` for each machine."""
    hosts = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        port = words[1] if len(words) == 2 else str(PORT)
        # The trainers meet at the port after that of the first server.
        is_port = port.isdecimal() and len(port) <= 5 and 0 < int(port) < 65_535
        if len(words) > 2 or not ADDRESS.fullmatch(words[0]) or not is_port:
            raise ValueError(
                f"{path}, line {number} is {line!r:.80}; it must be an address and, if need be, a "
                "port from 1 to 65534"
            )
        hosts.append(Host(words[0], int(port)))
    if not hosts:
        raise ValueError(f"{path} names no host; write one address a line")
    return hosts


def environments(
    folder: PathLike, hosts: Sequence[Host], trainers: int, interface: str | None = None
) -> list[tuple[int, str, dict[str, str]]]:
    """Host, role and environment of each process: a server a host, then its trainers.

    Examples
    --------
    >>> made = environments("parts", [Host("10.0.0.1"), Host("10.0.0.2")], trainers=1)
    >>> [(host, role) for host, role, _ in made]
    [(0, 'server'), (1, 'server'), (0, 'trainer'), (1, 'trainer')]
    >>> made[3][2]["RANK"], made[3][2]["WORLD_SIZE"]
    ('1', '2')
    """
    folder, count = Path(folder).resolve(), len(hosts) * trainers
    common = {
        "DGL_DIST_MODE": "distributed",
        "DGL_IP_CONFIG": str(folder / "ip_config.txt"),
        "DGL_CONF_PATH": str(folder / CONFIG),
        "DGL_NUM_SERVER": "1",
        "DGL_NUM_SAMPLER": "0",
        "DGL_NUM_CLIENT": str(count),
        "DGL_GRAPH_FORMAT": "csc",
        "HYPERSAGE_PARTS": str(folder),
        **({} if interface is None else {"GLOO_SOCKET_IFNAME": interface}),
    }
    made = []
    for i in range(len(hosts)):
        made.append((i, "server", {**common, "DGL_ROLE": "server", "DGL_SERVER_ID": str(i)}))
    for rank in range(count):
        group = {
            "RANK": str(rank),
            "LOCAL_RANK": str(rank % trainers),
            "WORLD_SIZE": str(count),
            "MASTER_ADDR": hosts[0].address,
            "MASTER_PORT": str(hosts[0].port + 1),
        }
        made.append((rank // trainers, "trainer", {**common, **group, "DGL_ROLE": "client"}))
    return made


def launch(
    folder: PathLike,
    command: Sequence[str],
    *,
    hosts: Sequence[Host] | None = None,
    trainers: int = 1,
    timeout: float = 3600.0,
    workspace: PathLike | None = None,
    ssh: str = SSH,
    interface: str | None = None,
) -> None:
    """Run a script with servers and trainers around it, and end them all together.

    Parameters
    ----------
    folder
        Parts that :func:`hypersage_dgl.data.partition` wrote, at the same path on every host.
    command
        The words of the script, such as ``["python", "examples/train_distributed.py"]``.
    hosts
        A machine for each part; by default this one, with one part.
    trainers
        Processes that train on each host.
    timeout
        Seconds after which all is ended: a trainer that dies leaves others waiting, and a host
        that is gone says nothing.
    workspace
        Folder to run in, on every host; by default the one of this process.
    ssh
        What runs a command on a host: the words before its address. Its terminal (``-tt``) ends
        the command with the connection.
    interface
        Network interface of the hosts' private network, for gloo; by default it is guessed.

    Raises
    ------
    RuntimeError
        If a process fails or the time is over; all others are ended then.
    """
    parts, trainers = read_about(folder)["parts"], require_count(trainers, "trainers")
    is_local = hosts is None
    hosts = [Host("127.0.0.1")] if hosts is None else list(hosts)
    if len(hosts) != parts:
        raise ValueError(
            f"{folder} has {parts} parts for {len(hosts)} hosts; each host serves one, so write "
            f"them with --parts {len(hosts)}"
        )
    where = Path.cwd() if workspace is None else Path(workspace)
    running: dict[str, subprocess.Popen[bytes]] = {}
    limit = time.monotonic() + timeout
    # The addresses stand in the folder, and two launches would share them.
    with locked(Path(folder), "launch"):
        write_text(
            Path(folder) / "ip_config.txt",
            "".join(f"{host.address} {host.port}\n" for host in hosts),
        )
        try:
            for i, role, environment in environments(folder, hosts, trainers, interface):
                name = f"{role} {sum(role in key for key in running)} on {hosts[i].address}"
                line = _shell_line(command, environment, where, timeout)
                words = ["sh", "-c", line]
                if not is_local:
                    words = [*shlex.split(ssh), hosts[i].address, line]
                running[name] = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, start_new_session=True
                )
            _wait(running, limit, timeout)
        finally:
            _end(running.values())


def _shell_line(
    command: Sequence[str], environment: Mapping[str, str], where: Path, timeout: float
) -> str:
    # Should the launcher itself die, the hosts end the processes by themselves.
    words = [*("timeout", "-k", f"{GRACE:g}", f"{timeout + GRACE:g}"), "env"]
    words += [f"{key}={value}" for key, value in environment.items()]
    return f"cd {shlex.quote(str(where))} && exec {shlex.join([*words, *command])}"


def _wait(running: Mapping[str, subprocess.Popen[bytes]], limit: float, timeout: float) -> None:
    """Wait until all trainers are done; servers end with them."""
    while True:
        codes = {name: process.poll() for name, process in running.items()}
        failed = [name for name, code in codes.items() if code]
        if failed:
            raise RuntimeError(
                f"{failed[0]} ended with exit code {codes[failed[0]]}; all others were ended too"
            )
        if all(code == 0 for name, code in codes.items() if name.startswith("trainer")):
            return
        if time.monotonic() > limit:
            waiting = ", ".join(name for name, code in codes.items() if code is None)
            raise RuntimeError(
                f"still running after {timeout:g} s and ended: {waiting}; give more time with "
                "--timeout, or look for the one that hangs"
            )
        time.sleep(0.1)


def _end(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    started = list(processes)
    limit = time.monotonic() + GRACE
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, number)
        while any(p.poll() is None for p in started) and time.monotonic() < limit:
            time.sleep(0.05)


def python_command(words: Sequence[str]) -> list[str]:
    """The command, with this Python where it begins with a script.

    Examples
    --------
    >>> python_command(["examples/train_distributed.py"])[1:]
    ['examples/train_distributed.py']
    """
    return [sys.executable, *words] if words and words[0].endswith(".py") else list(words)
