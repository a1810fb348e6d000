"""Recipes of a model and its training, and the search for a good one."""

from .recipe import DEFAULT, PAPER, RECIPES, Recipe, read_recipe
from .search import Tuned, tune
from .trials import require_optuna, without_test
