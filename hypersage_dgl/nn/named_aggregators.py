"""The built-in aggregators by name: recipes, the command and checkpoints know these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .aggregators import LSTM, Aggregator, Max, Mean, Min, Sum
from .attention import Attention

# By the name that recipes and the command use; None for the power mean. Checkpoints write the
# names of the classes.
AGGREGATORS: Mapping[str, type[Aggregator] | None] = MappingProxyType(
    {
        "power": None,
        "max": Max,
        "mean": Mean,
        "min": Min,
        "sum": Sum,
        "lstm": LSTM,
        "attention": Attention,
    }
)
MADE_BY_WIDTH: tuple[type[Aggregator], ...] = (LSTM, Attention)


def as_option(kind: type[Aggregator]) -> Aggregator | type[Aggregator]:
    """What the options of a model hold: the class, where that is made for each layer's width.

    Examples
    --------
    >>> as_option(Max), as_option(LSTM).__name__
    (Max(), 'LSTM')
    """
    return kind if kind in MADE_BY_WIDTH else kind()
