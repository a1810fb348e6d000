"""A saved model, for the tests of what can happen to it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from small_hypergraph import model_for

from hypersage_dgl.training import About, save_checkpoint


@pytest.fixture
def saved(tmp_path) -> Path:
    save_checkpoint(
        tmp_path, model_for(), About(("a", "b", "c")), progress={}, state={"x": torch.ones(2)}
    )
    return tmp_path
