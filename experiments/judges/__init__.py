"""The paper's claims, and what the results say of each: a rule that was fixed, not a hand.

A claim holds its words, the rule as the page prints it, and a function of the ``Evidence``.
"""

from .evidence import Evidence, tenth
from .methods import (
    AHEAD_ELSEWHERE,
    DEVIATIONS,
    DEVIATIONS_BY_RATIO,
    FEW_TRAINING_NODES,
    GAINS,
    NO_GAIN_OVER_HGNN,
    WORST_POWER,
)
from .proofs import PROOFS
from .sampling import (
    FALLS_WITH_POWER,
    GROWS_WITH_ALPHA,
    PEAKS_AT_FIVE,
    REGULARISES,
    SAME_FOR_ALL_POWERS,
)
from .unseen import AHEAD_OF_MLP, LIKE_SEEN
from .verdict import DASH, NOT_YET, Finding, judged, yes_or_no
from .weights import AS_PRINTED

# In the order of the page.
CLAIMS = (
    DEVIATIONS,
    FEW_TRAINING_NODES,
    GAINS,
    NO_GAIN_OVER_HGNN,
    AHEAD_ELSEWHERE,
    WORST_POWER,
    SAME_FOR_ALL_POWERS,
    GROWS_WITH_ALPHA,
    PEAKS_AT_FIVE,
    REGULARISES,
    FALLS_WITH_POWER,
    LIKE_SEEN,
    AHEAD_OF_MLP,
    DEVIATIONS_BY_RATIO,
)
# Not the paper's.
OUR_CLAIMS = (AS_PRINTED,)

__all__ = [
    "CLAIMS",
    "DASH",
    "NOT_YET",
    "OUR_CLAIMS",
    "PROOFS",
    "Evidence",
    "Finding",
    "judged",
    "tenth",
    "yes_or_no",
]
