"""Kill processes at random moments: ``python -m tests.faults --kills 200``.

Prints a table: kills of each job, how many came while it was at work, and how many left something
wrong or lost. Exits with 1 if any did.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    args = parser.parse_args()
    # Threads of a process that has computed do not survive a fork.
    os.environ["OMP_NUM_THREADS"] = "1"
    sys.path.insert(0, str(Path(__file__).parents[1]))
    # Before DGL, which alone may not import; pytest's conftest does the same.
    import hypersage_dgl  # noqa: F401
    from faults.kills import run

    print("| job | kills | at work | wrong or lost |")
    print("|---|---|---|---|")
    failures = [(row.job, wrong) for row in run(args.kills, args.seed) for wrong in row.failures]
    for job, wrong in failures:
        print(f"{job}: {wrong}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
