"""A model's options as JSON, and back: only what this library knows by name, so nothing runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from .._utils import check_schema
from ..nn import LSTM, HyperSAGE, Max, Mean, Min, PowerMean, Sum

AGGREGATORS = {kind.__name__: kind for kind in (Mean, Sum, Max, Min)}
ACTIVATIONS = {
    "relu": F.relu,
    "elu": F.elu,
    "gelu": F.gelu,
    "leaky_relu": F.leaky_relu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
}
NORMS = {"LayerNorm": nn.LayerNorm, "BatchNorm1d": nn.BatchNorm1d}
INTEGER, NUMBER, BOOLEAN = {"type": "integer"}, {"type": "number"}, {"type": "boolean"}
NAME, AGGREGATOR = {"type": ["string", "null"]}, {"type": ["string", "object", "null"]}
OPTIONS = {
    "in_feats": INTEGER,
    "hidden_feats": INTEGER,
    "out_feats": INTEGER,
    "num_layers": INTEGER,
    "p": {"type": ["number", "string", "array", "object"]},
    "dropout": {"type": ["number", "array"], "items": NUMBER},
    "inter": {"type": "string"},
    "include_self": BOOLEAN,
    "eps": NUMBER,
    "intra_aggr": AGGREGATOR,
    "inter_aggr": AGGREGATOR,
    "feat_drop": NUMBER,
    "normalize": {"type": ["boolean", "array"], "items": BOOLEAN},
    "bias": BOOLEAN,
    "norm": NAME,
    "activation": NAME,
}
SCHEMA = {"required": list(OPTIONS), "properties": OPTIONS, "additionalProperties": False}
CURE = "save its state_dict yourself, or use one that hypersage_dgl.nn offers"


def encode_config(model: HyperSAGE) -> dict[str, Any]:
    """Options of a model as JSON can hold them.

    Examples
    --------
    >>> encode_config(HyperSAGE(4, 8, 3, p=(2, float("inf"))))["p"]
    [2, 'inf']
    """
    if not isinstance(model, HyperSAGE):
        raise TypeError(
            f"the model is a {type(model).__name__}; a checkpoint holds a HyperSAGE, so train "
            "without a folder and save its state_dict yourself"
        )
    config = model.config
    coded = dict(config)
    coded["p"] = _encode_power(config["p"])
    for option in ("dropout", "normalize"):
        if isinstance(coded[option], Sequence):
            coded[option] = list(coded[option])
    for level in ("intra_aggr", "inter_aggr"):
        coded[level] = _encode_aggregator(config[level], level)
    coded["activation"] = _name(ACTIVATIONS, config["activation"], "activation")
    coded["norm"] = None if config["norm"] is None else _name(NORMS, config["norm"], "norm")
    return coded


def decode_config(coded: Mapping[str, Any]) -> dict[str, Any]:
    """Inverse of :func:`encode_config`; raises ``ValueError`` on anything else."""
    config = dict(coded)
    check_schema(config, SCHEMA)
    try:
        config["p"] = _decode_power(coded["p"])
        for level in ("intra_aggr", "inter_aggr"):
            config[level] = _decode_aggregator(coded[level])
        config["activation"] = ACTIVATIONS[coded["activation"]]
        config["norm"] = None if coded["norm"] is None else NORMS[coded["norm"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"the options of the model are not ours: {error}") from None
    return config


def _encode_power(p: Any) -> Any:
    if isinstance(p, PowerMean):
        _require_known(p, type(p) is PowerMean, "p")
        options = {"eps": p.eps, "learn": p.learn, "channels": p.channels}
        return {"PowerMean": {"p": _encode_power(p.start), **options}}
    if isinstance(p, (tuple, list)):
        return [_encode_power(value) for value in p]
    return str(p) if math.isinf(p) else p


def _decode_power(coded: Any) -> Any:
    if isinstance(coded, dict):
        options = dict(coded["PowerMean"])
        return PowerMean(_decode_power(options.pop("p")), **options)
    if isinstance(coded, list):
        return tuple(_decode_power(value) for value in coded)
    return float(coded) if isinstance(coded, str) else coded


def _encode_aggregator(aggregator: Any, level: str) -> Any:
    if aggregator is None:
        return None
    if isinstance(aggregator, PowerMean):
        return _encode_power(aggregator)
    if aggregator is LSTM:
        return "LSTM"
    kind = type(aggregator)
    _require_known(aggregator, AGGREGATORS.get(kind.__name__) is kind, level)
    return kind.__name__


def _require_known(aggregator: Any, is_known: bool, what: str) -> None:
    if not is_known:
        raise ValueError(f"{what} {aggregator!r:.60} cannot be saved as JSON; {CURE}")


def _decode_aggregator(coded: Any) -> Any:
    if coded is None:
        return None
    if isinstance(coded, dict):
        return _decode_power(coded)
    return LSTM if coded == "LSTM" else AGGREGATORS[coded]()


def _name(known: Mapping[str, Any], value: Any, what: str) -> str:
    for name, function in known.items():
        if value is function or (what == "activation" and value is getattr(torch, name, None)):
            return name
    raise ValueError(f"{what} {value!r} cannot be saved as JSON; use one of {', '.join(known)}")
