"""``python -m hypersage_dgl`` is the ``hypersage`` command."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
