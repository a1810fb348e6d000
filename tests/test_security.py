"""What SECURITY.md says of the code: nothing that unpickles, evaluates or runs a file is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypersage_dgl
from hypersage_dgl.data.benchmarks.files import BENCHMARKS

PACKAGE = Path(hypersage_dgl.__file__).parent
FORBIDDEN = {
    *("eval", "exec", "__import__", "os.system", "os.popen", "marshal.loads", "shelve.open"),
    *("pickle.load", "pickle.loads", "pickle.Unpickler", "torch.load", "torch.save"),
    *("load_info", "dgl.data.load_info", "dgl.data.utils.load_info"),
}
# It refuses whatever it does not know by name, and has an attack of its own.
READER = "unpickle.py"


def faults(source: str) -> Iterator[str]:
    """Calls that are forbidden, and imports that could hide one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            if ast.unparse(node.func) in FORBIDDEN:
                yield ast.unparse(node.func)
            for word in node.keywords:
                wanted = {"allow_pickle": False, "weights_only": True, "shell": False}
                if word.arg in wanted and ast.unparse(word.value) != str(wanted[word.arg]):
                    yield f"{word.arg}={ast.unparse(word.value)}"
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] in ("pickle", "marshal"))
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{a.name}" for a in node.names}
            yield from names & FORBIDDEN
            yield from (n for n in names if "graphbolt" in n or n.endswith(".load_info"))


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_nothing_runs_what_a_file_holds(path):
    found = set(faults(path.read_text(encoding="utf-8")))
    assert found == ({"pickle"} if path.name == READER else set())


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.load('a')",
        "from torch import load",
        "import pickle",
        "from pickle import loads",
        "eval('1')",
        "import numpy\nnumpy.load('a', allow_pickle=True)",
        "import subprocess\nsubprocess.run('ls', shell=True)",
        "from dgl import graphbolt",
        "from dgl.data.utils import load_info",
    ],
)
def test_the_look_sees_what_it_looks_for(source):
    assert list(faults(source))


def test_every_pickle_of_a_benchmark_is_known_by_its_sha256():
    pickles = [
        (file, digest)
        for benchmark in BENCHMARKS.values()
        for file, digest in benchmark.sha256.items()
        if file.endswith(".pickle")
    ]
    assert len(pickles) > 50
    assert all(len(digest) == 64 for _, digest in pickles)
