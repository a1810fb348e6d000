"""The numbers that the paper prints, by cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .names import Setting, Variant
from .spread import Spread


def paper_numbers() -> dict[str, Any]:
    """Tables 1 to 3 and the protocol of the paper as it prints them, from ``paper.json``.

    Examples
    --------
    >>> numbers = paper_numbers()
    >>> numbers["source"]["arxiv"], numbers["protocol"]["epochs"]
    ('2010.04558', 150)
    """
    text = Path(__file__).with_name("paper.json").read_text(encoding="utf-8")
    numbers: dict[str, Any] = json.loads(text)
    return numbers


def paper_cells(table: str) -> dict[tuple[Variant, Setting], Spread]:
    """Accuracy in each cell of ``"table1"``, ``"table2"`` or ``"table3"``.

    A HyperSAGE without a p, as a searched recipe is, gets the best that the paper has for any p.

    Examples
    --------
    >>> printed = paper_cells("table1")
    >>> str(printed[("hypersage", 0.01), Setting("dblp")])
    '77.4 ± 3.8'
    >>> str(printed[("hypersage", None), Setting("citeseer")])
    '61.8 ± 2.3'
    """
    printed = paper_numbers()[table]
    found: dict[tuple[Variant, Setting], Spread] = {}
    for row in printed["rows"]:
        for column, accuracy in zip(printed["columns"], row["accuracy"]):
            method, setting = row["method"], Setting(**column)
            mean, sd = (*accuracy, None)[:2]
            found[(method, row["p"]), setting] = Spread(mean, sd, None)
            best = found.setdefault(((method, None), setting), Spread(mean, sd, None))
            if best.mean < mean:
                found[(method, None), setting] = Spread(mean, sd, None)
    return found
