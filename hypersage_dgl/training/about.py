"""What a model was trained for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from torch import nn

from .._utils import check_schema
from ..data import CLASSIFICATION, LabelledHypergraph
from ..hypergraphs import summary
from ..nn import Baseline, HyperSAGE
from .tasks import PREDICTION, Scale


@dataclass(frozen=True)
class About:
    """What a model was trained for, kept beside its weights.

    ``classes[k]`` names class ``k``, ``feature_names[i]`` feature ``i``; ``statistics`` measures
    the training data and ``training`` says how it was chosen: split, seed, names of columns, and
    the nodes themselves. All may be empty. ``task`` is what the model learns of a node, one of
    ``classification``, ``multilabel`` and ``regression``, and ``scale`` the unit of its numbers;
    :func:`~hypersage_dgl.training.fit` sets the task.
    """

    classes: Sequence[str] = ()
    feature_names: Sequence[str] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    task: str = CLASSIFICATION
    training: Mapping[str, Any] = field(default_factory=dict)
    scale: Scale = field(default_factory=Scale)

    @classmethod
    def of(cls, data: LabelledHypergraph) -> About:
        """Describe the data that a model is trained on, with the first split, if there is one.

        Examples
        --------
        >>> from hypersage_dgl.data import load
        >>> about = About.of(load("synthetic"))
        >>> about.classes, about.statistics["nodes"], about.statistics["train"]
        (('class 0', 'class 1', 'class 2', 'class 3'), 1000, 80)
        """
        split = data.splits[0]._asdict() if data.splits else {}
        measured = {
            **asdict(summary(data.graph)),
            "features": data.num_feats,
            **{part: len(ids) for part, ids in split.items()},
            "checksum": data.checksum(),
        }
        return cls(tuple(data.class_names), tuple(data.feature_names), measured)

    def check(self, model: nn.Module) -> None:
        """Raise ``ValueError`` unless there are as many names as a model of ours has ends.

        What ``training`` says of the command's options must be of their types; more may be in it.
        """
        try:
            check_schema(dict(self.training), _TRAINING)
        except ValueError as error:
            raise ValueError(f"training: {error}") from None
        if self.task == PREDICTION and isinstance(model, (HyperSAGE, Baseline)):
            raise ValueError(f"the task is {PREDICTION!r}, which needs a HyperedgePredictor")
        if isinstance(model, HyperSAGE):
            ends = (model.config.in_feats, model.config.out_feats)
        elif isinstance(model, Baseline):
            ends = (model.config["in_feats"], model.config["out_feats"])
        else:
            return
        for names, what, count in (
            (self.classes, "classes", ends[1]),
            (self.feature_names, "feature_names", ends[0]),
        ):
            if len(names) not in (0, count):
                raise ValueError(
                    f"{len(names)} {what} are named, the model has {count}; name all or none"
                )


_TYPES: dict[str, Any] = {
    "split": ["integer", "string"],
    "seed": "integer",
    "val_fraction": "number",
    **dict.fromkeys(("label", "separator", "node", "hyperedge"), "string"),
    **dict.fromkeys(("ranges", "hyperedge_columns", "nodes", "hyperedges"), "object"),
}
_TRAINING = {"properties": {name: {"type": kind} for name, kind in _TYPES.items()}}
