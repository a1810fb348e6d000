"""Errors in one line, shares in percent, and tables with columns that line up."""

from __future__ import annotations

import pytest

from hypersage_dgl.cli.text import UsageError, one_line, percent, table


def test_errors_without_words_show_their_type():
    assert one_line(MemoryError()) == "MemoryError"
    assert one_line(ValueError()) == "ValueError"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("a\n  b"), "a b"),
        (KeyError("x"), "KeyError: 'x'"),
        (PermissionError(13, "Permission denied", "a.csv"), "a.csv: Permission denied"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (UserWarning("p is\tsmall"), "p is small"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_is_one_line(error, said):
    assert one_line(error) == said


def test_shares_are_rounded_percents_and_nothing_is_a_dash():
    assert [percent(share) for share in (0.0, 0.12345, 1.0)] == ["0.00", "12.35", "100.00"]
    assert percent(float("nan")) == "-"


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [("12", "1,000", "cache"), ("red", "-", "x"), ("b", "3.5", "folder")]
    assert table(("name", "nodes", "where"), rows).splitlines() == [
        "name  nodes  where",
        "12    1,000  cache",
        "red       -  x",
        "b       3.5  folder",
    ]


def test_a_table_without_rows_is_its_heading():
    assert table(("class", "nodes"), []) == "class  nodes"
