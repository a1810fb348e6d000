"""Nodes that training did not see: table 3."""

from __future__ import annotations

from ..names import Setting
from ..paper import paper_cells
from ..protocol import TABLE3_DATASETS as DATASETS
from .evidence import Evidence, Lead, hypersage, tenth
from .verdict import NO, PARTLY, YES, Claim, Finding, on_each, yes_or_no

MLP_HLR = ("mlp+hlr", None)


def _like_seen(evidence: Evidence) -> Finding:
    def judge(dataset: str) -> Finding:
        seen, unseen = (Setting(dataset, part=part) for part in ("seen", "unseen"))
        variant, printed = hypersage(1.0), paper_cells("table3")
        gap = tenth(evidence.mean(variant, seen) - evidence.mean(variant, unseen))
        paper = printed[variant, seen].mean - printed[variant, unseen].mean
        return Finding(f"{gap:+.1f} (paper {paper:+.1f})", yes_or_no(gap < 5))

    return on_each(DATASETS, judge)


LIKE_SEEN = Claim(
    "Unseen nodes score nearly like seen ones",
    "Accuracy on seen nodes less that on unseen ones, of HyperSAGE (p=1). Yes where it is below "
    "5 points, as everywhere in the paper.",
    _like_seen,
)


def _ahead_of_mlp(evidence: Evidence) -> Finding:
    def judge(dataset: str) -> Finding:
        setting, printed = Setting(dataset, part="unseen"), paper_cells("table3")
        variants = (hypersage(1.0), MLP_HLR)
        lead = Lead.of(*(evidence.spread(variant, setting) for variant in variants))
        ours, theirs = (printed[variant, setting].mean for variant in variants)
        as_large = tenth(lead.points - (ours - theirs)) >= -1 and not lead.is_level
        verdict = NO if lead.points <= 0 else YES if as_large else PARTLY
        return Finding(f"{lead}, paper {ours - theirs:+.1f}", verdict)

    return on_each(DATASETS, judge)


AHEAD_OF_MLP = Claim(
    "Far ahead of MLP + HLR on unseen nodes",
    "Lead of HyperSAGE (p=1) over MLP + HLR on unseen nodes. Beside a lead stands the pooled "
    "standard deviation of the two. Yes where the lead is not below it and at most a point "
    "below the paper's, partly where it is smaller but above zero, no otherwise.",
    _ahead_of_mlp,
)
