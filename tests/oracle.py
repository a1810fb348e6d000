"""HyperSAGE from its formulas: Python sets and float64 loops, nothing else.

    F1(v,e) = ( Σ_j a_je x_j^p / Σ_j a_je )^(1/p) + u_e      j in N(v,e); u_e is mostly 0
    F2(v)   = ( Σ_e w(v,e) F1(v,e)^p )^(1/p)           e in E(v)
    h'_v    = W · (h_v + F2(v)) / ||h_v + F2(v)|| + b

Nodes are row numbers of ``x``, a hyperedge is a list of them. Deliberately slow and plain: it
shares no line, no library and no trick with the package.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Rows = list[list[float]]


@dataclass
class Case:
    """A hypergraph with features and weights, and how to aggregate over it."""

    hyperedges: Sequence[Sequence[int]]
    x: Sequence[Sequence[float]]
    inter: str = "size"
    include_self: bool = True
    p: tuple[float, float] = (1.0, 1.0)
    eps: float = 1e-2
    hyperedge_weight: Sequence[float] | None = None
    # By (node, hyperedge); a missing one weighs 1.
    incidence_weight: Mapping[tuple[int, int], float] = field(default_factory=dict)
    # What each hyperedge adds to its F1.
    offset: Sequence[Sequence[float]] | None = None

    def neighborhood(self, v: int, members: Sequence[int]) -> set[int]:
        """Give N(v,e)."""
        return set(members) if self.include_self else set(members) - {v}

    def hyperedges_of(self, v: int) -> list[int]:
        """Give E(v): the hyperedges of v that have a neighbourhood."""
        return [e for e, m in enumerate(self.hyperedges) if v in m and self.neighborhood(v, m)]

    def neighbors(self, v: int) -> set[int]:
        """Give N(v), the union of all N(v,e)."""
        return set().union(
            *(self.neighborhood(v, self.hyperedges[e]) for e in self.hyperedges_of(v))
        )


@dataclass
class Sample:
    """What a sampler drew: members of hyperedges and hyperedges of nodes."""

    members: Mapping[int, Sequence[int]]
    hyperedges: Mapping[int, Sequence[int]]


def power_sum_root(
    values: Sequence[float], weights: Sequence[float], p: float, eps: float
) -> float:
    """Give ( Σ w x^p )^(1/p), inputs below eps raised to eps unless p is 1."""
    if p == 1:
        return math.fsum(w * x for w, x in zip(weights, values))
    raised = [max(x, eps) for x in values]
    if p == math.inf:
        return max(raised)
    if p == -math.inf:
        return min(raised)
    if p == 0:
        assert math.isclose(math.fsum(weights), 1), "a geometric mean needs weights of sum one"
        return math.exp(math.fsum(w * math.log(x) for w, x in zip(weights, raised)))
    # Logarithms throughout, so that x^20 and eps^-20 stay in range.
    terms = [math.log(w) + p * math.log(x) for w, x in zip(weights, raised)]
    largest = max(terms)
    return math.exp((largest + math.log(math.fsum(math.exp(t - largest) for t in terms))) / p)


def power_mean(values: Sequence[float], weights: Sequence[float], p: float, eps: float) -> float:
    """Give the weighted power mean: weights are brought to sum one."""
    total = math.fsum(weights)
    return power_sum_root(values, [w / total for w in weights], p, eps)


def intra(case: Case, e: int, neighborhood: set[int]) -> list[float]:
    """Give F1 over these members of hyperedge e."""
    members = sorted(neighborhood)
    weights = [case.incidence_weight.get((j, e), 1.0) for j in members]
    width = len(case.x[0])
    offset = case.offset[e] if case.offset else [0.0] * width
    return [
        power_mean([case.x[j][c] for j in members], weights, case.p[0], case.eps) + offset[c]
        for c in range(width)
    ]


def inter_weights(case: Case, v: int, drawn: Sequence[int]) -> list[float]:
    """Give w(v,e) of the hyperedges drawn for v, with the true sizes |N(v,e)|, |N(v)|, |E(v)|."""
    degree = len(case.hyperedges_of(v))
    scale = degree / len(drawn)
    union = len(case.neighbors(v))
    weights = []
    for e in drawn:
        size = len(case.neighborhood(v, case.hyperedges[e]))
        weight = {
            "paper": size / (union * degree) * scale,
            "invariant": size / union * scale,
            "size": size,
            "mean": 1.0,
        }[case.inter]
        weights.append(weight * (case.hyperedge_weight[e] if case.hyperedge_weight else 1.0))
    if case.inter in ("size", "mean"):
        total = math.fsum(weights)
        weights = [w / total for w in weights]
    return weights


def aggregate_node(case: Case, v: int, sample: Sample | None = None) -> list[float]:
    """Give F2(v); zeros where no hyperedge is left."""
    width = len(case.x[0])
    if sample is None:
        sample = Sample(dict(enumerate(case.hyperedges)), {v: case.hyperedges_of(v)})
    drawn = {e: case.neighborhood(v, sample.members[e]) for e in sample.hyperedges.get(v, ())}
    drawn = {e: members for e, members in drawn.items() if members}
    if not drawn:
        return [0.0] * width
    first = [intra(case, e, members) for e, members in drawn.items()]
    weights = inter_weights(case, v, list(drawn))
    return [
        power_sum_root([f[c] for f in first], weights, case.p[1], case.eps) for c in range(width)
    ]


def aggregate(case: Case) -> Rows:
    """Give F2 of every node."""
    return [aggregate_node(case, v) for v in range(len(case.x))]


def layer(
    case: Case,
    weight: Sequence[Sequence[float]],
    bias: Sequence[float],
    normalize: bool = True,
) -> Rows:
    """Give W·ĥ + b of every node."""
    rows = []
    for h, f in zip(case.x, aggregate(case)):
        total = [a + b for a, b in zip(h, f)]
        length = math.sqrt(math.fsum(t * t for t in total)) if normalize else 1.0
        total = [t / length if length else 0.0 for t in total]
        rows.append(
            [math.fsum([*(w * t for w, t in zip(row, total)), b]) for row, b in zip(weight, bias)]
        )
    return rows
