"""A model as JSON, and back: only what this library knows by name, so nothing runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from ..._utils import check_schema
from ...nn import (
    AGGREGATORS,
    BASELINES,
    MADE_BY_WIDTH,
    Baseline,
    ByRole,
    CandidateScorer,
    HyperedgePredictor,
    HyperSAGE,
    HyperSAGEConfig,
    PowerMean,
    as_option,
)
from .files import Tensors

BY_CLASS = {kind.__name__: kind for kind in AGGREGATORS.values() if kind is not None}
ACTIVATIONS = {
    "relu": F.relu,
    "elu": F.elu,
    "gelu": F.gelu,
    "leaky_relu": F.leaky_relu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
}
NORMS = {"LayerNorm": nn.LayerNorm, "BatchNorm1d": nn.BatchNorm1d}
MAPS = {"Linear": nn.Linear}
CURE = "save its state_dict yourself, or use one that hypersage_dgl.nn offers"


def encode_config(config: HyperSAGEConfig) -> dict[str, Any]:
    """Options of a model as JSON can hold them.

    Examples
    --------
    >>> encode_config(HyperSAGEConfig(4, 8, 3, p=(2, float("inf"))))["p"]
    [2, 'inf']
    """
    return {name: coder.encode(getattr(config, name), name) for name, coder in _OPTIONS.items()}


def decode_config(coded: Mapping[str, Any]) -> HyperSAGEConfig:
    """Inverse of :func:`encode_config`; raises ``ValueError`` on anything else."""
    schemas = {name: coder.schema for name, coder in _OPTIONS.items()}
    schema = {"required": list(schemas), "properties": schemas, "additionalProperties": False}
    check_schema(dict(coded), schema)
    try:
        return HyperSAGEConfig(**{name: c.decode(coded[name]) for name, c in _OPTIONS.items()})
    except (KeyError, TypeError) as error:
        raise ValueError(f"the options of the model are not ours: {error}") from None


class _Coder(NamedTuple):
    """How options of one type look in JSON, and the ways there and back."""

    schema: Mapping[str, Any]
    encode: Callable[[Any, str], Any] = lambda value, name: value
    decode: Callable[[Any], Any] = lambda coded: coded


def _encode_power(p: Any, name: str = "p") -> Any:
    if isinstance(p, PowerMean):
        _require_known(p, type(p) is PowerMean, name)
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


def encode_aggregator(aggregator: Any, level: str) -> Any:
    """An aggregator by its name; ``level`` is where it is, for the error."""
    if aggregator is None:
        return None
    if isinstance(aggregator, PowerMean):
        return _encode_power(aggregator)
    if isinstance(aggregator, ByRole):
        _require_known(aggregator, type(aggregator) is ByRole, level)
        parts = [encode_aggregator(part, level) for part in aggregator.aggregators]
        options = {"key": aggregator.key, "feats": aggregator.feats}
        return {"ByRole": {"aggregators": parts, **options}}
    if aggregator in MADE_BY_WIDTH:
        return aggregator.__name__
    kind = type(aggregator)
    is_known = BY_CLASS.get(kind.__name__) is kind and kind not in MADE_BY_WIDTH
    _require_known(aggregator, is_known, level)
    return kind.__name__


def _require_known(aggregator: Any, is_known: bool, what: str) -> None:
    if not is_known:
        raise ValueError(f"{what} {aggregator!r:.60} cannot be saved as JSON; {CURE}")


def decode_aggregator(coded: Any) -> Any:
    """Inverse of :func:`encode_aggregator`."""
    if coded is None:
        return None
    if isinstance(coded, dict) and "ByRole" in coded:
        options = dict(coded["ByRole"])
        return ByRole([decode_aggregator(part) for part in options.pop("aggregators")], **options)
    if isinstance(coded, dict):
        return _decode_power(coded)
    return as_option(BY_CLASS[coded])


def _encode_name(known: Mapping[str, Any], value: Any, what: str) -> str:
    for name, function in known.items():
        if value is function or (what == "activation" and value is getattr(torch, name, None)):
            return name
    raise ValueError(f"{what} {value!r} cannot be saved as JSON; use one of {', '.join(known)}")


def _listed(value: Any, name: str) -> Any:
    return list(value) if isinstance(value, Sequence) else value


def _by_name(known: Mapping[str, Any], *types: str) -> _Coder:
    return _Coder(
        {"type": types},
        lambda value, name: None if value is None else _encode_name(known, value, name),
        lambda coded: None if coded is None else known[coded],
    )


_NUMBER, _BOOLEAN = {"type": "number"}, {"type": "boolean"}
# By the types as nn/config.py writes them: a new option of one of these needs nothing here.
_CODERS: Mapping[Any, _Coder] = {
    "int": _Coder({"type": "integer"}),
    "float": _Coder(_NUMBER),
    "bool": _Coder(_BOOLEAN),
    "str": _Coder({"type": "string"}),
    "PerLayer[float]": _Coder({"type": ["number", "array"], "items": _NUMBER}, _listed),
    "PerLayer[bool]": _Coder({"type": ["boolean", "array"], "items": _BOOLEAN}, _listed),
    "Power": _Coder(
        {"type": ["number", "string", "array", "object"]}, _encode_power, _decode_power
    ),
    "MakeAggregator | None": _Coder(
        {"type": ["string", "object", "null"]}, encode_aggregator, decode_aggregator
    ),
    "MakeMap | None": _by_name(MAPS, "string", "null"),
    "MakeNorm | None": _by_name(NORMS, "string", "null"),
    "Activation": _by_name(ACTIVATIONS, "string"),
}
_OPTIONS = {f.name: _CODERS[f.type] for f in fields(HyperSAGEConfig)}
# What a record says of a module that is not ours, of a baseline, and of a predictor's two parts.
MODULE, BASELINE, ENCODER, HEAD = "module", "baseline", "encoder", "head"


def described(model: nn.Module) -> dict[str, Any]:
    """The options of a model of ours; of any other module the name of its class alone.

    A HyperSAGE with something of the user's own, such as an aggregator, is another module too, of
    which the options are kept that have a name.

    Examples
    --------
    >>> described(HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4)))["head"]
    {'in_feats': 4, 'hidden_feats': 64, 'aggr': None, 'dropout': 0.0, 'out_feats': 1}
    """
    if type(model) is HyperSAGE:
        return _hypersage(model.config)
    if isinstance(model, Baseline) and BASELINES.get(model.kind) is type(model):
        return {BASELINE: model.kind, **model.config}
    if type(model) is HyperedgePredictor and type(model.head) is CandidateScorer:
        parts = {ENCODER: described(model.encoder)}
        # Not with an aggregator of the user's own, as in any module.
        with suppress(ValueError):
            parts[HEAD] = _head(model.head)
        if HEAD in parts and MODULE not in parts[ENCODER]:
            return parts
    return {MODULE: type(model).__qualname__}


def _hypersage(config: HyperSAGEConfig) -> dict[str, Any]:
    try:
        return encode_config(config)
    except ValueError:
        known: dict[str, Any] = {MODULE: HyperSAGE.__qualname__}
        for name, coder in _OPTIONS.items():
            with suppress(ValueError):
                known[name] = coder.encode(getattr(config, name), name)
        return known


def rebuilt(coded: Mapping[str, Any], weights: Tensors) -> nn.Module:
    """A new model of what :func:`described` told, with these weights."""
    # Without memory of its own, so a record cannot ask for more than its weights take.
    with torch.device("meta"):
        model = _model(coded, len(weights))
    model.load_state_dict(dict(weights), assign=True)
    return model


def fill(model: nn.Module, coded: Mapping[str, Any], weights: Tensors) -> None:
    """Give a model that is there its weights, if it has the options that were saved."""
    given = described(model)
    for name in sorted({*given, *coded}):
        if given.get(name) != coded.get(name):
            raise ValueError(
                f"it was saved with {name}={coded.get(name)!r}, and the model that was given has "
                f"{given.get(name)!r}"
            )
    model.load_state_dict(dict(weights))


def _model(coded: Mapping[str, Any], tensors: int) -> nn.Module:
    if HEAD in coded:
        head = {**coded[HEAD], "aggr": decode_aggregator(coded[HEAD]["aggr"])}
        return HyperedgePredictor(_model(coded[ENCODER], tensors), CandidateScorer(**head))
    if BASELINE in coded:
        options = dict(coded)
        kind = options.pop(BASELINE)
        if kind not in BASELINES:
            raise ValueError(f"there is no baseline {kind!r:.40}; there are {', '.join(BASELINES)}")
        _require_layers(options.get("num_layers", 0), tensors)
        return BASELINES[kind](**options)
    config = decode_config(coded)
    _require_layers(config.num_layers, tensors)
    return HyperSAGE(**vars(config))


def _require_layers(layers: int, tensors: int) -> None:
    if layers > tensors:
        raise ValueError(f"{tensors} tensors are too few for {layers} layers")


def _head(head: CandidateScorer) -> dict[str, Any]:
    return {
        "in_feats": head.in_feats,
        "hidden_feats": head.hidden.out_features,
        "aggr": encode_aggregator(head.aggr, "aggr"),
        "dropout": head.dropout.p,
        "out_feats": head.out.out_features,
    }
