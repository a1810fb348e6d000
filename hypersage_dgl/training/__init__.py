"""Train, evaluate, save and use models."""

from .about import About
from .batches import Batch, Batches
from .checkpoint import Checkpoint, has_checkpoint, load_checkpoint, save_checkpoint
from .checks import require_device
from .cluster import SSH, Host, launch, python_command, read_hosts
from .config_json import decode_config, encode_config
from .embedding import CoMembership, CoMembershipBatches, embed
from .evaluator import Scores, accuracy_on, evaluate
from .full_graph import FullGraph
from .history import Epoch, History
from .hyperedge_batches import HyperedgeBatches
from .hyperedge_labels import HyperedgeLabels, hyperedge_score_on
from .hyperedge_scores import (
    RankScores,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    score_candidates,
)
from .loop import fit
from .metrics import LabelScores, NumberScores, evaluate_labels, evaluate_numbers, score_on
from .minibatches import Minibatches, sampled_logits, sampler_for
from .model_json import described
from .objective import Objective, balanced_weights
from .predictor import Prediction, Predictor
from .ranking import auroc, average_precision
from .ranks import Ranks, data_parallel, joined_ranks, my_rank, num_ranks, summed
from .recipe import AGGREGATORS, DEFAULT, PAPER, RECIPES, Recipe, read_recipe
from .remembered import recall_nodes, remember_nodes
from .seed import seed_everything
from .self_training import add_pseudo_labels
from .study import require_optuna
from .surroundings import Attached, Committed
from .tasks import EMBEDDING, PREDICTION, SCORE_NAMES, Scale, SquaredError
from .trials import without_test
from .tuning import Tuned, tune

__all__ = [
    "AGGREGATORS",
    "DEFAULT",
    "EMBEDDING",
    "PAPER",
    "PREDICTION",
    "RECIPES",
    "SCORE_NAMES",
    "SSH",
    "About",
    "Attached",
    "Batch",
    "Batches",
    "Checkpoint",
    "CoMembership",
    "CoMembershipBatches",
    "Committed",
    "Epoch",
    "FullGraph",
    "History",
    "Host",
    "HyperedgeBatches",
    "HyperedgeLabels",
    "LabelScores",
    "Minibatches",
    "NumberScores",
    "Objective",
    "Prediction",
    "Predictor",
    "RankScores",
    "Ranks",
    "Recipe",
    "Scale",
    "Scores",
    "SquaredError",
    "Tuned",
    "accuracy_on",
    "add_pseudo_labels",
    "auroc",
    "auroc_on",
    "average_precision",
    "balanced_weights",
    "data_parallel",
    "decode_config",
    "described",
    "draw_negatives",
    "embed",
    "encode_config",
    "evaluate",
    "evaluate_hyperedges",
    "evaluate_labels",
    "evaluate_numbers",
    "fit",
    "has_checkpoint",
    "hyperedge_score_on",
    "joined_ranks",
    "launch",
    "load_checkpoint",
    "my_rank",
    "num_ranks",
    "python_command",
    "read_hosts",
    "read_recipe",
    "recall_nodes",
    "remember_nodes",
    "require_device",
    "require_optuna",
    "sampled_logits",
    "sampler_for",
    "save_checkpoint",
    "score_candidates",
    "score_on",
    "seed_everything",
    "summed",
    "tune",
    "without_test",
]
