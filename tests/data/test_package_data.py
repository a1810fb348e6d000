"""What setup.py packs beside the modules is all that the package reads."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hypersage_dgl"


def packed():
    """Files that the patterns of ``package_data`` in setup.py find."""
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    (patterns,) = [ast.literal_eval(k.value) for k in keywords if k.arg == "package_data"]
    assert list(patterns) == ["hypersage_dgl"]
    return {path for pattern in patterns["hypersage_dgl"] for path in PACKAGE.glob(pattern)}


def test_every_file_that_is_no_module_is_packed():
    other = {p for p in PACKAGE.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert packed() == other
    names = {path.name for path in other}
    assert {"py.typed", "debian.npz", "debian.md", "hif_schema.json"} <= names
