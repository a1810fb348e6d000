"""How a model is made and trained, as data."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from torch import nn

from ..nn import HyperSAGE, Max, Min
from ..nn.baselines import HGNN, MLP, MLPHLR, CliqueGCN, CliqueSAGE, FastHyperGCN, HyperGCN

HYPERSAGE = "hypersage"
BASELINES: Mapping[str, type[nn.Module]] = {
    "mlp": MLP,
    "mlp+hlr": MLPHLR,
    "hgnn": HGNN,
    "fasthypergcn": FastHyperGCN,
    "hypergcn": HyperGCN,
    "clique-gcn": CliqueGCN,
    "clique-sage": CliqueSAGE,
}
METHODS = (*BASELINES, HYPERSAGE)
# In JSON an aggregator is its name.
AGGREGATORS = {"max": Max, "min": Min}


@dataclass(frozen=True)
class Recipe:
    """A method with all that decides its result but data and seed; the defaults are the paper's.

    Parameters
    ----------
    method
        A name of ``METHODS``.
    model
        Options of the model's class beyond its widths; a pair of p as a list, aggregators by name.
    features
        ``"raw"``, or ``"rows"`` for rows scaled to sum one.
    loops
        Whether a node in no hyperedge gets one of its own, {v}: its h + F2 is then 2h, of the
        length that other nodes have, and not h. Most baselines have self-loops built in.
    hidden, epochs, lr, weight_decay
        As everywhere.
    rounds, per_class
        Rounds of self-training: each trains anew with the ``per_class`` surest nodes of every
        class as further training nodes. 0 for none.

    Examples
    --------
    >>> Recipe("hypersage", {"p": [2, 1]}, epochs=10).build(4, 3).first
    HyperSAGEConv(4, 32, p=(2, 1))
    """

    method: str
    model: Mapping[str, Any] = field(default_factory=dict)
    features: str = "raw"
    loops: bool = False
    hidden: int = 32
    epochs: int = 150
    lr: float = 0.01
    weight_decay: float = 5e-4
    rounds: int = 0
    per_class: int = 50

    def build(self, in_feats: int, out_feats: int) -> nn.Module:
        """Make the model, with parameters drawn from torch's generator."""
        options = {name: _decoded(name, value) for name, value in self.model.items()}
        if self.method == HYPERSAGE:
            return HyperSAGE(in_feats, self.hidden, out_feats, **options)
        if self.method not in BASELINES:
            raise ValueError(f"method is {self.method!r}; it must be one of {', '.join(METHODS)}")
        return BASELINES[self.method](in_feats, self.hidden, out_feats, **options)

    def to_json(self) -> str:
        """One line that tells recipes apart.

        Examples
        --------
        >>> Recipe.from_json(Recipe("mlp", lr=0.1).to_json())
        Recipe(method='mlp', model={}, features='raw', loops=False, hidden=32, epochs=150, lr=0.1,
        weight_decay=0.0005, rounds=0, per_class=50)
        """
        return json.dumps(asdict(self), sort_keys=True)

    def checksum(self) -> str:
        """Eight digits that other recipes hardly have."""
        return f"{zlib.crc32(self.to_json().encode()):08x}"

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """Read what :meth:`to_json` wrote."""
        return cls(**json.loads(text))


def _decoded(name: str, value: Any) -> Any:
    if name.endswith("_aggr") and isinstance(value, str):
        return AGGREGATORS[value]()
    return tuple(value) if isinstance(value, list) else value
