"""AllSetTransformer against its formula, head by head."""

from __future__ import annotations

import numpy as np
import pytest

from hypersage_dgl.nn.baselines import AllSetTransformer

from .cases import (
    HIDDEN,
    NODES,
    affine,
    between_maps,
    features,
    looped,
    model_for,
    small,
    standardised,
)


def pooled(pooling, rows):
    heads, width = pooling.shape
    query = pooling.query.detach().numpy()[0]
    keys, values = (
        [affine(part, row).reshape(heads, width) for row in rows]
        for part in (pooling.key, pooling.value)
    )
    parts = []
    for i in range(heads):
        scores = np.array([key[i] @ query[i] for key in keys])
        shares = np.exp(np.where(scores > 0, scores, 0.2 * scores))
        shares /= shares.sum()
        parts.append(query[i] + sum(a * value[i] for a, value in zip(shares, values)))
    y = standardised(pooling.first_norm, np.concatenate(parts))
    first, _, last = pooling.map
    bent = np.maximum(affine(last, np.maximum(affine(first, y), 0)), 0)
    return standardised(pooling.last_norm, y + bent)


@pytest.mark.parametrize("heads", [1, 2])
def test_model_is_the_formula(heads):
    model, sets = model_for("AllSetTransformer", heads=heads), looped()

    def layer_of(depth, x, start):
        layer = model.layers[depth]
        held = [np.maximum(pooled(layer.inside, [x[u] for u in members]), 0) for members in sets]
        return np.array(
            [
                pooled(layer.across, [z for z, members in zip(held, sets) if v in members])
                for v in range(NODES)
            ]
        )

    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, between_maps(model, layer_of), atol=1e-10)


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="heads is 3, and hidden_feats, 4, is no multiple"):
        AllSetTransformer(5, HIDDEN, 2, heads=3)
