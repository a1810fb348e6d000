"""The tests that a proof names exist, and the page names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.judges import PROOFS
from experiments.pages import claims

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.claim)
def test_the_tests_that_a_proof_names_exist(proof):
    source = (ROOT / proof.file).read_text(encoding="utf-8")
    for name in proof.tests:
        assert f"def {name}(" in source
        assert f"`{name}`" in claims([])
