"""Baselines on the same hypergraph, called and trained like HyperSAGE."""

from collections.abc import Mapping
from types import MappingProxyType

from .base import Baseline
from .clique_gcn import CliqueGCN
from .clique_sage import CliqueSAGE
from .fast_hypergcn import FastHyperGCN
from .hgnn import HGNN
from .hypergcn import HyperGCN
from .mlp import MLP
from .mlp_hlr import MLPHLR

# What checkpoints and the command line call them.
BASELINES: Mapping[str, type[Baseline]] = MappingProxyType(
    {each.kind: each for each in (HGNN, HyperGCN, FastHyperGCN, CliqueGCN, CliqueSAGE, MLP, MLPHLR)}
)

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
