"""Two circles of friends who meet in threes: tables, and the words that train on them."""

from __future__ import annotations

import random
from itertools import combinations

PEOPLE = [f"{circle}{i}" for circle in ("ann", "bob") for i in range(7)]
TABLES = ("--incidences", "members.csv", "--nodes", "people.csv")
TRAIN = ("train", "--task", "hyperedge", *TABLES)
SHORT = ("--lr", "0.02", "--hidden", "16", "--batch-size", "14")


def write(place, order=0):
    """Two circles of friends who meet in threes; with an order, rows and so ids are shuffled."""
    members = [
        (name, f"{circle}{k}")
        for circle in ("ann", "bob")
        for k, met in enumerate(combinations([p for p in PEOPLE if p.startswith(circle)], 3))
        for name in met
    ]
    people = list(PEOPLE)
    if order:
        random.Random(order).shuffle(members)
        random.Random(order).shuffle(people)
    lines = ["node,hyperedge", *(",".join(row) for row in members)]
    (place / "members.csv").write_text("\n".join(lines) + "\n")
    heading = ",".join(["node", *(f"f{i}" for i in range(len(PEOPLE)))])
    rows = [f"{p}," + ",".join(str(int(p == q)) for q in PEOPLE) for p in people]
    (place / "people.csv").write_text("\n".join([heading, *rows]) + "\n")
