"""The floors of the house: who imports whom, read from the source and not from a running import."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import hypersage_dgl

ROOT = Path(hypersage_dgl.__file__).parent
# From the ground up: a floor imports those below it alone.
FLOORS = [
    {"_version", "_interrupt", "_stack", "_utils"},
    {"hypergraphs"},
    {"convert"},
    {"data"},
    {"dataloading", "nn"},
    {"training"},
    {"drawing"},
    {"cli"},
    {"__main__"},
]
LEVEL = {part: level for level, parts in enumerate(FLOORS) for part in parts}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def given(module: list[str]) -> set[str]:
    """Names that the ``__init__`` of a package imports or defines."""
    tree = ast.parse(ROOT.joinpath(*module, "__init__.py").read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
    return found


def imports(name: str, path: Path) -> list[str]:
    """Modules of the package that a module imports, by their full names inside of it."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    package = [part for part in package if part]
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = [*base, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                full = ".".join([*module, alias.name])
                # From outside, a package gives what its __init__ does, whatever its files are
                # called; a file that the __init__ does not give is reached past it.
                is_inside = package[: len(module)] == module
                is_file = full in MODULES and (is_inside or alias.name not in given(module))
                found.append(full if is_file else ".".join(module))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hypersage_dgl"):
            found.append(node.module.removeprefix("hypersage_dgl").lstrip("."))
        elif isinstance(node, ast.Import):
            assert not any(a.name.startswith("hypersage_dgl") for a in node.names), path
    return found


MODULES = modules()


@cache
def edges() -> list[tuple[str, str]]:
    """Who imports whom."""
    return [(name, used) for name, path in MODULES.items() if name for used in imports(name, path)]


def test_every_part_has_its_floor():
    assert {name.split(".")[0] for name in MODULES if name} == set(LEVEL)


def test_nothing_imports_upward():
    upward = [
        f"{name} imports {used}"
        for name, used in edges()
        if used and LEVEL[used.split(".")[0]] > LEVEL[name.split(".")[0]]
    ]
    # The package's own __init__ gathers all parts, so to import it is to import upward too; its
    # version stands in a file of its own.
    upward += [f"{name} imports hypersage_dgl" for name, used in edges() if used == ""]
    assert upward == []


def test_parts_of_one_floor_do_not_import_each_other():
    across = [
        f"{name} imports {used}"
        for name, used in edges()
        if used
        and used.split(".")[0] != name.split(".")[0]
        and LEVEL[used.split(".")[0]] == LEVEL[name.split(".")[0]]
    ]
    assert across == []


def test_nothing_imports_past_the_init_of_a_package():
    past = []
    for name, used in edges():
        parts = used.split(".")
        for depth in range(1, len(parts)):
            package = ".".join(parts[:depth])
            is_inside = name == package or name.startswith(package + ".")
            if MODULES[package].name == "__init__.py" and not is_inside:
                past.append(f"{name} imports {used}")
                break
    assert past == []


def test_there_is_no_cycle():
    # A package stands for its __init__, which imports its modules: an import of the package from
    # inside of it is a cycle as well.
    waiting = {name: {used for user, used in edges() if user == name} for name in MODULES if name}
    waiting = {name: used & waiting.keys() - {name} for name, used in waiting.items()}
    while free := [name for name, used in waiting.items() if not used]:
        for name in free:
            del waiting[name]
        waiting = {name: used - set(free) for name, used in waiting.items()}
    assert sorted(waiting) == []


def test_every_module_has_a_test_of_its_name():
    missing = []
    for name, path in MODULES.items():
        if path.name in ("__init__.py", "__main__.py", "_version.py"):
            continue
        # Names of ours begin with an underscore where users shall not look; tests are theirs too.
        *folders, module = (part.lstrip("_") for part in name.split("."))
        mirrored = Path(__file__).parent.joinpath(*folders, f"test_{module}.py")
        if not mirrored.is_file():
            missing.append(f"{name} has no {mirrored.relative_to(Path(__file__).parent)}")
    assert missing == []
