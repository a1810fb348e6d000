"""Train, evaluate, save and use models."""

from .batches import Batch, FullGraph, Minibatches, sampled_logits, sampler_for
from .checkpoint import About, Checkpoint, load_checkpoint, save_checkpoint
from .evaluator import Scores, evaluate
from .loop import fit
from .objective import Objective, balanced_weights
from .predictor import Prediction, Predictor
from .run import Epoch, History
from .seed import seed_everything
from .whole_graph import WholeGraph

__all__ = [
    "About",
    "Batch",
    "Checkpoint",
    "Epoch",
    "FullGraph",
    "History",
    "Minibatches",
    "Objective",
    "Prediction",
    "Predictor",
    "Scores",
    "WholeGraph",
    "balanced_weights",
    "evaluate",
    "fit",
    "load_checkpoint",
    "sampled_logits",
    "sampler_for",
    "save_checkpoint",
    "seed_everything",
]
