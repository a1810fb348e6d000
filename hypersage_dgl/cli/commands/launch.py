"""``hypersage launch``: servers and trainers for a script, on one host or on several."""

from __future__ import annotations

import argparse

from ...training import SSH, launch, python_command, read_hosts
from ..option_values import above_zero, positive
from ..options import SubParsers, add_command

EXAMPLES = (
    "hypersage launch parts --trainers 2 -- examples/train_distributed.py --epochs 5",
    "hypersage launch parts --hosts hosts.txt --timeout 7200 -- examples/train_distributed.py",
)
NOTES = """Parts are those of `hypersage partition`, one for each host; --hosts is a file with an
address, and if need be a port, on each line. The parts, the script and this package must be
at the same path on every host, which ssh must reach without a password. If one process
fails or the time is over, all are ended. DGL's servers believe whoever reaches their ports
(they unpickle what comes): let that be a private network."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "launch", run, "train on parts, on one host or several", EXAMPLES, NOTES
    )
    add = parser.add_argument
    add("parts", metavar="PARTS", help="folder that `hypersage partition` wrote")
    add("--hosts", metavar="FILE", help="addresses of the hosts (default: this one alone)")
    add("--trainers", type=positive, default=1, help="on each host (default: %(default)s)")
    add("--timeout", type=above_zero, default=3600.0, metavar="SECONDS", help=TIMEOUT_HELP)
    add("--workspace", metavar="FOLDER", help="to run in, on every host (default: this one)")
    add("--ssh", default=SSH, metavar="COMMAND", help="(default: %(default)s)")
    add("--interface", metavar="NAME", help="network interface of the private network")
    add("script", metavar="SCRIPT", nargs="+", help="after --, with its options")


def run(args: argparse.Namespace) -> int:
    """Start all, and wait for the trainers."""
    launch(
        args.parts,
        python_command(args.script),
        hosts=None if args.hosts is None else read_hosts(args.hosts),
        trainers=args.trainers,
        timeout=args.timeout,
        workspace=args.workspace,
        ssh=args.ssh,
        interface=args.interface,
    )
    return 0


TIMEOUT_HELP = "end all after that time (default: %(default)g)"
