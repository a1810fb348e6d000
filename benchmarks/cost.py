"""What an epoch, a build and an inference cost: bytes moved and messages, and what each takes.

    seconds = a · messages + b · bytes that the cache does not hold + c · steps

``messages`` are incidences that are gone over; the bytes are rows that are read where they happen
to lie, times the share of their table that is larger than the cache. Both follow from the size of
the hypergraph, the widths and the fan-outs alone (``counts``, ``expected_batch``); a, b and c are
fitted to measured rows, not below zero, by relative error. What two machines send each other
follows without any fit (``sent``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from .measure import Row

# What a core has of the last cache, about; beyond it a row that is read is waited for.
CACHE = 16e6
STEPS = ("build", "epoch", "inference", "sketch")
ID, REAL, HALF = 8, 4, 2
# A message of the engine that asks for edges brings source, destination and number of each.
EDGE = 3 * ID


class Size(NamedTuple):
    """A hypergraph and how it is trained on, as far as cost goes."""

    nodes: float
    hyperedges: float
    incidences: float
    trained_on: float
    batch_size: int = 1024
    fan_out: int = 5
    widths: tuple[int, int, int] = (64, 32, 8)

    @classmethod
    def of(cls, row: Row) -> Size:
        """That of a measured row."""
        numbers = {key: row[key] for key in cls._fields if key != "widths"}
        wide, hidden, classes = row["widths"]
        return cls(**numbers, widths=(wide, hidden, classes))


def expected_batch(size: Size) -> dict[str, float]:
    """Messages, and rows of features, of one batch: draws that meet what was drawn count once.

    Sizes are two or more, beyond it geometric, and degrees as of incidences thrown at random.
    """
    degree, mean = size.incidences / size.nodes, size.incidences / size.hyperedges
    by_node = _mean_at_most(
        size.fan_out, lambda k: math.exp(-degree) * degree**k / math.factorial(k)
    )
    share = 1 / (mean - 1)

    def of_size(k: int) -> float:
        """A hyperedge is met the likelier the larger it is."""
        return k / mean * share * (1 - share) ** (k - 2) if k > 1 else 0.0

    by_hyperedge = _mean_at_most(size.fan_out, of_size)
    # One of the members is the node that the hyperedge was met by.
    others = _mean_at_most(size.fan_out, lambda k: of_size(k) * (k - 1) / max(k, 1))
    targets: float = min(size.batch_size, size.trained_on)
    messages = 0.0
    for _ in range(2):
        drawn = targets * by_node
        hyperedges = _distinct(drawn, size.hyperedges)
        messages += drawn + hyperedges * by_hyperedge
        targets += (1 - targets / size.nodes) * _distinct(hyperedges * others, size.nodes)
    return {"messages": messages, "rows": targets}


def _mean_at_most(limit: int, chance: Callable[[int], float]) -> float:
    return sum(min(limit, k) * chance(k) for k in range(100))


def _distinct(draws: float, count: float) -> float:
    """Different ones among so many draws of so many."""
    return count * -math.expm1(-draws / count)


def counts(step: str, size: Size) -> tuple[float, float, float]:
    """Messages, missed bytes and steps."""
    wide, hidden, _ = size.widths
    nodes, incidences = size.nodes, size.incidences
    if step == "epoch":
        batch, batches = expected_batch(size), math.ceil(size.trained_on / size.batch_size)
        # A batch's own rows are in the cache or out of it as the table is.
        read = batch["rows"] * wide * HALF + batch["messages"] * ID
        return batches * batch["messages"], batches * read * _missed(nodes * wide * HALF), batches
    if step == "inference":
        read = incidences * (wide * HALF + wide * REAL + 2 * hidden * REAL)
        return 4 * incidences, read * _missed(nodes * wide * REAL), 0
    if step == "sketch":
        # Every node looks at the members of its hyperedges.
        looks = incidences * (2 * incidences / size.hyperedges)
        return looks, looks * HALF * _missed(incidences * HALF), 0
    # Sorted by node, and once more by hyperedge.
    return 2 * incidences, 2 * incidences * 2 * ID * _missed(incidences * ID), 0


def _missed(table: float) -> float:
    return max(0.0, 1 - CACHE / table)


class Model(NamedTuple):
    """Seconds for each message, missed byte and step, of each kind of work; bytes of memory."""

    prices: Mapping[str, tuple[float, float, float]]
    gib_per_incidence: float

    @classmethod
    def fit(cls, rows: Sequence[Row], clock: str = "cpu_s") -> Model:
        """The prices that fit measured rows best, by relative error."""
        prices = {}
        for step in STEPS:
            taken = np.array([row["steps"][step][clock] for row in rows])
            work = np.array([counts(step, Size.of(row)) for row in rows])
            # In units near one, so that no column is lost beside the others.
            unit = np.where(work.max(axis=0) > 0, work.max(axis=0), 1.0)
            found, _ = nnls(work / unit / taken[:, None], np.ones(len(rows)))
            a, b, c = (float(price) for price in found / unit)
            prices[step] = (a, b, c)
        # The larger, the less else there is.
        largest = max(rows, key=lambda row: row["incidences"])
        return cls(prices, largest["peak_gib"] / largest["incidences"])

    def seconds(self, step: str, size: Size) -> float:
        """What a kind of work takes on one thread."""
        return float(np.dot(self.prices[step], counts(step, size)))

    def gib(self, size: Size) -> float:
        """The most memory beyond the features."""
        return self.gib_per_incidence * size.incidences


def factor(predicted: float, measured: float) -> float:
    """How far off, either way: 1 is right, 2 is twice or half."""
    return max(predicted / measured, measured / predicted)


def sent(row: Row) -> float:
    """Bytes that two hosts send each other in an epoch, of what lies on the other one.

    Rows of features and edges, each with the ids asked by; and the gradients, both ways, in each
    step.
    """
    fetched = row["fetched"]
    rows = fetched["rows"] * (row["widths"][0] * REAL + ID)
    edges = fetched["edges"] * EDGE + fetched["asked"] * ID
    return float(rows + edges + row["steps"] * 2 * row["parameters"] * REAL)


# A thousand times a million incidences, of the same kind.
BILLION = Size(200e6, 250e6, 1e9, 2e6)
