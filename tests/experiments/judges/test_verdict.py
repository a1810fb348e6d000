"""How several verdicts become one."""

import pytest

from experiments.judges.verdict import together


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], "not measured yet"),
        (["not measured yet", "not measured yet"], "not measured yet"),
        (["no", "no"], "no"),
        (["no", "not measured yet"], "not measured yet"),
        (["partly", "not measured yet"], "partly"),
    ],
)
def test_several_verdicts_become_one(verdicts, expected):
    assert together(verdicts) == expected
