"""Time and peak memory of opening a data set from the cache, each time in a fresh process.

main
├── measure: one process that imports, opens, builds ``dataset[0]`` and reports itself
└── row: the median over the processes

    python benchmarks/load_data.py                  # dblp
    python benchmarks/load_data.py dblp pubmed --repeats 9

The first process of each data set converts the public files if the cache does not have them
converted yet; it does not count. The goal for dblp: below 1.5 s and 1 GiB.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

CHILD = """
import json, resource, sys, time
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
start = time.perf_counter()
from hypersage_dgl.data import load_dataset
imported, before = time.perf_counter(), peak()
dataset = load_dataset(sys.argv[1])
opened = time.perf_counter()
dataset[0]
built = time.perf_counter()
seconds = [imported - start, opened - imported, built - opened, built - imported]
print(json.dumps([*seconds, before, peak()]))
"""
COLUMNS = ("import s", "open s", "graph s", "open + graph s", "after import MiB", "peak MiB")


def measure(name: str) -> list[float]:
    """Open the data set in a process of its own; seconds and MiB in the order of the columns."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name], check=True, stdout=subprocess.PIPE, text=True
    )
    values: list[float] = json.loads(done.stdout.splitlines()[-1])
    return values


def row(name: str, repeats: int) -> str:
    """Medians of some processes as one row of the table."""
    measure(name)
    medians = [statistics.median(c) for c in zip(*(measure(name) for _ in range(repeats)))]
    cells = [f"{v:.2f}" if c.endswith("s") else f"{v:.0f}" for c, v in zip(COLUMNS, medians)]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["dblp"])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    print(f"| median of {options.repeats} | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for name in options.names:
        print(row(name, options.repeats), flush=True)


if __name__ == "__main__":
    main()
