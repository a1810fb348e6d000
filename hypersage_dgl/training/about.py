"""What a model was trained for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from torch import nn

from ..nn import HyperSAGE


@dataclass(frozen=True)
class About:
    """What a model was trained for, kept beside its weights.

    ``classes[k]`` names class ``k``, ``feature_names[i]`` feature ``i``; ``statistics`` measures
    the training data. All may be empty. With ``multi_label`` a node has any number of classes;
    :func:`~hypersage_dgl.training.fit` sets it.
    """

    classes: Sequence[str] = ()
    feature_names: Sequence[str] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)
    multi_label: bool = False

    def check(self, model: nn.Module) -> None:
        """Raise ``ValueError`` unless there are as many names as a HyperSAGE has ends."""
        if not isinstance(model, HyperSAGE):
            return
        for names, what, count in (
            (self.classes, "classes", model.config.out_feats),
            (self.feature_names, "feature_names", model.config.in_feats),
        ):
            if len(names) not in (0, count):
                raise ValueError(
                    f"{len(names)} {what} are named, the model has {count}; name all or none"
                )
