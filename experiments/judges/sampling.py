"""What alpha, the members drawn from a hyperedge, and p do to the accuracy: table 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..names import Setting
from ..paper import paper_cells
from ..protocol import ALPHAS, PAPER, TABLE1_POWERS
from ..protocol import TABLE2_DATASETS as DATASETS
from ..protocol import TABLE2_POWERS as POWERS
from ..spread import mean
from .evidence import Evidence, hypersage, tenth
from .verdict import (
    LEVEL,
    NO,
    PARTLY,
    YES,
    Claim,
    Finding,
    ahead,
    on_each,
    rising,
    together,
    yes_or_no,
)

PEAK = 5


def _same_for_all_powers(evidence: Evidence) -> Finding:
    worst, *others = (evidence.mean(hypersage(p), Setting("dblp", 2)) for p in POWERS)
    small, printed = _range(others), _printed_range(2)
    large = _range([evidence.mean(hypersage(p), Setting("dblp", 10)) for p in POWERS[1:]])
    text = (
        f"alpha=2: {small:.1f} (paper {printed:.1f})\n"
        f"alpha=10: {large:.1f} (paper {_printed_range(10):.1f})\n"
        f"p=-1 at alpha=2: {worst:.1f}, others from {min(others):.1f}"
    )
    return Finding(text, YES if small <= printed else PARTLY if small < large else NO)


SAME_FOR_ALL_POWERS = Claim(
    "At alpha=2 on DBLP accuracy does not depend on p, but for p=-1",
    "Range of the accuracy over p, p=-1 left out, on DBLP at alpha=2 and at alpha=10. Yes if at "
    "alpha=2 it is at most the paper's, partly if it is not but smaller than at alpha=10, no "
    "otherwise.",
    _same_for_all_powers,
)


def _grows_with_alpha(evidence: Evidence) -> Finding:
    means = _by_alpha(evidence, "dblp")
    return Finding(_listed("alpha", means), rising(list(means.values())))


GROWS_WITH_ALPHA = Claim(
    "On DBLP accuracy grows with alpha",
    "Mean over p for each alpha on DBLP. Yes if alpha=10 is half a point or more above alpha=2 "
    "and no alpha is that much below the one before, partly if one is, no otherwise.",
    _grows_with_alpha,
)


def _peaks_at_five(evidence: Evidence) -> Finding:
    means = _by_alpha(evidence, "pubmed")
    won = 0
    for p in POWERS:
        row = {alpha: evidence.mean(hypersage(p), Setting("pubmed", alpha)) for alpha in ALPHAS}
        won += row[PEAK] == max(row.values())
    others = max(value for alpha, value in means.items() if alpha != PEAK)
    in_mean, in_half = tenth(means[PEAK] - others) >= LEVEL, 2 * won >= len(POWERS)
    text = f"{_listed('alpha', means)}\nalpha=5 is best for {won} of {len(POWERS)} p"
    return Finding(text, together(map(yes_or_no, (in_mean, in_half))))


PEAKS_AT_FIVE = Claim(
    "On Pubmed accuracy is highest at alpha=5",
    "Mean over p for each alpha on Pubmed, and the number of p that are best at alpha=5. Best "
    "is what no other alpha is above. Yes if alpha=5 is half a point or more above all others "
    "in the mean and best for at least half of the p, partly if only one of these holds, no "
    "otherwise.",
    _peaks_at_five,
)


def _regularises(evidence: Evidence) -> Finding:
    def judge(dataset: str) -> Finding:
        full = (PAPER, Setting(dataset))
        by_alpha = {}
        for alpha in ALPHAS:
            sampled = (PAPER, Setting(dataset, alpha))
            by_alpha[alpha] = {p: evidence.gain(hypersage(p), sampled, full) for p in TABLE1_POWERS}
        best = max(ALPHAS, key=lambda alpha: mean(by_alpha[alpha].values()))
        gains = by_alpha[best]
        text = f"alpha={best}: {_listed('p', gains, '+.1f')}"
        return Finding(text, together(ahead(gain) for gain in gains.values()))

    return Finding(on_each(DATASETS, judge).measured, judge("pubmed").verdict)


REGULARISES = Claim(
    "Drawing alpha members of a hyperedge regularises, on Pubmed",
    "Gain of the best alpha over the full neighbourhood of table 1, by p. Both have the same p, "
    "splits and initialisations. The best alpha of a data set is that of the largest mean gain "
    "over p; it is chosen by the test nodes, in favour of the claim. Pubmed alone is judged: of "
    "DBLP the paper says that accuracy grows with alpha, and there table 2 trains in "
    "minibatches of 256 training nodes, seven an epoch, and table 1 with the full batch, so "
    "that the gain mixes the noise of minibatches with that of sampling. Yes for a p with a "
    "gain of half a point or more, partly for one with less either way, no otherwise.",
    _regularises,
)


def _falls_with_power(evidence: Evidence) -> Finding:
    def judge(dataset: str) -> Finding:
        means = {
            p: _mean(evidence.mean(hypersage(p), Setting(dataset, alpha)) for alpha in ALPHAS)
            for p in POWERS
            if p >= 1
        }
        return Finding(_listed("p", means), rising([-value for value in means.values()]))

    return on_each(DATASETS, judge)


FALLS_WITH_POWER = Claim(
    "Higher p lowers accuracy, on DBLP and Pubmed",
    "Mean over alpha for each p from 1 to 5. Yes where p=5 is half a point or more below p=1 "
    "and no p is that much above the one before, partly where one is, no otherwise.",
    _falls_with_power,
)


def _by_alpha(evidence: Evidence, dataset: str) -> dict[float, float]:
    return {
        alpha: _mean(evidence.mean(hypersage(p), Setting(dataset, alpha)) for p in POWERS)
        for alpha in ALPHAS
    }


def _mean(values: Iterable[float]) -> float:
    return tenth(mean(values))


def _listed(name: str, values: Mapping[float, float], style: str = ".1f") -> str:
    return ", ".join(f"{name}={key:g} {value:{style}}" for key, value in values.items())


def _range(values: Sequence[float]) -> float:
    return tenth(max(values) - min(values))


def _printed_range(alpha: int) -> float:
    """The paper's range over p on DBLP, p=-1 left out."""
    printed, setting = paper_cells("table2"), Setting("dblp", alpha)
    powers = [p for (_, p), where in printed if where == setting and p is not None and p > 0]
    return _range([printed[hypersage(p), setting].mean for p in powers])
