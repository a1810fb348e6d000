"""Markdown: tables aligned so that the text reads well too, and blocks that code fills in."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Make a table of the heading and the rows, the first ``left`` columns left, others centred.

    Vertical bars and line ends in a cell, which would break the table, are escaped.

    Examples
    --------
    >>> print(markdown_table(("method", "DBLP"), [("HGNN", "69.2 ± 5.1"), ("MLP", "-")]))
    | method |    DBLP    |
    | :----- | :--------: |
    | HGNN   | 69.2 ± 5.1 |
    | MLP    |     -      |
    """
    for number, row in enumerate(rows):
        if len(row) != len(heading):
            raise ValueError(
                f"row {number} has {len(row)} cells and the heading {len(heading)}; give one for "
                "each column"
            )
    lines = [[_escaped(cell) for cell in line] for line in (heading, *rows)]
    # Three characters are the least that a rule of a centred column takes.
    widths = [max(3, *map(len, column)) for column in zip(*lines)]
    rule = [f":{'-' * (w - 1)}" if i < left else f":{'-' * (w - 2)}:" for i, w in enumerate(widths)]
    padded = [
        [c.ljust(w) if i < left else c.center(w) for i, (c, w) in enumerate(zip(line, widths))]
        for line in lines
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (padded[0], rule, *padded[1:]))


def document(parts: Sequence[str]) -> str:
    r"""Join headings, paragraphs and tables; of nothing, say so.

    Examples
    --------
    >>> document(["### Heading", "Text."]), document([])
    ('### Heading\n\nText.\n', 'No results yet.\n')
    """
    return "\n\n".join(parts or ["No results yet."]) + "\n"


def replace_block(page_text: str, name: str, content: str) -> str:
    r"""Replace what stands between the two lines that mark a block; the rest stays as it is.

    Parameters
    ----------
    page_text
        A page with the lines ``<!-- NAME: made by python -m experiments report -->`` and
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
    >>> start = "<!-- sums: made by python -m experiments report -->"
    >>> page = f"{start}\nold\n<!-- end of sums -->\nBye."
    >>> print(replace_block(page, "sums", "1 + 1 = 2"))
    <!-- sums: made by python -m experiments report -->
    <BLANKLINE>
    1 + 1 = 2
    <BLANKLINE>
    <!-- end of sums -->
    Bye.
    """
    lines = page_text.split("\n")
    start = _only(lines, f"<!-- {name}: made by python -m experiments report -->")
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


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", "<br>")
