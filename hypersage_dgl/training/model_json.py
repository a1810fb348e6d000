"""A model as JSON names it, and a new one from that and its weights: only classes of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ..nn import BASELINES, Baseline, CandidateScorer, HyperedgePredictor, HyperSAGE
from .config_json import decode_aggregator, decode_config, encode_aggregator, encode_config
from .tensor_files import Tensors

# What a record says of a module that is not ours, of a baseline, and of a predictor's two parts.
MODULE, BASELINE, ENCODER, HEAD = "module", "baseline", "encoder", "head"


def described(model: nn.Module) -> dict[str, Any]:
    """The options of a model of ours; of any other module the name of its class alone.

    Examples
    --------
    >>> described(HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4)))["head"]
    {'in_feats': 4, 'hidden_feats': 64, 'aggr': None, 'dropout': 0.0, 'out_feats': 1}
    """
    if type(model) is HyperSAGE:
        return encode_config(model.config)
    if isinstance(model, Baseline) and BASELINES.get(model.kind) is type(model):
        return {BASELINE: model.kind, **model.config}
    if type(model) is HyperedgePredictor and type(model.head) is CandidateScorer:
        try:
            parts = {ENCODER: described(model.encoder), HEAD: _head(model.head)}
        except ValueError:
            # An aggregator of the user's own, as in any module.
            parts = {ENCODER: {MODULE: ""}}
        if MODULE not in parts[ENCODER]:
            return parts
    return {MODULE: type(model).__qualname__}


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
