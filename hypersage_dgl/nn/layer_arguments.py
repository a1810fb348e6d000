"""Arguments of a layer: make its two aggregators of them, and refuse those that cannot work."""

from __future__ import annotations

import warnings
from typing import Any, Union

from .aggregators import Aggregator
from .attention import is_attention
from .node_weight import NODE_WEIGHTS
from .power_mean import PowerMean
from .powers import SMALL_P
from .roles import is_by_role, width_of

REDUCERS = ("mean", "sum", "max", "min")
Power = Union[float, "tuple[float, float]", PowerMean]


def two_aggregators(
    p: Power, eps: float, intra: Aggregator | None, inter: Aggregator | None
) -> tuple[Aggregator, Aggregator]:
    """Aggregators inside and across hyperedges: those given, else power means of p."""
    for name, given in (("intra_aggr", intra), ("inter_aggr", inter)):
        if given is not None and not isinstance(given, Aggregator):
            raise TypeError(
                f"{name} is {given!r:.60}; it must be an Aggregator object, such as "
                "hypersage_dgl.nn.Max()"
            )
        if given is not None and is_by_role(given) and name == "inter_aggr":
            raise ValueError(f"inter_aggr is {given!r}; members have roles, so it is an intra_aggr")
        if given is not None and is_by_role(given) and not given.is_made:
            raise TypeError(f"{given!r} has a class among its aggregators; give a layer objects")
        is_own = given is None or callable(given.reduce) or is_attention(given) or is_by_role(given)
        if given is not None and not is_own and given.reduce not in REDUCERS:
            raise ValueError(
                f"{name} {given!r} has reduce={given.reduce!r}; it must be one of "
                f"{', '.join(REDUCERS)}, or a function of a mailbox"
            )
    power_intra, power_inter = _power_means(p, eps)
    return intra or power_intra, inter or power_inter


def _power_means(p: Any, eps: float) -> tuple[PowerMean, PowerMean]:
    if isinstance(p, PowerMean):
        return p, p
    if isinstance(p, (tuple, list)):
        if len(p) != 2:
            raise ValueError(f"p is {p!r}; a pair is (p_intra, p_inter)")
        return PowerMean(p[0], eps=eps), PowerMean(p[1], eps=eps)
    shared = PowerMean(p, eps=eps)
    return shared, shared


def check_mass(weighting: str, inter: Aggregator) -> None:
    """Refuse a power 1/p of weights that do not sum to one where it cannot be computed."""
    if weighting not in ("paper", "invariant") or not isinstance(inter, PowerMean):
        return
    cure = "use inter='size', whose weights sum to one"
    if inter.learn:
        raise ValueError(
            f"inter={weighting!r} has weights that do not sum to one, and a learned p may pass "
            f"through 0, where their power 1/p is infinite; {cure}"
        )
    if inter.p == 0:
        raise ValueError(
            f"inter={weighting!r} has weights that do not sum to one, so p=0 does not exist "
            f"(their power 1/p is infinite); {cure}"
        )
    if abs(inter.start) < SMALL_P:
        warnings.warn(
            f"inter={weighting!r} has weights that do not sum to one, and p={inter.start:g} raises "
            f"their sum to the power {1 / inter.start:g}; {cure}",
            stacklevel=3,
        )


def check_node_weight(node_weight: str, intra: Aggregator) -> None:
    """Refuse a weight of nodes that is none, or that the aggregator inside does not count."""
    if node_weight not in NODE_WEIGHTS:
        raise ValueError(
            f"node_weight is {node_weight!r}; it must be one of {', '.join(NODE_WEIGHTS)}"
        )
    if node_weight != "equal" and intra.reduce not in ("mean", "sum", "attention", "roles"):
        raise ValueError(
            f"node_weight={node_weight!r} weighs the members of a hyperedge, and {intra!r} inside "
            "counts no weights; take a mean or a sum there, such as p=1"
        )


def check_width(in_feats: int, *aggregators: Aggregator) -> None:
    """Refuse aggregators that are made for another width than the layer's."""
    for aggregator in aggregators:
        width = width_of(aggregator)
        if width not in (None, in_feats):
            raise ValueError(
                f"{aggregator!r} is made for {width} channels, the layer has in_feats={in_feats}; "
                "make it for that width (for a model, pass the class)"
            )


def describe(intra: Aggregator, inter: Aggregator) -> list[str]:
    """Arguments that make these two aggregators, for a layer's repr."""
    shared = intra is inter
    if isinstance(intra, PowerMean) and isinstance(inter, PowerMean):
        if shared and (intra.learn or intra.eps != 1e-2):
            return [f"p={intra!r}"]
        if not intra.learn and not inter.learn and intra.eps == inter.eps == 1e-2:
            both = f"p={intra.start:g}" if shared else f"p=({intra.start:g}, {inter.start:g})"
            return [both]
    return [f"intra_aggr={intra!r}", f"inter_aggr={inter!r}"]
