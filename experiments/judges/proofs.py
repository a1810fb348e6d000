"""Claims about the layer itself, which tests decide and no result can change."""

from __future__ import annotations

from typing import NamedTuple

from .verdict import NO, PARTLY


class Proof(NamedTuple):
    """A claim of the paper, what is so, and the tests that show it."""

    claim: str
    shown: str
    file: str
    tests: tuple[str, ...]
    verdict: str

    @property
    def words(self) -> str:
        """What is so and where it is shown.

        Examples
        --------
        >>> PROOFS[2].words.splitlines()[1]
        '`tests/nn/test_graphs.py`: `test_mean`, `test_max_is_pool_with_an_identity`, `test_lstm`'
        """
        return f"{self.shown}\n`{self.file}`: {', '.join(f'`{test}`' for test in self.tests)}"


PROOFS = (
    Proof(
        "Equation 4 has Property 2, global neighbourhood invariance",
        'not as printed; `inter="size"` and `inter="invariant"` have it without self, where the '
        "parts of a hyperedge share one node alone",
        "tests/nn/test_laws.py",
        (
            "test_fails_for_paper_and_mean",
            "test_holds_without_self",
            "test_fails_under_overlapping_splits",
        ),
        NO,
    ),
    Proof(
        "The two Fano planes of Figure 1 are told apart",
        "not with one p at both levels, as in the paper; with two they are",
        "tests/nn/test_identities.py",
        ("test_one_power_cannot_tell_them_apart", "test_two_powers_tell_them_apart"),
        PARTLY,
    ),
    Proof(
        "GraphSAGE is a special case",
        "mean, max and LSTM without self and the L2 step, but only with one W for both of its "
        "matrices, and max only without its network",
        "tests/nn/test_graphs.py",
        ("test_mean", "test_max_is_pool_with_an_identity", "test_lstm"),
        PARTLY,
    ),
    Proof(
        "GCN is a special case",
        '`GraphConv(norm="right")` is one, the usual `norm="both"` is not',
        "tests/nn/test_graphs.py",
        (
            "test_graph_convolution_with_right_norm",
            "test_graph_convolution_with_norm_on_both_sides_is_not_a_special_case",
        ),
        PARTLY,
    ),
)
