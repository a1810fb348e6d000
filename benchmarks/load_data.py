"""Time and peak memory of opening a data set from the cache, each time in a fresh process.

main
├── medians: over some processes
│   └── measure: one process that imports, opens, builds ``dataset[0]`` and reports itself
└── missed: what is beyond the goal

    python benchmarks/load_data.py                  # dblp
    python benchmarks/load_data.py dblp pubmed --repeats 9
    python benchmarks/load_data.py synthetic:10m --sparse --repeats 1

The first process of each data set converts the public files if the cache does not have them
converted yet; it does not count. The goal for dblp is to open and build in less than 1.5 s and
1 GiB; where it is missed, the exit status is 1.
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
dataset.structure if sys.argv[2:] else dataset[0]
built = time.perf_counter()
seconds = [imported - start, opened - imported, built - opened, built - imported]
print(json.dumps([*seconds, before, peak()]))
"""
COLUMNS = ("import s", "open s", "graph s", "open + graph s", "after import MiB", "peak MiB")
# Seconds and MiB that opening and building must stay below.
GOALS = {"dblp": (1.5, 1024.0)}


def measure(name: str, *flags: str) -> list[float]:
    """Open the data set in a process of its own; seconds and MiB in the order of the columns."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name, *flags], check=True, stdout=subprocess.PIPE, text=True
    )
    values: list[float] = json.loads(done.stdout.splitlines()[-1])
    return values


def medians(name: str, repeats: int, *flags: str) -> list[float]:
    """Medians of some processes, in the order of the columns."""
    if not name.startswith("synthetic"):
        measure(name, *flags)
    runs = [measure(name, *flags) for _ in range(repeats)]
    return [statistics.median(column) for column in zip(*runs)]


def missed(name: str, measured: list[float]) -> list[str]:
    """What is beyond the goal of a data set that has one."""
    if name not in GOALS:
        return []
    found = dict(zip(COLUMNS, measured))
    limits = zip(("open + graph s", "peak MiB"), GOALS[name])
    return [
        f"{name}: {column} is {found[column]:.2f}, the goal is below {limit:g}"
        for column, limit in limits
        if found[column] >= limit
    ]


def main() -> int:
    """Print one table, and what misses its goal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["dblp"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--sparse", action="store_true", help="build the hypergraph without dense features"
    )
    options = parser.parse_args()
    flags = ["sparse"] if options.sparse else []
    print(f"| median of {options.repeats} | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    beyond = []
    for name in options.names:
        measured = medians(name, options.repeats, *flags)
        cells = [f"{v:.2f}" if c.endswith("s") else f"{v:.0f}" for c, v in zip(COLUMNS, measured)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
        beyond += missed(name, measured)
    print("\n".join(beyond), end="\n" if beyond else "")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
