"""Short runs on the generated data set, and a process that does them."""

from __future__ import annotations

import sys
from pathlib import Path

from experiments.recipe import Recipe
from experiments.result import Result
from experiments.runs import run_jobs


def jobs(splits=range(1, 4), inits=2, part="test", epochs=2):
    """HyperSAGE and MLP on a few splits."""
    rows = (("mlp", {}, None), ("hypersage", {"p": 2.0}, 2.0))
    return [
        (
            Result("synthetic", method, "paper", split, init, p, part=part),
            Recipe(method, model, epochs=epochs),
        )
        for init in range(inits)
        for method, model, p in rows
        for split in splits
    ]


def main(path: str) -> None:
    """Run them all, as ``python short_runs.py FILE``."""
    run_jobs(jobs(), Path(path), command="test", processes=2)


if __name__ == "__main__":
    main(sys.argv[1])
