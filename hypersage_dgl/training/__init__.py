"""Train, evaluate, save and use models."""

from .about import About
from .batches import Batch, Batches
from .checkpoint import Checkpoint, described, has_checkpoint, load_checkpoint, save_checkpoint
from .checks import require_device
from .config_json import decode_config, encode_config
from .evaluator import Scores, accuracy_on, evaluate
from .full_graph import FullGraph
from .history import Epoch, History
from .loop import fit
from .minibatches import Minibatches, sampled_logits, sampler_for
from .objective import Objective, balanced_weights
from .predictor import Prediction, Predictor
from .remembered import recall_nodes, remember_nodes
from .seed import seed_everything
from .self_training import add_pseudo_labels
from .surroundings import Attached, Committed

__all__ = [
    "About",
    "Attached",
    "Batch",
    "Batches",
    "Checkpoint",
    "Committed",
    "Epoch",
    "FullGraph",
    "History",
    "Minibatches",
    "Objective",
    "Prediction",
    "Predictor",
    "Scores",
    "accuracy_on",
    "add_pseudo_labels",
    "balanced_weights",
    "decode_config",
    "described",
    "encode_config",
    "evaluate",
    "fit",
    "has_checkpoint",
    "load_checkpoint",
    "recall_nodes",
    "remember_nodes",
    "require_device",
    "sampled_logits",
    "sampler_for",
    "save_checkpoint",
    "seed_everything",
]
