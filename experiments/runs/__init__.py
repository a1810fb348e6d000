"""Do the planned runs: data, training and scoring of one, and many side by side."""

from .runner import is_done, run_jobs

__all__ = ["is_done", "run_jobs"]
