"""Hypergraphs that are made on the spot: planted classes of any size, and Fano planes."""

from .fano import fano
from .synthetic import PRESETS, generate, preset

__all__ = ["PRESETS", "fano", "generate", "preset"]
