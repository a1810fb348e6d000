"""Tables that no cell can break; blocks of a page are replaced, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.pages.markdown import markdown_table, replace_block

START, END = "<!-- sums: made by python -m experiments report -->", "<!-- end of sums -->"
OTHER = "<!-- more: made by python -m experiments report -->\nkept\n<!-- end of more -->"
TEXT = st.text("ab <>-#|\n\r", max_size=30)


@given(before=TEXT, old=TEXT, after=TEXT, content=TEXT)
def test_only_what_is_between_changes(before, old, after, content):
    page = f"{before}\n{START}\n{old}\n{END}\n{after}"
    made = replace_block(page, "sums", content)
    middle = content.strip("\n")
    assert made == f"{before}\n{START}\n\n{middle}\n\n{END}\n{after}"


@given(TEXT, TEXT)
def test_the_last_content_counts_and_the_same_again_changes_nothing(first, second):
    page = f"{OTHER}\n{START}\n{END}"
    once = replace_block(page, "sums", second)
    assert replace_block(replace_block(page, "sums", first), "sums", second) == once
    assert replace_block(once, "sums", second) == once
    assert once.startswith(OTHER)


def test_markers_may_be_indented_and_end_as_on_windows():
    page = f"  {START}\r\nold\r\n{END}\r\nBye.\r\n"
    assert replace_block(page, "sums", "2") == f"  {START}\r\n\n2\n\n{END}\r\nBye.\r\n"


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("", "no line '<!-- sums: made by"),
        (f"{START}\n", "no line '<!-- end of sums -->'; add one where the block belongs"),
        (f"{END}\n", "no line '<!-- sums: made by"),
        (OTHER, "no line '<!-- sums: made by"),
        (f"See {START}\n{END}", "no line '<!-- sums: made by"),
        (f"{START}\n{START}\n{END}", "more than once, in 1 and 2; keep one"),
        (f"{START}\n{END}\n\n{END}", "more than once, in 2 and 4; keep one"),
        (f"{END}\n{START}", "ends in line 1 and starts in line 2; swap the two"),
    ],
)
def test_markers_that_are_missing_double_or_swapped_are_refused(page, message):
    with pytest.raises(ValueError, match=message):
        replace_block(page, "sums", "2")


def test_cells_cannot_break_a_markdown_table():
    text = markdown_table(("a", "b"), [("x|y", "two\nlines")])
    assert text.splitlines()[2:] == ["| x\\|y | two<br>lines |"]


def test_rows_of_another_length_are_refused():
    with pytest.raises(ValueError, match="row 1 has 1 cells and the heading 2"):
        markdown_table(("a", "b"), [("1", "2"), ("1",)])
