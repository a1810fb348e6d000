"""Aggregators, the HyperSAGE layer and the HyperSAGE model."""

from .aggregators import LSTM, Aggregator, Max, Mean, Min, Sum
from .attention import Attention
from .baselines import BASELINES, Baseline
from .candidates import CandidateScorer, HyperedgePredictor, Question
from .config import HyperSAGEConfig
from .evaluation import in_evaluation
from .first_layer import FirstLayer
from .hypersage import HyperSAGE
from .hypersageconv import HyperSAGEConv
from .named_aggregators import AGGREGATORS, MADE_BY_WIDTH, as_option
from .node_weight import NODE_WEIGHTS, NodeWeight
from .power_mean import PowerMean
from .roles import ByRole
from .weighting import WEIGHTINGS

__all__ = [
    "AGGREGATORS",
    "BASELINES",
    "LSTM",
    "MADE_BY_WIDTH",
    "NODE_WEIGHTS",
    "WEIGHTINGS",
    "Aggregator",
    "Attention",
    "Baseline",
    "ByRole",
    "CandidateScorer",
    "FirstLayer",
    "HyperSAGE",
    "HyperSAGEConfig",
    "HyperSAGEConv",
    "HyperedgePredictor",
    "Max",
    "Mean",
    "Min",
    "NodeWeight",
    "PowerMean",
    "Question",
    "Sum",
    "as_option",
    "in_evaluation",
]
