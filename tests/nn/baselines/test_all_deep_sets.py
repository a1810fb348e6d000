"""AllDeepSets against its formula, set by set."""

from __future__ import annotations

import numpy as np
import pytest

from .cases import (
    NODES,
    between_maps,
    features,
    looped,
    model_for,
    perceived,
    small,
    standardised,
)


def of_set(function, rows):
    total = sum(np.maximum(perceived(function.encode, row), 0) for row in rows)
    return perceived(function.decode, standardised(function.norm, total))


@pytest.mark.parametrize("num_layers", [1, 2])
def test_model_is_the_formula(num_layers):
    model, sets = model_for("AllDeepSets", num_layers=num_layers), looped()

    def layer_of(depth, x, start):
        layer = model.layers[depth]
        held = [np.maximum(of_set(layer.inside, [x[u] for u in members]), 0) for members in sets]
        return np.array(
            [
                of_set(layer.across, [z for z, members in zip(held, sets) if v in members])
                for v in range(NODES)
            ]
        )

    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, between_maps(model, layer_of), atol=1e-10)
