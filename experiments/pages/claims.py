"""The paper's claims beside what we measured, judged by rules and not by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..judges import CLAIMS, OUR_CLAIMS, PROOFS, Evidence, Finding, judged
from ..result import Result
from .markdown import document, markdown_table

HEADING = ("claim of the paper", "what we measured", "holds?")
CAPTION = """Accuracies in percent and differences in points, rounded to tenths and judged as
rounded, of recipe `paper`, on the runs there are: [results.md](results.md) says how many a cell
has. A dash where there are none. Over several data sets or p the verdict is yes or no where all say
so and partly where they differ; while a cell without runs could change it, it is "not measured
yet". The rules, by number:"""


class Row(NamedTuple):
    """A claim, what was found, and the rule; none where a test is the proof."""

    claim: str
    finding: Finding
    rule: str | None


def claims(results: Iterable[Result]) -> str:
    """Judge the paper's claims: a table in Markdown, and the rule of each verdict below it.

    Parameters
    ----------
    results
        Results of all experiments, in any order. What they lack is "not measured yet".

    Examples
    --------
    >>> runs = [
    ...     Result("cora-cocitation", m, "paper", 1, p=p, test_acc=acc)
    ...     for m, p, acc in (
    ...         ("hgnn", None, 0.70), ("hypersage", -1.0, 0.62), ("hypersage", 0.01, 0.682),
    ...         ("hypersage", 1.0, 0.693), ("hypersage", 2.0, 0.629),
    ...     )
    ... ]
    >>> for line in claims(runs).splitlines()[2:6]:
    ...     print(" ".join(line.split()))
    | 1. Smaller standard deviation over splits and ... than HyperGCN | - | not measured yet |
    | 2. Ahead of HyperGCN with few training nodes, ... | - | not measured yet |
    | 3. 6.3 points above the best baseline on DBLP, 4.3 on Pubmed | - | not measured yet |
    | 4. No gain over HGNN on Cora (co-citation) | -0.7 (HyperSAGE (p=1) 69.3, HGNN 70.0) | yes |
    """
    evidence = Evidence(results)
    papers, ours = (
        [Row(claim.words, judged(claim.judge, evidence), claim.rule) for claim in claims_of]
        for claims_of in (CLAIMS, OUR_CLAIMS)
    )
    proved = [Row(proof.claim, Finding(proof.words, proof.verdict), None) for proof in PROOFS]
    # Ours last, for they are not the paper's.
    rows = [*papers, *proved, *ours]
    table = [(f"{number}. {row.claim}", *row.finding) for number, row in enumerate(rows, 1)]
    rules = [f"- {number}: {row.rule}" for number, row in enumerate(rows, 1) if row.rule]
    return document([markdown_table(HEADING, table, left=2), CAPTION, "\n".join(rules)])
