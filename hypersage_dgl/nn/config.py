"""The options of a HyperSAGE model, stated once.

Its signature, its docstring, its checkpoints and the command line are made from the fields below:
a new option is one field here and one line where the model uses it.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import KW_ONLY, Field, dataclass, field, fields
from typing import Any, Concatenate, ParamSpec, TypeVar, Union

import torch.nn.functional as F
from torch import Tensor, nn

from .._utils import PerLayer, require_layers
from .aggregators import Aggregator
from .hyperedge_feats import MakeMap
from .layer_arguments import Power

MakeAggregator = Union[Aggregator, Callable[[int], Aggregator]]
MakeNorm = Callable[[int], nn.Module]
Activation = Callable[[Tensor], Tensor]

Options = ParamSpec("Options")
Config = TypeVar("Config")
Model = TypeVar("Model")


def _is(text: str) -> dict[str, str]:
    return {"help": text}


@dataclass(frozen=True)
class HyperSAGEConfig:
    """The options of :class:`~hypersage_dgl.nn.HyperSAGE`, which says what they mean.

    Examples
    --------
    >>> HyperSAGEConfig(16, 32, 4, p=2).widths
    [16, 32, 4]
    """

    in_feats: int = field(metadata=_is("width of the features"))
    hidden_feats: int = field(metadata=_is("width of each hidden layer"))
    out_feats: int = field(metadata=_is("width of the output, such as the number of classes"))
    num_layers: int = field(default=2, metadata=_is("number of layers"))
    p: Power = field(
        default=1.0,
        metadata=_is(
            "power of the means: a number, or two, inside and across hyperedges; or a PowerMean, "
            "which is made again for each layer, so that a learned p is each layer's own (by "
            "channel: as many as the layer is wide)"
        ),
    )
    dropout: PerLayer[float] = field(
        default=0.5,
        metadata=_is("dropout after each aggregation; one rate, or one for each layer"),
    )
    _: KW_ONLY
    inter: str = field(
        default="size",
        metadata=_is("weights of a node's hyperedges: 'size', 'mean', 'paper' or 'invariant'"),
    )
    include_self: bool = field(
        default=True, metadata=_is("whether a node is among its own neighbours in a hyperedge")
    )
    eps: float = field(
        default=1e-2, metadata=_is("floor of the power mean, where p is a number or two")
    )
    intra_aggr: MakeAggregator | None = field(
        default=None,
        metadata=_is(
            "in the place of the power mean inside hyperedges: an aggregator, copied for each "
            "layer, or a callable that makes one for a layer's width, such as the class LSTM"
        ),
    )
    inter_aggr: MakeAggregator | None = field(
        default=None, metadata=_is("the same across hyperedges")
    )
    node_weight: str = field(
        default="equal",
        metadata=_is(
            "weights of a hyperedge's members: 'equal', or 'hypermsg', learned from each node's "
            "degree and number of neighbours"
        ),
    )
    hyperedge_feats: int = field(
        default=0,
        metadata=_is(
            "width of the features of hyperedges, g.nodes['hyperedge'].data['feat'], which every "
            "layer adds to F1 by a linear map; 0 takes none"
        ),
    )
    hyperedge_map: MakeMap | None = field(
        default=None,
        metadata=_is(
            "callable that makes a module for the widths of these features and of a layer, in the "
            "place of the linear map"
        ),
    )
    feat_drop: float = field(default=0.0, metadata=_is("dropout on the features"))
    normalize: PerLayer[bool] = field(
        default=True,
        metadata=_is("whether to scale h + F2 to unit length; one value, or one for each layer"),
    )
    bias: bool = field(default=True, metadata=_is("whether layers add a bias"))
    norm: MakeNorm | None = field(
        default=None,
        metadata=_is(
            "callable that makes a hidden layer's norm for its width, such as nn.LayerNorm"
        ),
    )
    activation: Activation = field(
        default=F.relu, metadata=_is("callable applied after every hidden layer")
    )
    cached: bool = field(
        default=False,
        metadata=_is(
            "whether the first layer keeps its aggregate of a whole hypergraph while that and the "
            "features are the same objects, unchanged"
        ),
    )
    fast: bool = field(
        default=True,
        metadata=_is("whether to take a faster way to the same numbers where there is one"),
    )

    def __post_init__(self) -> None:
        # A plain int, also of numpy's: a checkpoint writes it as JSON.
        object.__setattr__(self, "num_layers", require_layers(self.num_layers))

    @property
    def widths(self) -> list[int]:
        """Width of the features and of the output of each layer."""
        return [self.in_feats, *[self.hidden_feats] * (self.num_layers - 1), self.out_feats]

    @classmethod
    def option(cls, name: str) -> Field[Any]:
        """The field of one option, with its default and, in its metadata, its ``help``."""
        return {each.name: each for each in fields(cls)}[name]


def takes_options_of(
    make: Callable[Options, Config],
) -> Callable[[Callable[[Model, Config], None]], Callable[Concatenate[Model, Options], None]]:
    """Let a constructor that is written for a configuration take its options one by one.

    Examples
    --------
    >>> class Net:
    ...     @takes_options_of(HyperSAGEConfig)
    ...     def __init__(self, config):
    ...         self.config = config
    >>> Net(16, 32, 4, p=2).config.p
    2
    """

    def decorate(
        construct: Callable[[Model, Config], None],
    ) -> Callable[Concatenate[Model, Options], None]:
        def __init__(self: Model, /, *args: Options.args, **options: Options.kwargs) -> None:  # noqa: N807
            construct(self, make(*args, **options))

        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        taken = inspect.signature(make)
        shown = taken.replace(parameters=[own, *taken.parameters.values()])
        functools.update_wrapper(__init__, construct)
        __init__.__signature__ = shown  # type: ignore[attr-defined]
        return __init__

    return decorate


def documented(model: type[Model]) -> type[Model]:
    """Write the options where the docstring of a model says ``<options>``."""
    lines = []
    for each in fields(HyperSAGEConfig):
        text = each.metadata["help"]
        lines += [f"    {each.name}", *textwrap.wrap(f"{text[0].upper()}{text[1:]}.", 88)]
    body = "\n".join(line if line.startswith("    ") else f"        {line}" for line in lines)
    # Python -OO has no docstrings.
    model.__doc__ = (model.__doc__ or "").replace("    <options>", body)
    return model
