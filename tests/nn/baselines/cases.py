"""A small hypergraph, all baselines, and dense matrices made by Python loops to compare with."""

from __future__ import annotations

import dgl
import numpy as np
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import baselines

WIDTH, HIDDEN, CLASSES = 6, 4, 3
# Overlapping, equal, singleton and large ones; nodes 8 and 9 are in none.
HYPEREDGES = [[0, 1, 2], [2, 3], [5, 3, 1, 4, 0], [3, 2], [6], [7, 6, 5, 4], [1, 7, 2, 6, 0, 3]]
NODES, ISOLATED = 10, [8, 9]
KINDS = {
    "MLP": baselines.MLP,
    "MLPHLR": baselines.MLPHLR,
    "HGNN": baselines.HGNN,
    "HyperGCN": baselines.HyperGCN,
    "FastHyperGCN": baselines.FastHyperGCN,
    "CliqueGCN": baselines.CliqueGCN,
    "CliqueSAGE": baselines.CliqueSAGE,
    "UniGCNII": baselines.UniGCNII,
    "AllDeepSets": baselines.AllDeepSets,
    "AllSetTransformer": baselines.AllSetTransformer,
    "EDHNN": baselines.EDHNN,
    "TFHNN": baselines.TFHNN,
}


def small(idtype=torch.int64):
    return hypergraph(HYPEREDGES, NODES, idtype=idtype)


def features(rows=NODES, width=WIDTH) -> torch.Tensor:
    """Double precision, about half zeros."""
    numbers = torch.Generator().manual_seed(11)
    x = torch.rand(rows, width, generator=numbers, dtype=torch.float64)
    return x * (torch.rand(rows, width, generator=numbers) > 0.5)


def model_for(kind: str, **options):
    """Double precision, always the same weights, biases that keep hidden units alive; evaluates."""
    torch.manual_seed(2)
    model = KINDS[kind](WIDTH, HIDDEN, CLASSES, **options).double().eval()
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            torch.nn.init.uniform_(parameter, 0.1, 1)
    return model


def incidence_matrix(hyperedges, num_nodes, incidence_weight=None) -> np.ndarray:
    """H, nodes x hyperedges."""
    weights = iter(
        [1.0] * sum(map(len, hyperedges)) if incidence_weight is None else incidence_weight
    )
    matrix = np.zeros((num_nodes, len(hyperedges)))
    for e, members in enumerate(hyperedges):
        for v in members:
            matrix[v, e] = next(weights)
    return matrix


def theta(matrix: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """D_v^-1/2 H W D_e^-1 H^T D_v^-1/2, with 0 for the inverse of 0."""
    with np.errstate(divide="ignore"):
        node = np.diag(np.nan_to_num((matrix @ weight) ** -0.5, posinf=0))
        hyperedge = np.diag(np.nan_to_num(1 / matrix.sum(0), posinf=0))
    return node @ matrix @ np.diag(weight) @ hyperedge @ matrix.T @ node


def clique_matrix(hyperedges, num_nodes) -> np.ndarray:
    """1 for each two nodes that share a hyperedge."""
    pairs = {(u, v) for members in hyperedges for u in members for v in members if u != v}
    matrix = np.zeros((num_nodes, num_nodes))
    for u, v in pairs:
        matrix[u, v] = 1
    return matrix


def mediator_matrix(hyperedges, num_nodes, position, weight=None) -> np.ndarray:
    """HyperGCN's weighted adjacency, edge by edge."""
    matrix = np.zeros((num_nodes, num_nodes))
    for e, members in enumerate(hyperedges):
        if len(members) < 2:
            continue
        # Of equal ones the lowest id is the supremum and the highest the infimum.
        supremum = max(members, key=lambda v: (position[v], -v))
        infimum = min(members, key=lambda v: (position[v], -v))
        edges = [(supremum, infimum)]
        for mediator in members:
            if mediator not in (supremum, infimum):
                edges += [(supremum, mediator), (infimum, mediator)]
        assert len(edges) == 2 * len(members) - 3
        for u, v in edges:
            share = (1 if weight is None else weight[e]) / len(edges)
            matrix[u, v] += share
            matrix[v, u] += share
    return matrix


def normalised(adjacency: np.ndarray) -> np.ndarray:
    """D^-1/2 (A + I) D^-1/2."""
    looped = adjacency + np.eye(len(adjacency))
    scale = np.diag(looped.sum(1) ** -0.5)
    return scale @ looped @ scale


def weights_of(model) -> list[tuple[np.ndarray, np.ndarray]]:
    """W, in x out, and b of each projecting layer."""
    linears = [layer.linear for layer in model.layers]
    return [(x.weight.detach().numpy().T, x.bias.detach().numpy()) for x in linears]


def layered(model, operator: np.ndarray, feat: torch.Tensor) -> np.ndarray:
    """Logits of layers with one dense operator."""
    h = feat.numpy()
    for depth, (weight, bias) in enumerate(weights_of(model)):
        h = operator @ (np.maximum(h, 0) if depth else h) @ weight + bias
    return h


def looped() -> list[list[int]]:
    """The members of each hyperedge, and a further hyperedge of each node alone."""
    return [*HYPEREDGES, *([v] for v in range(NODES))]


def affine(linear, x: np.ndarray) -> np.ndarray:
    """What a linear map makes of a row or of rows."""
    out = x @ linear.weight.detach().numpy().T
    return out if linear.bias is None else out + linear.bias.detach().numpy()


def standardised(norm, x: np.ndarray) -> np.ndarray:
    """LayerNorm of one row."""
    scaled = (x - x.mean()) / np.sqrt(x.var() + norm.eps)
    return scaled * norm.weight.detach().numpy() + norm.bias.detach().numpy()


def perceived(perceptron, x: np.ndarray) -> np.ndarray:
    """What a perceptron of two maps makes of one row, without dropout."""
    first, _, norm, _, last = perceptron.parts
    return affine(last, standardised(norm, np.maximum(affine(first, x), 0)))


def between_maps(model, layer_of) -> np.ndarray:
    """Logits of a stacked model; ``layer_of(depth, rows, start)`` is a hidden layer."""
    (weight, bias), (last_weight, last_bias) = (
        (layer.linear.weight.detach().numpy().T, layer.linear.bias.detach().numpy())
        for layer in (model.layers[0], model.layers[-1])
    )
    start = rows = np.maximum(features().numpy() @ weight + bias, 0)
    for depth in range(1, len(model.layers) - 1):
        rows = np.maximum(layer_of(depth, rows, start), 0)
    return rows @ last_weight + last_bias


def clique_graph(loops: bool) -> dgl.DGLGraph:
    """The clique expansion as a graph of DGL."""
    matrix = clique_matrix(HYPEREDGES, NODES) + (np.eye(NODES) if loops else 0)
    return dgl.graph(np.nonzero(matrix), num_nodes=NODES)
