"""The paper's claims beside what we measured, judged by rules and not by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .judges.evidence import Evidence
from .judges.methods import (
    ahead_elsewhere,
    deviations,
    deviations_by_ratio,
    few_training_nodes,
    gains,
    no_gain_over_hgnn,
    worst_power,
)
from .judges.proofs import PROOFS
from .judges.sampling import (
    falls_with_power,
    grows_with_alpha,
    peaks_at_five,
    regularises,
    same_for_all_powers,
)
from .judges.unseen import ahead_of_mlp, like_seen
from .judges.verdict import Finding, judged
from .judges.weights import as_printed
from .markdown import document, markdown_table
from .records import Result

Judge = Callable[[Evidence], Finding]
HEADING = ("claim of the paper", "what we measured", "holds?")
CAPTION = """Accuracies in percent and differences in points, rounded to tenths and judged as
rounded, of recipe `paper`, on the runs there are: [results.md](results.md) says how many a cell
has. A dash where there are none. Over several data sets or p the verdict is yes or no where all say
so and partly where they differ; while a cell without runs could change it, it is "not measured
yet". The rules, by number:"""
PAPERS: tuple[tuple[str, Judge], ...] = (
    ("Smaller standard deviation over splits and initialisations than HyperGCN", deviations),
    ("Ahead of HyperGCN with few training nodes, level with it at 1:3", few_training_nodes),
    ("6.3 points above the best baseline on DBLP, 4.3 on Pubmed", gains),
    ("No gain over HGNN on Cora (co-citation)", no_gain_over_hgnn),
    ("Ahead of all baselines on the other data sets", ahead_elsewhere),
    ("p=-1 is the worst p", worst_power),
    ("At alpha=2 on DBLP accuracy does not depend on p, but for p=-1", same_for_all_powers),
    ("On DBLP accuracy grows with alpha", grows_with_alpha),
    ("On Pubmed accuracy is highest at alpha=5", peaks_at_five),
    ("Drawing alpha members of a hyperedge regularises, on Pubmed", regularises),
    ("Higher p lowers accuracy, on DBLP and Pubmed", falls_with_power),
    ("Unseen nodes score nearly like seen ones", like_seen),
    ("Far ahead of MLP + HLR on unseen nodes", ahead_of_mlp),
    ("Smaller standard deviation than HyperGCN at all train:test ratios", deviations_by_ratio),
)
OURS = "(ours) Equation 4 as printed does as well as weights that sum to one"


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
    ...     Result("cora-cocitation", m, p, None, "paper", 1, 0, None, "test", acc, None, 1.0, "")
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
    rows = [Row(claim, judged(judge, evidence), _rule(judge)) for claim, judge in PAPERS]
    rows += [Row(proof.claim, Finding(proof.words, proof.verdict), None) for proof in PROOFS]
    # Last, for it is not the paper's.
    rows.append(Row(OURS, judged(as_printed, evidence), _rule(as_printed)))
    table = [(f"{number}. {row.claim}", *row.finding) for number, row in enumerate(rows, 1)]
    rules = [f"- {number}: {row.rule}" for number, row in enumerate(rows, 1) if row.rule]
    return document([markdown_table(HEADING, table, left=2), CAPTION, "\n".join(rules)])


def _rule(judge: Judge) -> str:
    return " ".join((judge.__doc__ or "").split())
