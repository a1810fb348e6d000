"""A file of results takes whole lines only, and is whole whenever it is read."""

from __future__ import annotations

import gzip
import json
import os
import signal
from contextlib import suppress

import forked
import pytest

from experiments import ledger as module
from experiments.ledger import identity, opened, read_lines

ROW = {"dataset": "citeseer", "split": 1, "p": None, "test_acc": 0.5, "seconds": 1.0}
OTHER = {**ROW, "split": 2}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "table1.jsonl.gz"


@pytest.fixture
def journal(path):
    path.parent.mkdir()
    return path.with_suffix("")


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def rows(path):
    return [json.loads(line) for _, line in read_lines(path)]


def test_what_is_added_is_on_the_disk_at_once_and_packed_at_the_end(path):
    with opened(path) as ledger:
        ledger.add([ROW, OTHER])
        assert path.with_suffix("").read_text() == lines(ROW, OTHER)
        assert rows(path) == [ROW, OTHER]
        assert len(ledger) == 2
    assert list(path.parent.iterdir()) == [path]
    assert gzip.decompress(path.read_bytes()).decode() == lines(ROW, OTHER)
    assert rows(path) == [ROW, OTHER]


def test_packing_gives_the_same_bytes_and_none_are_touched_without_a_new_line(path, monkeypatch):
    made = []
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        with opened(path.with_name(name)) as ledger:
            ledger.add([ROW])
        made.append(path.with_name(name).read_bytes())
    assert made[0] == made[1]
    # Bytes 4 to 7 are the time of writing.
    assert made[0][4:8] == bytes(4)
    monkeypatch.setattr(module, "write_text", None)
    with opened(path.with_name("a.jsonl.gz")) as ledger:
        ledger.add([ROW])


def test_a_result_is_known_by_what_was_run_not_by_what_came_out(path):
    with opened(path) as ledger:
        ledger.add([ROW])
        assert {**ROW, "test_acc": 0.9, "command": "other"} in ledger
        assert {key: ROW[key] for key in ("split", "dataset")} in ledger
        assert OTHER not in ledger
        assert {**ROW, "p": 1.0} not in ledger


def test_a_result_is_added_once(path):
    with opened(path) as ledger:
        ledger.add([ROW])
        ledger.add([{**ROW, "test_acc": 0.9}, OTHER])
    assert [(row["split"], row["test_acc"]) for row in rows(path)] == [(1, 0.5), (2, 0.5)]


def test_known_results_are_those_of_the_file(path):
    with opened(path) as ledger:
        ledger.add([ROW])
    with opened(path) as ledger:
        assert ROW in ledger
        ledger.add([OTHER])
    assert rows(path) == [ROW, OTHER]


@pytest.mark.parametrize("rest", ["{", '{"split": 3, "test_acc": 0.5}', "\x00"])
def test_a_line_without_its_end_is_cut_off(path, journal, rest):
    journal.write_text(lines(ROW) + rest)
    assert rows(path) == [ROW]
    with opened(path) as ledger:
        assert len(ledger) == 1
        ledger.add([OTHER])
        assert journal.read_text() == lines(ROW, OTHER)
    assert rows(path) == [ROW, OTHER]


@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b"", b"\xff"])
def test_other_damage_is_refused_with_its_place_and_left_as_it_is(path, journal, line):
    content = lines(ROW).encode() + line + b"\n" + lines(ROW).encode()
    journal.write_bytes(content)
    with pytest.raises(ValueError, match=r"table1\.jsonl: line 2 is no"), opened(path):
        pass
    assert journal.read_bytes() == content
    assert not path.exists()


@pytest.mark.parametrize("cut", [1, 20, 40])
def test_a_damaged_gzip_file_is_refused_and_left_as_it_is(path, cut):
    with opened(path) as ledger:
        ledger.add([ROW])
    path.write_bytes(damaged := path.read_bytes()[:-cut])
    with pytest.raises(ValueError, match=r"table1\.jsonl\.gz: truncated or damaged"), opened(path):
        pass
    assert path.read_bytes() == damaged


def test_after_kill_9_the_lines_are_read_and_the_next_one_packs_them(path):
    with opened(path) as ledger:
        ledger.add([{"split": 1}])

    def killed():
        with opened(path) as ledger:
            ledger.add([{"split": 2}])
            os.kill(os.getpid(), signal.SIGKILL)

    assert forked.wait(forked.start(killed)) == -signal.SIGKILL
    assert path.with_suffix("").read_text() == lines({"split": 2})
    assert rows(path) == [{"split": 1}, {"split": 2}]
    with opened(path) as ledger:
        assert {"split": 2} in ledger
        ledger.add([{"split": 3}])
    assert list(path.parent.iterdir()) == [path]
    assert rows(path) == [{"split": 1}, {"split": 2}, {"split": 3}]


def test_killed_between_packing_and_removing_the_journal_no_line_counts_twice(path):
    with opened(path) as ledger:
        ledger.add([ROW, OTHER])
    packed = path.read_bytes()
    path.with_suffix("").write_text(lines(OTHER))
    with opened(path) as ledger:
        assert len(ledger) == 2
    assert path.read_bytes() == packed


def test_an_error_keeps_what_was_added(path):
    with suppress(KeyError), opened(path) as ledger:
        ledger.add([ROW])
        raise KeyError
    assert rows(path) == [ROW]


def test_a_journal_that_was_packed_meanwhile_is_not_written_to(path, monkeypatch):
    """Between our opening and our lock another process packs and removes the file."""
    lock, times = module.fcntl.flock, []

    def late(file, how):
        if not times:
            times.append(os.fstat(file.fileno()).st_ino)
            path.with_suffix("").unlink()
        lock(file, how)

    monkeypatch.setattr(module.fcntl, "flock", late)
    with opened(path) as ledger:
        ledger.add([ROW])
    assert times
    assert rows(path) == [ROW]


def test_a_name_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.jsonl\.gz"):
        read_lines(tmp_path / "table1.jsonl")


def test_without_a_file_there_is_no_line(path):
    assert read_lines(path) == []


def test_the_order_of_fields_does_not_matter():
    assert identity(ROW) == identity(dict(reversed(ROW.items())))
