"""Markdown, aligned so that the text reads well too."""

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


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", "<br>")
