"""A file of results takes whole lines only."""

from __future__ import annotations

import json

import pytest

from hypersage_dgl.reproduction.ledger import identity, opened

ROW = {"dataset": "citeseer", "split": 1, "p": None, "test_acc": 0.5, "seconds": 1.0}


def test_what_is_added_is_on_the_disk_at_once(tmp_path):
    path = tmp_path / "folder" / "table1.jsonl"
    with opened(path) as ledger:
        ledger.add([ROW, {**ROW, "split": 2}])
        assert [json.loads(line) for line in path.read_text().splitlines()] == [
            ROW,
            {**ROW, "split": 2},
        ]
        assert len(ledger) == 2


def test_a_result_is_known_by_what_was_run_not_by_what_came_out(tmp_path):
    with opened(tmp_path / "a.jsonl") as ledger:
        ledger.add([ROW])
        assert {**ROW, "test_acc": 0.9, "command": "other"} in ledger
        assert {key: ROW[key] for key in ("split", "dataset")} in ledger
        assert {**ROW, "split": 2} not in ledger
        assert {**ROW, "p": 1.0} not in ledger


def test_a_result_is_added_once(tmp_path):
    path = tmp_path / "a.jsonl"
    with opened(path) as ledger:
        ledger.add([ROW])
        ledger.add([{**ROW, "test_acc": 0.9}, {**ROW, "split": 2}])
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["split"], row["test_acc"]) for row in rows] == [(1, 0.5), (2, 0.5)]


def test_known_results_are_those_of_the_file(tmp_path):
    path = tmp_path / "a.jsonl"
    with opened(path) as ledger:
        ledger.add([ROW])
    with opened(path) as ledger:
        assert ROW in ledger
        ledger.add([{**ROW, "split": 2}])
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize("rest", ["{", '{"split": 3, "test_acc": 0.5}', "\x00"])
def test_a_line_without_its_end_is_cut_off(tmp_path, rest):
    path = tmp_path / "a.jsonl"
    whole = json.dumps(ROW) + "\n"
    path.write_text(whole + rest)
    with opened(path) as ledger:
        assert len(ledger) == 1
        ledger.add([{**ROW, "split": 2}])
    assert path.read_text() == whole + json.dumps({**ROW, "split": 2}) + "\n"


@pytest.mark.parametrize("line", ["nonsense", "[1]", ""])
def test_other_damage_is_refused_with_its_place_and_left_as_it_is(tmp_path, line):
    path = tmp_path / "a.jsonl"
    content = json.dumps(ROW) + "\n" + line + "\n" + json.dumps(ROW) + "\n"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"a\.jsonl: line 2 is no JSON object"), opened(path):
        pass
    assert path.read_text() == content


def test_the_order_of_fields_does_not_matter():
    assert identity(ROW) == identity(dict(reversed(ROW.items())))
