"""Weights as they are stored, in float32, and where a form has no place for them."""

from __future__ import annotations

import math

import dgl
import numpy as np
import torch
from torch import Tensor

from ..hypergraphs import HYPEREDGE, IN, Weights

RANGE = "in the range of float32, which goes to 3.4e38"


def as_float32(weight: float) -> float:
    """Round a number to float32: infinite where it is too large, 0 where it is too small.

    Examples
    --------
    >>> as_float32(1e300), as_float32(1e-50), as_float32(10**400), as_float32(0.5)
    (inf, 0.0, inf, 0.5)
    """
    try:
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float32(weight))
    except OverflowError:
        return math.inf if weight > 0 else -math.inf


def is_positive(weight: float) -> bool:
    """Whether a weight is positive and finite, also once it is float32."""
    return 0 < as_float32(weight) < math.inf


def float32(weights: Weights | None) -> Tensor | None:
    """Weights as float32: they meet float32 features in the layers, and DGL does not mix types."""
    return None if weights is None else torch.as_tensor(weights).detach().cpu().float()


def refuse_weights(graph: dgl.DGLGraph, where: str, target: str) -> None:
    """Raise where weights on hyperedges or incidences would be lost without a word."""
    frame = graph.edges[IN].data if where == "incidence" else graph.nodes[HYPEREDGE].data
    if "weight" in frame:
        part = "edges['in']" if where == "incidence" else "nodes['hyperedge']"
        raise ValueError(
            f"the hypergraph has {where} weights, and {target} has no place for them; keep them "
            f"with write_hif or write_folder, or drop them: graph.{part}.data.pop('weight')"
        )


def refuse_nonpositive(graph: dgl.DGLGraph, target: str) -> None:
    """Raise where a weight is 0 or below, as HIF allows, and a form cannot hold it."""
    for what, frame in (
        ("incidence", graph.edges[IN].data),
        ("hyperedge", graph.nodes[HYPEREDGE].data),
    ):
        weight = frame.get("weight")
        if weight is not None and not bool((weight > 0).all()):
            place = int((weight <= 0).nonzero()[0])
            raise ValueError(
                f"{what} {place} has weight {float(weight[place]):g}, and {target} holds positive "
                "weights alone; keep it with write_hif or write_folder, or leave it out"
            )
