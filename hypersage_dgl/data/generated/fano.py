"""Fano planes: a hypergraph on which who meets whom says nothing, and how they are grouped all."""

from __future__ import annotations

import numpy as np
import torch

from ..._utils import IntArray, require_count
from ...hypergraphs import hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from ..splits import Split, stratified_split

# Seven lines of three points: any two points are on one line, and any two lines meet in one point.
LINES = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
# Three points on a line, and three that are not.
MARKED = ((0, 1, 2), (0, 1, 3))
CLASSES = ("line", "triangle")
POINTS = 7


def fano(planes: int = 400, noise: float = 0.2, seed: int = 0) -> LabelledHypergraph:
    """Generate Fano planes, each with three marked points, whose class is whether a line has them.

    A plane is seven nodes and seven hyperedges of three, its lines. Three of its nodes are marked,
    by a feature of 1 plus noise where the others have 0 plus noise; all seven nodes have the class
    ``line`` or ``triangle``, as many planes the one as the other. Since any two points are
    on exactly one line, everybody meets everybody once in either class: the clique expansion, all
    degrees and sizes and the operators of HGNN and its like are the same, and so is what one power
    at both levels makes. What differs is what the lines hold, such as whether each has a marked
    point.

    The ten splits put half of the planes of each class into training, a quarter into validation
    and a quarter into the test, each with all its nodes.

    Parameters
    ----------
    planes
        Number of planes.
    noise
        Deviation of the Gaussian noise of the feature.
    seed
        Decides the marks, the noise and the splits.

    Examples
    --------
    >>> data = fano(4, noise=0.0)
    >>> data.num_nodes, data.num_hyperedges, data.feat.reshape(4, 7).sum(dim=1)
    (28, 28, tensor([3., 3., 3., 3.]))
    """
    planes = require_count(planes, "planes")
    if not 0 <= noise < np.inf:
        raise ValueError(f"noise is {noise!r}; it must be a non-negative number")
    rng = np.random.default_rng(seed)
    classes = rng.permutation(np.arange(planes) % 2)
    # The points of each plane in any order, so that their ids tell nothing.
    names = rng.permuted(np.tile(np.arange(POINTS), (planes, 1)), axis=1)
    members = names[:, np.array(LINES)] + POINTS * np.arange(planes)[:, None, None]
    feat = noise * rng.normal(size=(planes, POINTS))
    marked = np.take_along_axis(names, np.array(MARKED)[classes], axis=1)
    np.put_along_axis(feat, marked, np.take_along_axis(feat, marked, axis=1) + 1, axis=1)
    return LabelledHypergraph(
        hypergraph_from_incidence(
            members.ravel(),
            np.repeat(np.arange(planes * len(LINES)), len(LINES[0])),
            planes * POINTS,
        ),
        name="fano",
        feat=torch.from_numpy(feat.reshape(-1, 1)).float(),
        labels=torch.from_numpy(np.repeat(classes, POINTS)),
        class_names=CLASSES,
        feature_names=("marked",),
        splits=tuple(_split(classes, seed, number) for number in range(1, 11)),
    )


def _split(classes: IntArray, seed: int, number: int) -> Split:
    # Of its own, whatever the other draws.
    parts = stratified_split(torch.from_numpy(classes), 1000 * seed + number)
    return Split(*(torch.from_numpy(_points(part.numpy())) for part in parts))


def _points(planes: IntArray) -> IntArray:
    return (POINTS * planes[:, None] + np.arange(POINTS)).ravel()
