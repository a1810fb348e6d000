"""Every benchmark runs on little data and writes rows with their keys."""

import json

import pytest

from benchmarks.command import LARGE, NAMES, main, module_of

OF_A_ROW = {"benchmark", "threads", "machine", "load", "date", "versions", "command"}
OF_A_CASE = {"case", "reference", "median_s", "minimum_s", "peak_mib", "ratio", "ratios"}
LONG = {"layer", "loading", "training", "inference", "arrivals", "scaling", "distributed"}
TRIED = [pytest.param(n, marks=pytest.mark.exhaustive if n in LONG else ()) for n in NAMES]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TRIED)
def test_a_try_writes_rows(name, tmp_path, capsys):
    out = tmp_path / "rows.jsonl"
    assert main(["run", name, "--quick", "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows
    for row in rows:
        assert row.keys() >= OF_A_ROW
        assert row["benchmark"] == name
        assert row["command"] == f"python -m benchmarks run {name} --quick"
        assert all(case.keys() >= OF_A_CASE for case in row.get("cases", ()))
    printed = capsys.readouterr().out
    assert printed.count("| :--") >= len(rows)


def test_all_are_listed_with_what_they_measure(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*NAMES, LARGE]
    for name in NAMES:
        assert hasattr(module_of(name), "comparisons") != hasattr(module_of(name), "rows")


def test_a_name_that_is_none_is_refused(capsys):
    assert main(["run", "everything"]) == 2
    assert "invalid choice: 'everything'" in capsys.readouterr().err
