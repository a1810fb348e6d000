"""How a HyperSAGE is made and trained, as data: the paper's way, the default, or a file's."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Union

from ..._utils import (
    PathLike,
    check_schema,
    read_json,
    require_count,
    require_rate,
    shown,
    write_text,
)
from ...nn import (
    AGGREGATORS,
    NODE_WEIGHTS,
    WEIGHTINGS,
    HyperSAGE,
    HyperSAGEConfig,
    PowerMean,
    as_option,
)
from ..checks import check_rates

MOST_LAYERS, MAX_BYTES = 1000, 2**30
Powers = Union[float, "tuple[float, float]"]


# The defaults of the model are stated there.
_MODEL: Any = HyperSAGEConfig(1, 1, 1)


@dataclass(frozen=True)
class Recipe:
    """Options of a model and of its training; those that are not given are the paper's.

    Parameters
    ----------
    hidden_feats, num_layers, p, inter, dropout, normalize
        As in :class:`~hypersage_dgl.nn.HyperSAGE`; p a number or two.
    lr, weight_decay
        As in :func:`~hypersage_dgl.training.fit`.
    epochs
        Number of epochs; None for as many as whoever trains has by default.
    intra, inter_aggr
        What aggregates inside and across hyperedges: ``power``, the power mean, or another of
        ``hypersage_dgl.nn.AGGREGATORS``.
    learn_p
        Learn the power, from p on.
    include_self, node_weight
        As in :class:`~hypersage_dgl.nn.HyperSAGE`.

    Examples
    --------
    >>> Recipe(hidden_feats=64, p=2.0).build(16, 4).first
    HyperSAGEConv(16, 64, p=2)
    """

    hidden_feats: int = 32
    num_layers: int = _MODEL.num_layers
    p: Powers = _MODEL.p
    inter: str = _MODEL.inter
    dropout: float = _MODEL.dropout
    normalize: bool = _MODEL.normalize
    lr: float = 0.01
    weight_decay: float = 5e-4
    epochs: int | None = None
    intra: str = "power"
    learn_p: bool = False
    include_self: bool = _MODEL.include_self
    inter_aggr: str = "power"
    node_weight: str = _MODEL.node_weight

    def __post_init__(self) -> None:
        require_count(self.hidden_feats, "hidden_feats")
        require_count(self.num_layers, "num_layers")
        self._check_size()
        require_rate(self.dropout, "dropout")
        if self.epochs is not None:
            require_count(self.epochs, "epochs")
        if isinstance(self.p, tuple) and len(self.p) != 2:
            raise ValueError(f"p is {self.p}; it must be a number, or two")
        if self.learn_p and isinstance(self.p, tuple):
            raise ValueError(f"learn_p learns one power, so p must be one number, not {self.p}")
        choices = {"inter": WEIGHTINGS, "node_weight": NODE_WEIGHTS}
        for name, known in {**choices, "intra": AGGREGATORS, "inter_aggr": AGGREGATORS}.items():
            if getattr(self, name) not in known:
                given = getattr(self, name)
                raise ValueError(f"{name} is {given!r}; it must be one of {', '.join(known)}")
        for name, is_allowed in (("lr", self.lr > 0), ("weight_decay", self.weight_decay >= 0)):
            if not is_allowed or not getattr(self, name) < math.inf:
                least = "a positive" if name == "lr" else "a non-negative"
                raise ValueError(
                    f"{name} is {shown(getattr(self, name))}; it must be {least} number"
                )
        check_rates(self.lr, self.weight_decay)

    def _check_size(self) -> None:
        """Refuse what a few bytes of a file must not ask for: gigabytes of weights."""
        needed = 4 * self.num_layers * self.hidden_feats**2
        if self.num_layers > MOST_LAYERS or needed > MAX_BYTES:
            raise ValueError(
                f"num_layers is {self.num_layers} and hidden_feats {self.hidden_feats}; a recipe "
                f"has at most {MOST_LAYERS:,} layers, with {MAX_BYTES:,} bytes of weights between "
                "them; take fewer, or make a HyperSAGE of your own"
            )

    def build(self, in_feats: int, out_feats: int, hyperedge_feats: int = 0) -> HyperSAGE:
        """Make the model, with weights drawn from torch's generator."""
        p: Any = PowerMean(self.p, learn=True) if self.learn_p else self.p  # type: ignore[arg-type]
        return HyperSAGE(
            in_feats,
            self.hidden_feats,
            out_feats,
            self.num_layers,
            p,
            self.dropout,
            inter=self.inter,
            include_self=self.include_self,
            normalize=self.normalize,
            intra_aggr=_aggregator(self.intra),
            inter_aggr=_aggregator(self.inter_aggr),
            node_weight=self.node_weight,
            hyperedge_feats=hyperedge_feats,
        )

    def save(self, path: PathLike) -> None:
        """Write it as JSON, which :func:`read_recipe` and ``hypersage train --recipe`` read."""
        told = {name: value for name, value in asdict(self).items() if value is not None}
        write_text(path, json.dumps(told, indent=1, allow_nan=False) + "\n")


def _aggregator(name: str) -> Any:
    kind = AGGREGATORS[name]
    return None if kind is None else as_option(kind)


PAPER = Recipe()
# Chosen by `python -m experiments defaults`, on validation nodes: docs/defaults.md.
DEFAULT = Recipe(hidden_feats=128, dropout=0.2, normalize=False)
RECIPES: Mapping[str, Recipe] = MappingProxyType({"default": DEFAULT, "paper": PAPER})


def read_recipe(path: PathLike) -> Recipe:
    """Read a recipe; what a file leaves out is that of ``DEFAULT``.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "recipe.json"
    >>> Recipe(p=(2.0, 1.0), epochs=40).save(path)
    >>> read_recipe(path) == Recipe(p=(2.0, 1.0), epochs=40)
    True
    """
    try:
        noted: dict[str, Any] = read_json(path)
        check_schema(noted, _SCHEMA)
        if isinstance(noted.get("p"), list):
            noted["p"] = tuple(noted["p"])
        return Recipe(**{**asdict(DEFAULT), **noted})
    except ValueError as error:
        raise ValueError(f"{path} is no recipe as `hypersage tune` writes it: {error}") from None


_KINDS: Mapping[str, Any] = {
    "int": {"type": "integer"},
    "int | None": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "str": {"type": "string"},
    "Powers": {"type": ["number", "array"], "items": {"type": "number"}},
}
_OPTIONS = {field.name: _KINDS[str(field.type)] for field in fields(Recipe)}
_SCHEMA = {"type": "object", "properties": _OPTIONS, "additionalProperties": False}
