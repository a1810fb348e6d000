"""The ``hypersage`` command from its first moment: Ctrl-C during the imports is no traceback."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command; 130 after Ctrl-C, whenever it comes."""
    try:
        from hypersage_dgl.cli import main as command

        return command()
    except KeyboardInterrupt:
        print("hypersage: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
