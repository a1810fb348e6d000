"""Use a trained model: on whole hypergraphs, and on what arrives at one later."""

from .predictor import Prediction, Predictor
from .surroundings import Attached, Committed

__all__ = [
    "Attached",
    "Committed",
    "Prediction",
    "Predictor",
]
