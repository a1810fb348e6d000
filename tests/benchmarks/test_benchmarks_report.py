"""Pages show what the rows say, and the committed ones are those of the committed rows."""

import re
from pathlib import Path

import pytest

from benchmarks.command import main
from benchmarks.report import compared, fill, performance_page, ratios_of, read_rows, shown, table

ROOT = Path(__file__).parents[2]
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("*.jsonl"))


def row(ratio, reference=False, goal=None, **more):
    case = {"case": "ours", "reference": reference, "median_s": 0.25, "minimum_s": 0.002}
    case |= {"peak_mib": 1234.4, "ratio": ratio, "ratios": {"theirs": ratio}}
    case |= {} if goal is None else {"goal": goal}
    found = {"benchmark": "layer", "comparison": "width 32", "cases": [case], "repeats": 3}
    found |= {
        "busy": 0,
        "missing": {},
        "threads": 2,
        "machine": "one",
        "date": "2020-01-01",
        "load": 3.5,
    }
    return {**found, "versions": {"torch": "2"}, "command": "run", **more}


@pytest.mark.parametrize(("ratio", "verdict"), [(0.5, "0.5 kept"), (0.51, "0.5 missed")])
def test_a_table_says_whether_the_goal_is_kept(ratio, verdict):
    line = table(row(ratio, goal=0.5)).splitlines()[-1]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["ours", "250 ms", "2 ms", "1,234", f"{ratio:.2f}", verdict]


def test_missing_peers_and_busy_neighbours_are_said():
    text = table(row(1.0, missing={"DHG": "ImportError: gone"}, busy=2))
    assert "beside 2 busy processes" in text
    assert "Not there: DHG: ImportError: gone." in text


def test_seconds_are_shown_in_their_unit():
    assert [shown(s) for s in (12.345, 0.12345, 0.0000123)] == ["12.35 s", "123 ms", "0.0123 ms"]


@pytest.mark.parametrize(("new", "has_grown"), [(1.24, False), (1.26, True), (0.3, False)])
def test_only_a_ratio_that_has_grown_by_a_quarter_fails(new, has_grown):
    text, found = compared([row(1.0)], [row(new)])
    assert found == has_grown
    assert ("grown" in text) == has_grown
    assert f"{new:.2f}" in text


def test_references_have_no_ratio_to_compare():
    assert ratios_of([row(1.0, reference=True), row(2.0)]) == {("layer", "width 32", "ours"): 2.0}


def test_a_page_has_the_origin_of_its_numbers():
    text = performance_page([row(1.0)])
    for words in (
        "    run\n",
        "one; 2 threads",
        "up to 3.5",
        "2020-01-01",
        "torch 2",
        "## The layer",
    ):
        assert words in text


@pytest.mark.skipif(not RESULTS, reason="this tree has no results of benchmarks")
def test_the_committed_page_is_that_of_the_committed_rows():
    rows = [row for path in RESULTS for row in read_rows(path)]
    assert (ROOT / "docs" / "performance.md").read_text("utf-8") == performance_page(rows)


@pytest.mark.skipif(not RESULTS, reason="this tree has no results of benchmarks")
def test_a_report_of_the_committed_rows_changes_nothing(tmp_path, capsys):
    (tmp_path / "docs" / "figures").mkdir(parents=True)
    pages = ("docs/scaling.md", "README.md")
    before = [(ROOT / page).read_text("utf-8") for page in pages]
    for page, text in zip(pages, before):
        (tmp_path / page).write_text(text, "utf-8")
    docs = tmp_path / "docs"
    assert main(["report", "--docs", str(docs), "--results", str(RESULTS[0].parent)]) == 0
    assert [(tmp_path / page).read_text("utf-8") for page in pages] == before
    assert "<svg" in (docs / "figures" / "growth.svg").read_text("utf-8")
    assert re.search(r"off by \d\.\d\d", before[0])


def test_a_page_without_the_marks_of_a_part_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing", "utf-8")
    with pytest.raises(ValueError, match="must have the lines <!-- speed: made by"):
        fill(page, "speed", "a table")
