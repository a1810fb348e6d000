"""UniGCNII against its formula, node by node."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .cases import NODES, affine, between_maps, features, looped, model_for, small


@pytest.mark.parametrize("options", [{}, {"alpha": 0.3, "strength": 1.5, "num_layers": 3}])
def test_model_is_the_formula(options):
    model, sets = model_for("UniGCNII", **options), looped()
    alpha, strength = options.get("alpha", 0.1), options.get("strength", 0.5)
    degree = [sum(v in members for members in sets) for v in range(NODES)]

    def layer_of(depth, x, start):
        beta = math.log(strength / depth + 1)
        out = np.empty_like(x)
        for v in range(NODES):
            total = sum(
                np.mean([x[u] for u in members], axis=0)
                / math.sqrt(np.mean([degree[u] for u in members]))
                for members in sets
                if v in members
            )
            mixed = (1 - alpha) * total / math.sqrt(degree[v]) + alpha * start[v]
            out[v] = (1 - beta) * mixed + beta * affine(model.layers[depth], mixed)
        return out

    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, between_maps(model, layer_of), atol=1e-12)
