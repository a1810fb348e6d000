"""``python -m experiments``."""

import sys

from .command import main

# Workers import this module as well, and are not to start the command again.
if __name__ == "__main__":
    sys.exit(main())
