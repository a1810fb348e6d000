"""Use a trained model: on whole hypergraphs, and on what arrives at one later."""

from .arrivals import Attached, Committed
from .outputs import Prediction, add_pseudo_labels
from .predictor import Predictor
