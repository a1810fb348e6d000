"""Ctrl-C while ``python -m hypersage_dgl`` still imports this package: one line, no traceback.

Python imports a package before it runs its ``__main__``, so nothing in there could catch it. The
``hypersage`` command catches it by itself.
"""

from __future__ import annotations

import sys
from types import TracebackType


def _in_one_line(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        # Python then ends by the signal, which a shell shows as 130.
        print("hypersage: interrupted", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


# Until Python has found the module to run, the name of the program is "-m".
if sys.argv[:1] == ["-m"] and __package__ in sys.orig_argv:
    sys.excepthook = _in_one_line
