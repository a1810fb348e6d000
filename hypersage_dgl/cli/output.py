"""Predictions as CSV, JSON or Parquet, by name."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .._utils import replacing, to_json
from ..data import CLASSIFICATION, REGRESSION, LabelledHypergraph
from ..training import About, Prediction

FORMATS = ("csv", "json", "parquet")


def format_of(file: str | None) -> str:
    """The format that the name of a file tells, CSV where it tells none.

    Examples
    --------
    >>> format_of("classes.json.gz"), format_of("classes.pq"), format_of(None)
    ('json', 'parquet', 'csv')
    """
    suffixes = Path(file or "").suffixes
    if ".json" in suffixes[-2:]:
        return "json"
    return "parquet" if suffixes[-1:] in ([".parquet"], [".pq"]) else "csv"


def prediction_columns(
    source: LabelledHypergraph,
    prediction: Prediction,
    classes: Sequence[str],
    every: bool = False,
) -> dict[str, list[Any]]:
    """Columns of a prediction; classes without names are numbered.

    With ``every`` the probability of each class follows, as ``probability of NAME``.
    """
    labels = prediction.label.tolist()
    columns: dict[str, list[Any]] = {
        "node": [str(name) for name in source.node_names],
        "class": [classes[label] if classes else str(label) for label in labels],
        "probability": _rounded(prediction.probability.tolist()),
    }
    if every:
        for k, row in enumerate(prediction.probabilities.T.tolist()):
            columns[f"probability of {classes[k] if classes else k}"] = _rounded(row)
    return columns


def columns_of(
    source: LabelledHypergraph, prediction: Prediction, about: About, every: bool = False
) -> dict[str, list[Any]]:
    """Columns of a prediction by the task of its model.

    A regression model gives the column ``value``, a multi-label one ``labels``, with the separator
    of its training between them, and with ``every`` the probability of each label.
    """
    if about.task == CLASSIFICATION:
        return prediction_columns(source, prediction, about.classes, every)
    columns: dict[str, list[Any]] = {"node": [str(name) for name in source.node_names]}
    if about.task == REGRESSION:
        rows = prediction.label.reshape(len(prediction.label), -1).T.tolist()
        for k, row in enumerate(rows):
            columns["value" if len(rows) == 1 else f"value {k}"] = [float(f"{v:.7g}") for v in row]
        return columns
    names = about.classes or [str(k) for k in range(prediction.label.shape[1])]
    separator = about.training.get("separator", ";")
    columns["labels"] = [
        separator.join(name for name, is_on in zip(names, row) if is_on)
        for row in prediction.label.tolist()
    ]
    if every:
        for name, row in zip(names, prediction.probabilities.T.tolist()):
            columns[f"probability of {name}"] = _rounded(row)
    return columns


def to_csv(columns: Mapping[str, Sequence[Any]], digits: str = ".6f") -> str:
    """Columns as CSV; numbers with six digits after the point, or another format."""
    # Before Python 3.13 the csv module leaves a lone carriage return unquoted.
    words = (*columns, *(cell for column in columns.values() for cell in column))
    has_return = any(isinstance(word, str) and "\r" in word for word in words)
    text = io.StringIO()
    writer = csv.writer(
        text, lineterminator="\n", quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL
    )
    writer.writerow(columns)
    for row in zip(*columns.values()):
        writer.writerow([f"{cell:{digits}}" if isinstance(cell, float) else cell for cell in row])
    return text.getvalue()


def to_records(columns: Mapping[str, Sequence[Any]]) -> str:
    """Columns as a JSON list with an object for each row, a line each."""
    rows = [to_json(dict(zip(columns, row))) for row in zip(*columns.values())]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def write_parquet(columns: Mapping[str, Sequence[Any]], path: Path) -> None:
    """Write columns as Parquet, whole or not at all."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError(
            "Parquet needs pyarrow: pip install 'hypersage-dgl[tables]', or take --format csv"
        ) from None
    with replacing(path) as file:
        parquet.write_table(pyarrow.table(dict(columns)), file)


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 6) for share in shares]
