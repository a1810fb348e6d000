"""What a pickle must not do before it is even opened: other opcodes, and endless work."""

import copyreg
import pickle
import struct

import numpy as np
import pytest

from hypersage_dgl.data.unpickle import load_pickle


def test_a_class_that_the_process_has_registered_is_not_taken_from_its_cache(tmp_path):
    victim = tmp_path / "run"
    content = b"\x80\x02\x82\xf0X" + struct.pack("<I", len(f"touch {victim}"))
    content += f"touch {victim}".encode() + b"\x85R."
    copyreg.add_extension("os", "system", 0xF0)
    try:
        # Python's own reader fills the cache, which later readers take classes from.
        pickle.loads(b"\x80\x02\x82\xf0.")
        with pytest.raises(ValueError, match="contains the opcode EXT1"):
            load_pickle(content, "a")
    finally:
        copyreg.remove_extension("os", "system", 0xF0)
        copyreg.clear_extension_cache()
    assert not victim.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x80\x02\x83\x01\x02.", "the opcode EXT2"),
        (b"\x80\x02\x84\x01\x02\x03\x04.", "the opcode EXT4"),
        (b"Pname\n.", "the opcode PERSID"),
        (b"K\x01Q.", "the opcode BINPERSID"),
        (b"(K\x01ios\nsystem\n.", "the opcode INST"),
        (b"(cbuiltins\nset\no.", "the opcode OBJ"),
        (b"\x80\x05\x97.", "the opcode NEXT_BUFFER"),
        (b"\x80\x02]2.", "the opcode DUP"),
        (b"\x80\x02]r\xff\xff\xff\x0f.", "the memo index 268435455"),
        (b"]p99999999\n.", "the memo index 99999999"),
    ],
)
def test_opcodes_beyond_those_of_the_benchmarks_are_refused(content, message):
    with pytest.raises(ValueError, match=f"contains {message}, which no file"):
        load_pickle(content, "a")


def twice(depth):
    """Give a tuple that holds another twice, which holds another twice: its hash takes years."""
    value = ()
    for _ in range(depth):
        value = (value, value)
    return value


def nested(depth, inner=()):
    value = inner
    for _ in range(depth):
        value = (value,)
    return value


def test_tuples_that_take_forever_to_hash_are_refused():
    # Pickled as members of a list: to make the set or dict here would take as long.
    as_set = pickle.dumps([twice(200)], protocol=4).replace(b"]", b"\x8f(", 1)[:-2] + b"\x90."
    with pytest.raises(ValueError, match="a tuple that is used twice"):
        load_pickle(as_set, "a")


def test_tuples_that_overflow_the_stack_are_refused():
    with pytest.raises(ValueError, match="more than 100 tuples"):
        load_pickle(b"\x80\x04\x8f(" + b")" + b"\x85" * 10**6 + b"\x90.", "a")


def test_tuples_of_few_levels_are_read():
    value = {nested(3, (1, 2)): [nested(5)]}
    assert load_pickle(pickle.dumps(value, protocol=4), "a") == value


def test_many_numbers_of_numpy_are_read():
    numbers = [np.int64(i) for i in range(500)]
    assert load_pickle(pickle.dumps(numbers, protocol=4), "a") == list(range(500))


def test_a_frame_beyond_the_file_is_refused():
    with pytest.raises(ValueError, match="a frame of 4294967295 bytes in a file of"):
        load_pickle(b"\x80\x04\x95\xff\xff\xff\xff\0\0\0\0].", "a")
