"""Baselines on the same hypergraph, called and trained like HyperSAGE."""

from collections.abc import Mapping
from types import MappingProxyType

from .all_deep_sets import AllDeepSets
from .allset_transformer import AllSetTransformer
from .base import Baseline
from .clique_gcn import CliqueGCN
from .clique_sage import CliqueSAGE
from .ed_hnn import EDHNN
from .fast_hypergcn import FastHyperGCN
from .hgnn import HGNN
from .hypergcn import HyperGCN
from .mlp import MLP
from .mlp_hlr import MLPHLR
from .stacked import Stacked
from .tf_hnn import TFHNN
from .unigcnii import UniGCNII

# What checkpoints and the command line call them.
_KINDS: tuple[type[Baseline], ...] = (
    *(HGNN, HyperGCN, FastHyperGCN, CliqueGCN, CliqueSAGE, MLP, MLPHLR),
    *(UniGCNII, AllDeepSets, AllSetTransformer, EDHNN, TFHNN),
)
BASELINES: Mapping[str, type[Baseline]] = MappingProxyType({each.kind: each for each in _KINDS})

__all__ = [
    "EDHNN",
    "HGNN",
    "MLP",
    "MLPHLR",
    "TFHNN",
    "AllDeepSets",
    "AllSetTransformer",
    "Baseline",
    "CliqueGCN",
    "CliqueSAGE",
    "FastHyperGCN",
    "HyperGCN",
    "Stacked",
    "UniGCNII",
]
