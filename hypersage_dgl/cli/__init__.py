"""The ``hypersage`` command.

Each sub-command is a file with ``add_parser(subparsers)`` and ``run(args)``, which returns the exit
code; ``command.COMMANDS`` lists them.
"""

from .command import main

__all__ = ["main"]
