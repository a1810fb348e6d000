"""Look through a pickle before it is opened: what it does, and what that would cost."""

from __future__ import annotations

import pickletools


class RefusedError(Exception):
    """A pickle that does what no file of the benchmarks does."""


PUTS = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
GETS = frozenset({"GET", "BINGET", "LONG_BINGET"})
TUPLES = frozenset({"TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"})
CALLS = frozenset({"REDUCE", "NEWOBJ", "BUILD"})
# Not among them: EXT1, EXT2 and EXT4, which take classes from a cache of the process and ask
# nobody; persistent ids, instances and buffers of others; DUP, which multiplies.
KNOWN = frozenset(
    {
        *("PROTO", "FRAME", "STOP", "MARK", "MEMOIZE", "NONE", "NEWTRUE", "NEWFALSE"),
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
        *("LIST", "EMPTY_LIST", "APPEND", "APPENDS", "EMPTY_SET", "ADDITEMS"),
        *("DICT", "EMPTY_DICT", "SETITEM", "SETITEMS", "EMPTY_TUPLE"),
        *("GLOBAL", "STACK_GLOBAL"),
        *(PUTS | GETS | TUPLES | CALLS),
    }
)
# A matrix has seven; each is a shape.
MOST_TUPLES = 100


def scan(content: bytes) -> None:
    r"""Raise ``RefusedError`` for opcodes and tuples that the benchmarks do not have.

    The memo of the reader grows to the largest index that is put, so an index beyond the length
    of the file is refused. A tuple that is a member or a key is hashed with all that is in it:
    deep ones overflow the stack, and ones that hold an earlier tuple twice, and so on, take
    exponential time. So no tuple is used twice, and few that are not the arguments of a call.

    Examples
    --------
    >>> scan(b"\x80\x02]K\x01a.")
    >>> scan(b"\x80\x02\x82\x01.")
    Traceback (most recent call last):
    hypersage_dgl.data.pickle_scan.RefusedError: the opcode EXT1
    """
    memo: set[int] = set()
    memoized_tuples: set[int] = set()
    shapes, is_tuple = 0, False
    for opcode, argument, _ in pickletools.genops(content):
        name, number = opcode.name, argument if isinstance(argument, int) else 0
        if name not in KNOWN:
            raise RefusedError(f"the opcode {name}")
        if name in PUTS or name == "MEMOIZE":
            index = len(memo) if name == "MEMOIZE" else number
            if not 0 <= index <= len(content):
                raise RefusedError(f"the memo index {index}")
            memo.add(index)
            (memoized_tuples.add if is_tuple else memoized_tuples.discard)(index)
            continue
        if name == "FRAME" and number > len(content):
            raise ValueError(f"a frame of {number} bytes in a file of {len(content)}")
        if name in GETS and number in memoized_tuples:
            raise RefusedError("a tuple that is used twice")
        shapes += is_tuple and name not in CALLS
        if shapes > MOST_TUPLES:
            raise RefusedError(f"more than {MOST_TUPLES} tuples")
        is_tuple = name in TUPLES
