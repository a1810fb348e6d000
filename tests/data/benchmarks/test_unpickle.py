"""The reader of the public pickles: what it reads, and that it runs nothing."""

import codecs
import copyreg
import functools
import importlib
import operator
import os
import pickle
import struct
import subprocess

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.data.benchmarks.unpickle import load_pickle

MATRIX = sparse.random(7, 5, density=0.4, random_state=3, dtype=np.float32, format="csr")


def renamed(content, new):
    """Give numpy and scipy the module names of other versions; protocol 3 has them as text."""
    for old_numpy in (b"numpy._core.multiarray", b"numpy.core.multiarray"):
        content = content.replace(b"c" + old_numpy + b"\n", b"c" + new[0] + b"\n")
    for old_scipy in (b"scipy.sparse._csr", b"scipy.sparse.csr"):
        content = content.replace(b"c" + old_scipy + b"\n", b"c" + new[1] + b"\n")
    return content


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_reads_plain_values(protocol):
    value = {"V Gupta": [1, 2, 70000], 3: {4, 5}, "train": [], "neg": [-1, 2.5, None, True]}
    assert load_pickle(pickle.dumps(value, protocol=protocol), "a") == value


def test_reads_names_of_python_2_that_are_not_ascii():
    # What Python 2 wrote for {"Müller": [1]}: a str of latin-1 bytes.
    assert load_pickle(b"\x80\x02}U\x06M\xfcller]K\x01as.", "a") == {"Müller": [1]}


@pytest.mark.parametrize("number", [np.int32(-7), np.int64(2**40), np.float32(0.5), np.bool_(True)])
def test_reads_numpy_numbers_as_pythons_own(number):
    got = load_pickle(pickle.dumps([number], protocol=4), "a")
    assert got == [number.item()]
    assert type(got[0]) is type(number.item())


@pytest.mark.parametrize(
    "names",
    [
        (b"numpy.core.multiarray", b"scipy.sparse.csr"),
        (b"numpy._core.multiarray", b"scipy.sparse._csr"),
    ],
)
def test_reads_the_names_of_old_and_new_versions(names):
    matrix = load_pickle(renamed(pickle.dumps(MATRIX, protocol=3), names), "a")
    assert isinstance(matrix, sparse.csr_matrix)
    assert matrix.dtype == np.float32
    assert np.array_equal(matrix.toarray(), MATRIX.toarray())
    numbers = [np.int64(3), np.int64(9)]
    assert load_pickle(renamed(pickle.dumps(numbers, protocol=3), names), "a") == [3, 9]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(4, dtype=">i8"),
        np.empty((0, 3), dtype=np.float32),
    ],
)
def test_reads_arrays(array):
    got = load_pickle(pickle.dumps(array, protocol=4), "a")
    assert got.dtype == array.dtype
    assert np.array_equal(got, array)
    assert got.flags.writeable


def test_damaged_indices_are_found():
    broken = MATRIX.copy()
    broken.indices[0] = 99
    with pytest.raises(ValueError, match=r"features\.pickle: not a readable pickle"):
        load_pickle(pickle.dumps(broken, protocol=4), "features.pickle")


@pytest.mark.parametrize("value", [{"train": [np.int64(1)]}, {1: {2}}, MATRIX], ids=str)
def test_every_truncation_is_an_error(value):
    content = pickle.dumps(value, protocol=4)
    for length in range(len(content)):
        with pytest.raises(ValueError, match="get the file again"):
            load_pickle(content[:length], "a")


class Runs:
    """Pickles as a call."""

    def __init__(self, function, *args, state=None):
        self.call = (function, args, state)

    def __reduce__(self):
        return self.call


def matrix_with(value):
    matrix = MATRIX.copy()
    matrix.extra = value
    return matrix


# Each makes a pickle that runs the given shell command when Python's own reader opens it.
ATTACKS = {
    "os.system": lambda command: Runs(os.system, command),
    "eval": lambda command: Runs(eval, f"__import__('os').system({command!r})"),
    "exec": lambda command: Runs(exec, f"import os; os.system({command!r})"),
    "subprocess": lambda command: Runs(subprocess.getoutput, command),
    "partial": lambda command: Runs(functools.partial(os.system, command)),
    "methodcaller": lambda command: Runs(
        operator.methodcaller("system", command), Runs(importlib.import_module, "os")
    ),
    "in a list": lambda command: {"train": [1, [Runs(os.system, command)]], "test": []},
    "as a key": lambda command: {Runs(os.system, command): [1]},
    "argument of set": lambda command: Runs(set, [Runs(os.system, command)]),
    "argument of an argument": lambda command: Runs(print, Runs(os.system, command)),
    "in an object array": lambda command: np.array([Runs(os.system, command), 1], dtype=object),
    "in a matrix": lambda command: matrix_with(Runs(os.system, command)),
}


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_attacks_are_refused_without_running(attack, protocol, tmp_path, capfd):
    marker = tmp_path / "ran"
    content = pickle.dumps(ATTACKS[attack](f"touch {marker}"), protocol=protocol)
    with pytest.raises(ValueError, match="nothing of it was run"):
        load_pickle(content, "a")
    assert not marker.exists()
    # The attack is a real one: Python's own reader falls for it.
    pickle.loads(content)
    assert marker.exists()


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (np.array([1, "a"], dtype=object), r"numpy\.dtype\('O8'\)"),
        (np.zeros(2, dtype=[("x", "f4")]), r"numpy\.dtype\('V4'\)"),
        (np.array(["a"]), r"numpy\.dtype\('U1'\)"),
        (np.ma.masked_array([1.0]), r"numpy\.ma\.core\._mareconstruct"),
        (range(3), r"builtins\.range"),
        (bytearray(b"a"), r"builtins\.bytearray"),
        (Runs(codecs.encode, "a", "rot13"), r"_codecs\.encode"),
        (Runs(np.load, "a.npy"), r"numpy\.load"),
        (sparse.coo_matrix([[1.0]]), r"scipy\.sparse\._coo\.coo_matrix"),
        (Runs, r"data\.benchmarks\.test_unpickle\.Runs"),
        (
            # A plain dtype that its state would turn into a record of pointers.
            Runs(
                np.dtype, "i8", False, True, state=(3, "<", None, ("x",), {"x": (0, 0)}, 8, 8, 63)
            ),
            r"a numpy\.dtype with fields",
        ),
    ],
    ids=lambda value: str(value)[:20],
)
def test_other_classes_are_refused(value, named):
    content = pickle.dumps(value, protocol=4)
    with pytest.raises(ValueError, match=f"a contains {named}, which no file of the benchmarks"):
        load_pickle(content, "a")


@pytest.mark.parametrize(
    "content",
    [
        b"(S'true'\nios\nsystem\n.",  # INST, of protocol 0
        b"cos\nsystem\n(S'true'\ntR.",  # GLOBAL
        b"(cos\nsystem\nS'true'\no.",  # OBJ
        b"\x80\x04\x8c\x08builtins\x8c\x0cset.__init__\x93.",  # a dotted name
        b"\x80\x04\x8c\x05numpy\x8c\x10ndarray.__new__\x93.",
        b"Pname\n.",  # a persistent id
        b"\x80\x02\x82\x01.",  # an extension code
        b"\x80\x05\x97.",  # an out-of-band buffer
    ],
)
def test_forged_opcodes_are_refused(content):
    with pytest.raises(ValueError, match=r"a contains|a: not a readable pickle"):
        load_pickle(content, "a")


@pytest.mark.parametrize("name", [b"numpy\ndtype", b"numpy.core.multiarray\nscalar"])
def test_a_pickle_cannot_change_the_reader(name):
    # BUILD with slot state sets attributes of whatever lies on the stack, here of a class.
    content = b"\x80\x02c" + name + b"\n(N}U\x08__init__K\x01stb."
    with pytest.raises(ValueError, match=r"a contains|a: not a readable pickle"):
        load_pickle(content, "a")
    assert load_pickle(pickle.dumps([np.int64(3)], protocol=4), "a") == [3]


def test_an_object_scalar_is_refused():
    # scalar(dtype("O"), "x"): numpy would take the bytes for an address.
    forged = (
        b"\x80\x03cnumpy.core.multiarray\nscalar\ncnumpy\ndtype\nX\x02\x00\x00\x00O8K\x00K\x01\x87R"
        b"C\x08AAAAAAAA\x86R."
    )
    with pytest.raises(ValueError, match=r"numpy\.dtype\('O8'\)"):
        load_pickle(forged, "a")


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
    as_set = (
        pickle.dumps([twice(200)], protocol=4).replace(b"]\x94", b"\x8f\x94(", 1)[:-2] + b"\x90."
    )
    with pytest.raises(ValueError, match="a tuple of more than 1000 parts"):
        load_pickle(as_set, "a")


def test_tuples_that_overflow_the_stack_are_refused():
    with pytest.raises(ValueError, match="a tuple of more than 1000 parts"):
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


@pytest.mark.parametrize("name", ["numpy\nndarray", "scipy.sparse.csr\ncsr_matrix"])
def test_an_object_without_its_state_is_refused(name):
    content = b"\x80\x02c" + name.encode() + b"\n)\x81."
    with pytest.raises(ValueError, match=r"a\.pickle: not a readable pickle"):
        load_pickle(content, "a.pickle")
