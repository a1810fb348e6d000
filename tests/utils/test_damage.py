"""Whatever a reader fails with becomes one ValueError that says what, why and the cure."""

from __future__ import annotations

import io
import zipfile
import zlib

import numpy as np
import pytest

from hypersage_dgl._utils import refusing_damage


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad header"),
        OSError("gone"),
        KeyError("name"),
        EOFError("short"),
        zipfile.BadZipFile("no zip"),
        zlib.error("bits"),
        MemoryError("huge"),
        NotImplementedError("method 99"),
        RuntimeError("password"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_error_of_a_reader(error):
    words = r"^a\.npz is damaged \(.*\); save it again$"
    damage = refusing_damage("a.npz is damaged", "save it again")
    with pytest.raises(ValueError, match=words) as caught, damage:
        raise error
    assert type(error).__name__ in str(caught.value)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_failure_of_a_reader_passes(error):
    with pytest.raises(error), refusing_damage("a.npz is damaged", "save it again"):
        raise error


def test_what_goes_well_goes_well():
    with refusing_damage("a.npz is damaged", "save it again"):
        found = int("7")
    assert found == 7


def test_numpy_files_cut_off_anywhere():
    buffer = io.BytesIO()
    np.savez_compressed(buffer, a=np.arange(50))
    whole = buffer.getvalue()
    for end in range(0, len(whole), 7):
        damage = refusing_damage("it is cut off", "save it again")
        with pytest.raises(ValueError, match=r"^it is cut off \(\w+:"), damage:
            np.load(io.BytesIO(whole[:end]), allow_pickle=False)["a"]
