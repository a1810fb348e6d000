"""Baselines on the same hypergraph, called and trained like HyperSAGE."""

from .base import Baseline
from .clique_gcn import CliqueGCN
from .clique_sage import CliqueSAGE
from .fast_hypergcn import FastHyperGCN
from .hgnn import HGNN
from .hypergcn import HyperGCN
from .mlp import MLP
from .mlp_hlr import MLPHLR

__all__ = [
    "HGNN",
    "MLP",
    "MLPHLR",
    "Baseline",
    "CliqueGCN",
    "CliqueSAGE",
    "FastHyperGCN",
    "HyperGCN",
]
