"""The ``hypersage`` command, and what another command needs to behave like it.

Each sub-command is a file of ``commands``. They share the options (``options``, ``option_values``,
``models``), what these name (``sources``, ``task``, ``arrivals``, ``reminders`` of a checkpoint),
runs (``hyperedges``, ``runs``, ``results``, ``doubts``, ``run_files``, ``events``) and ``text``.
"""

from .command import main, run_command
from .option_values import positive
from .options import Parser, command_parser
from .text import UsageError

__all__ = ["Parser", "UsageError", "command_parser", "main", "positive", "run_command"]
