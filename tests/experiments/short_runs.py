"""Short runs on the generated data set, and a process that does them."""

from __future__ import annotations

import sys
from pathlib import Path

from hypersage_dgl.reproduction.recipe import Recipe
from hypersage_dgl.reproduction.runner import run_jobs
from hypersage_dgl.reproduction.trial import Trial

OUTCOME = ("seconds", "command")


def jobs(splits=range(1, 4), inits=2, table="table1", epochs=2):
    """HyperSAGE and MLP on a few splits."""
    rows = (("mlp", {}, None), ("hypersage", {"p": 2.0}, 2.0))
    return [
        (
            Trial(table, "synthetic", method, "paper", split, init, p),
            Recipe(method, model, epochs=epochs),
        )
        for init in range(inits)
        for method, model, p in rows
        for split in splits
    ]


def main(path: str) -> None:
    """Run them all, as ``python -m reproduction.cases FILE`` in ``tests``."""
    run_jobs(jobs(), Path(path), command="test", processes=2)


if __name__ == "__main__":
    main(sys.argv[1])
