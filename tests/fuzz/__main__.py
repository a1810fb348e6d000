"""Attack every reader: ``python -m tests.fuzz --inputs 1000000``; exit code 1 if one gives way."""

from __future__ import annotations

import argparse
import os
import sys

# Children are forked, and threads do not survive that.
os.environ["OMP_NUM_THREADS"] = "1"


def main() -> int:
    """Throw the inputs, and print the table of docs/reliability.md."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=20_000, help="for all readers together")
    parser.add_argument("--seed", type=int, default=0, help="decides all inputs")
    parser.add_argument("--reader", help="only those whose name has this")
    parser.add_argument("--part", default="1/1", help="of the readers one part, such as 2/4")
    parser.add_argument("--one", type=int, help="only the input of this number, here and unlimited")
    args = parser.parse_args()

    import tempfile
    from pathlib import Path

    import torch

    from . import corpus
    from .children import attack, one
    from .deal import deal
    from .readers import READERS

    torch.set_num_threads(1)
    # Made here, children have it: what torch imports for an optimizer takes seconds.
    corpus.checkpoint()
    chosen = [r for r in READERS if args.reader is None or args.reader in r.name]
    if args.one is not None:
        for reader in chosen:
            with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
                print(reader.name, one(reader, args.one, args.seed, Path(folder)))
        return 0
    found, total = [], 0
    print("| reader | inputs | taken | refused | undocumented outcomes |")
    print("|---|---:|---:|---:|---:|", flush=True)
    for reader, inputs in deal(chosen, args.inputs, args.part):
        outcome = attack(reader, inputs, args.seed)
        found += outcome.undocumented
        total += inputs
        counts = (outcome.inputs, outcome.taken, outcome.refused, len(outcome.undocumented))
        print(f"| {reader.name} | {' | '.join(f'{c:,}' for c in counts)} |", flush=True)
    print(f"| all | {total:,} | | | {len(found):,} |")
    for line in found[:200]:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
