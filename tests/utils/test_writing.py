"""A file is written whole or not at all, by one writer of a folder at a time."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
import threading
import time
from pathlib import Path

import forked
import pytest

from hypersage_dgl._utils import locked, replacing, write_text


def test_writes_and_makes_its_folders(tmp_path):
    path = tmp_path / "a" / "b" / "file.bin"
    with replacing(path) as file:
        file.write(b"one")
        file.write(b"two")
    assert path.read_bytes() == b"onetwo"
    assert [p.name for p in path.parent.iterdir()] == ["file.bin"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("has_earlier", [True, False])
def test_a_failure_leaves_what_was_there(tmp_path, error, has_earlier):
    path = tmp_path / "file.bin"
    if has_earlier:
        path.write_bytes(b"earlier")

    def fail():
        with replacing(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert [p.name for p in tmp_path.iterdir()] == (["file.bin"] if has_earlier else [])
    if has_earlier:
        assert path.read_bytes() == b"earlier"


def test_until_the_end_the_earlier_file_is_seen(tmp_path):
    path = tmp_path / "file.bin"
    path.write_bytes(b"earlier")
    with replacing(path) as file:
        file.write(b"later")
        file.flush()
        assert path.read_bytes() == b"earlier"
    assert path.read_bytes() == b"later"


def test_readers_see_no_part(tmp_path):
    path, seen = tmp_path / "file.bin", set()
    contents = [bytes([65 + i]) * 20_000 for i in range(4)]
    path.write_bytes(contents[0])
    done = threading.Event()

    def read():
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(40):
        with replacing(path) as file:
            for start in range(0, 20_000, 5_000):
                file.write(contents[i % 4][start : start + 5_000])
    done.set()
    reader.join()
    assert seen <= set(contents)


def test_two_writers_do_not_mix(tmp_path):
    path = tmp_path / "file.bin"
    with replacing(path) as first, replacing(path) as second:
        first.write(b"1" * 10)
        second.write(b"2" * 10)
    assert path.read_bytes() == b"1" * 10
    assert [p.name for p in tmp_path.iterdir()] == ["file.bin"]


def test_others_may_read_it_as_any_new_file(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    with replacing(tmp_path / "ours") as file:
        file.write(b"")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "ours")]
    assert modes[0] == modes[1]


def test_a_folder_in_its_place_is_an_error_that_leaves_nothing(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError, match="file"), replacing(tmp_path / "file") as file:
        file.write(b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_of_a_link_the_target_is_replaced(tmp_path):
    (tmp_path / "deep").mkdir()
    target, link = tmp_path / "deep" / "file", tmp_path / "link"
    target.write_bytes(b"earlier")
    link.symlink_to(Path("deep") / "file")
    with replacing(link) as file:
        file.write(b"later")
    assert link.is_symlink()
    assert target.read_bytes() == b"later"
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["deep", "file", "link"]


def test_of_a_link_to_nothing_the_target_is_made(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "new" / "file")
    with replacing(tmp_path / "link") as file:
        file.write(b"later")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new" / "file").read_bytes() == b"later"


def test_links_in_a_circle_are_an_error(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="a"), replacing(tmp_path / "a") as file:
        file.write(b"x")
    assert (tmp_path / "a").is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe, seen = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: seen.append(pipe.read_bytes()))
    reader.start()
    with replacing(pipe) as file:
        file.write(b"through")
    reader.join()
    assert seen == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.skipif(not hasattr(os, "mknod"), reason="needs devices")
@pytest.mark.parametrize(("minor", "is_full"), [(3, False), (7, True)])
def test_a_device_stays_a_device(tmp_path, minor, is_full):
    device = tmp_path / "device"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        device.write_bytes(b"")
    except OSError:
        pytest.skip("only root may make a device, and not everywhere")
    # /dev/null takes all, and /dev/full says that there is no room.
    with pytest.raises(OSError, match="No space") if is_full else contextlib.nullcontext():
        write_text(device, "text")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [p.name for p in tmp_path.iterdir()] == ["device"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks and modes of POSIX")
class TestPosix:
    def test_parts_of_killed_writers_are_swept_and_those_of_living_ones_stay(self, tmp_path):
        path = tmp_path / "out.json"

        def killed():
            with replacing(path) as file:
                file.write(b"x")
                os.kill(os.getpid(), 9)

        for _ in range(2):
            assert forked.wait(forked.start(killed)) == -9
        (tmp_path / ".other.json.0123456789ab.part").touch()
        (tmp_path / ".out.json.0123456789ab.part").symlink_to(tmp_path / "nowhere")
        parts = list(tmp_path.glob(".out.json.*.part"))
        with replacing(path) as living:
            # The second killed one removed the part of the first.
            assert len(parts) == 2
            write_text(path, "[]")
            living.write(b"{}")
        names = {".out.json.0123456789ab.part", ".other.json.0123456789ab.part", "out.json"}
        assert {file.name for file in tmp_path.iterdir()} == names
        assert path.read_text() == "{}"

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
    def test_a_file_keeps_its_mode(self, tmp_path, mode):
        path = tmp_path / "out.json"
        path.write_text("old")
        path.chmod(mode)
        with replacing(path) as file:
            part = next(tmp_path.glob(".out.json.*.part"))
            # Also while it is written: nobody else shall read it meanwhile.
            assert part.stat().st_mode & 0o777 == mode
            file.write(b"new")
        assert path.stat().st_mode & 0o777 == mode
        assert path.read_text() == "new"

    def test_a_new_file_has_the_mode_of_the_process(self, tmp_path):
        before = os.umask(0o027)
        try:
            write_text(tmp_path / "a", "new")
        finally:
            os.umask(before)
        assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640

    def test_a_part_that_was_swept_before_it_was_locked_is_made_again(self, tmp_path, monkeypatch):
        from hypersage_dgl._utils import writing

        real, times = writing.fcntl.flock, []

        def swept_first(file, how):
            times.append(how)
            if len(times) == 1:
                next(tmp_path.glob(".a.*.part")).unlink()
            return real(file, how)

        monkeypatch.setattr(writing.fcntl, "flock", swept_first)
        write_text(tmp_path / "a", "new")
        assert (tmp_path / "a").read_text() == "new"
        assert len(times) == 2

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
    def test_a_full_disk_is_named(self):
        with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"):
            write_text("/dev/full", "text")


def test_a_second_one_is_told_who_holds_the_folder(tmp_path):
    with locked(tmp_path, "train"):
        words = rf"is in use by process {os.getpid()} on .* \(train\); wait"
        with pytest.raises(BlockingIOError, match=words), locked(tmp_path, "save"):
            pass
    with locked(tmp_path, "save"):
        pass
    assert [p.name for p in tmp_path.iterdir()] == [".lock"]


def test_a_killed_process_holds_nothing(tmp_path):
    reader, writer = os.pipe()

    def hold():
        with locked(tmp_path, "train"):
            os.write(writer, b"held")
            time.sleep(600)

    child = forked.start(hold)
    os.close(writer)
    try:
        assert os.read(reader, 4) == b"held"
        with pytest.raises(BlockingIOError, match=f"process {child} on"), locked(tmp_path, "save"):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
    assert forked.wait(child) == -signal.SIGKILL
    os.close(reader)
    assert (tmp_path / ".lock.holder").is_file()
    with locked(tmp_path, "save"):
        pass
