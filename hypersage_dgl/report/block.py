"""Parts of a page that are made by code, between two comments that do not show."""

from __future__ import annotations

from collections.abc import Sequence


def replace_block(page_text: str, name: str, content: str) -> str:
    r"""Replace what stands between the two lines that mark a block; the rest stays as it is.

    Parameters
    ----------
    page_text
        A page with the lines ``<!-- NAME: made by hypersage reproduce report -->`` and
        ``<!-- end of NAME -->``.
    name
        The NAME.
    content
        What is to stand between them, with an empty line on either side.

    Raises
    ------
    ValueError
        If one of the lines is missing, is there twice, or the end comes first.

    Examples
    --------
    >>> page = "<!-- sums: made by hypersage reproduce report -->\nold\n<!-- end of sums -->\nBye."
    >>> print(replace_block(page, "sums", "1 + 1 = 2"))
    <!-- sums: made by hypersage reproduce report -->
    <BLANKLINE>
    1 + 1 = 2
    <BLANKLINE>
    <!-- end of sums -->
    Bye.
    """
    lines = page_text.split("\n")
    start = _only(lines, f"<!-- {name}: made by hypersage reproduce report -->")
    end = _only(lines, f"<!-- end of {name} -->")
    if end < start:
        raise ValueError(
            f"block {name} ends in line {end + 1} and starts in line {start + 1}; swap the two"
        )
    return "\n".join([*lines[: start + 1], "", content.strip("\n"), "", *lines[end:]])


def _only(lines: Sequence[str], marker: str) -> int:
    """Place of the one line that is the marker."""
    places = [place for place, line in enumerate(lines) if line.strip() == marker]
    if not places:
        raise ValueError(f"there is no line {marker!r}; add one where the block belongs")
    if len(places) > 1:
        numbers = " and ".join(str(place + 1) for place in places)
        raise ValueError(f"the line {marker!r} is there more than once, in {numbers}; keep one")
    return places[0]
