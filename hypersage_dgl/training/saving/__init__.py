"""Keep a model and its training on the disk: whole or not at all, and without code."""

from .about import About, digests, recall_nodes, remember_nodes
from .checkpoint import Checkpoint, has_checkpoint, load_checkpoint, save_checkpoint
from .model_json import decode_config, described, encode_config
from .progress import Epoch, History, Scheduler, check_scheduler, check_score, step
from .run import Run
