"""ED-HNN against its formula, message by message, with the maps applied before the mean."""

from __future__ import annotations

import numpy as np
import pytest

from hypersage_dgl.nn.baselines import EDHNN

from .cases import (
    NODES,
    affine,
    between_maps,
    features,
    looped,
    model_for,
    perceived,
    small,
    standardised,
)


@pytest.mark.parametrize("options", [{}, {"alpha": 0.2, "num_layers": 3}])
def test_model_is_the_formula(options):
    model, sets, alpha = model_for("EDHNN", **options), looped(), options.get("alpha", 0.5)
    maps = model.layers[1]

    def heard(x, message):
        bent = np.maximum(affine(maps.hearer, x) + affine(maps.heard, message), 0)
        return affine(maps.hears, standardised(maps.norm, bent))

    def layer_of(depth, x, start):
        said = [np.mean([perceived(maps.said, x[u]) for u in members], axis=0) for members in sets]
        return np.array(
            [
                perceived(
                    maps.becomes,
                    alpha * start[v]
                    + (1 - alpha)
                    * np.mean(
                        [heard(x[v], m) for m, members in zip(said, sets) if v in members], axis=0
                    ),
                )
                for v in range(NODES)
            ]
        )

    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, between_maps(model, layer_of), atol=1e-10)


def test_without_maps_it_is_a_mean_of_means():
    model, sets = model_for("EDHNN", maps=0, alpha=0.25), looped()

    def layer_of(depth, x, start):
        said = [np.mean([x[u] for u in members], axis=0) for members in sets]
        means = [
            np.mean([m for m, members in zip(said, sets) if v in members], axis=0)
            for v in range(NODES)
        ]
        return affine(model.layers[depth].parts[0], 0.75 * np.array(means) + 0.25 * start)

    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, between_maps(model, layer_of), atol=1e-12)


def test_all_layers_are_one():
    model = model_for("EDHNN", num_layers=3)
    assert model.layers[1] is model.layers[3]


def test_number_of_maps():
    with pytest.raises(ValueError, match="maps is 1; it must be 2, or 0"):
        EDHNN(4, 4, 2, maps=1)
