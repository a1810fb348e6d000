"""The log of a run, and scores that are no numbers."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl.training import Epoch, History
from hypersage_dgl.training.history import check_score


def test_the_log_has_a_row_for_each_epoch():
    history = History([Epoch(1, 0.123456789123, None, 2.0), Epoch(2, 0.5, 0.75, 0.001)])
    assert history.to_csv() == ("epoch,loss,val,seconds\n1,0.123456789,,2\n2,0.5,0.75,0.001\n")
    assert History().to_csv() == "epoch,loss,val,seconds\n"


def test_a_score_is_a_finite_number():
    assert check_score(torch.tensor(0.5)) == 0.5
    assert isinstance(check_score(1), float)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="validate gave"):
            check_score(bad)


def test_a_history_comes_back_from_the_progress_of_a_checkpoint():
    rows = [{"epoch": 1, "loss": 2.0, "val": None, "seconds": 0.1}]
    noted = {"epochs": rows, "best_epoch": 1, "best_val": 0.5, "options": {}}
    found = History.from_progress(noted, "done")
    assert found == History([Epoch(1, 2.0, None, 0.1)], 1, 0.5, "done")


@pytest.mark.parametrize("noted", [None, {}, {"epochs": 3, "best_epoch": 1, "best_val": None}])
def test_progress_of_another_kind_is_no_history(noted):
    assert History.from_progress(noted).epochs == []
