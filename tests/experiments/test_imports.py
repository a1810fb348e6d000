"""The experiments use the package by its front doors, and the package does not know of them."""

from __future__ import annotations

import ast
from pathlib import Path

from setuptools import find_packages

import experiments
import hypersage_dgl

PACKAGE, EXPERIMENTS = (Path(module.__file__).parent for module in (hypersage_dgl, experiments))


def imported(path):
    """Modules named in the imports of a file; of relative imports what comes after the dots."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""
            if node.level == 0:
                # `from package import module` names a module as well.
                yield from ((0, f"{node.module}.{alias.name}") for alias in node.names)


def is_inner(name):
    """Whether a name is a module of the package that is no package itself."""
    return PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py").is_file()


def test_the_package_never_imports_the_experiments():
    users = [
        path
        for path in PACKAGE.rglob("*.py")
        for level, name in imported(path)
        if level == 0 and name.split(".")[0] == "experiments"
    ]
    assert users == []


def test_the_experiments_import_packages_and_not_their_modules():
    # dataloading is a module and a part of the package at once.
    front_doors = {"hypersage_dgl", "hypersage_dgl.dataloading"}
    past = [
        f"{path.name} imports {name}"
        for path in EXPERIMENTS.rglob("*.py")
        for level, name in imported(path)
        if level == 0
        and name.startswith("hypersage_dgl")
        and name not in front_doors
        and (is_inner(name) or is_inner(name.rpartition(".")[0]))
    ]
    assert past == []


def test_inner_packages_are_imported_by_their_front_doors():
    inner = {path.name for path in EXPERIMENTS.iterdir() if (path / "__init__.py").is_file()}
    assert inner == {"runs", "judges", "pages"}
    past = [
        f"{path.parent.name}/{path.name} imports {name}"
        for path in EXPERIMENTS.rglob("*.py")
        for level, name in imported(path)
        for package in inner
        if level and name.startswith(f"{package}.") and path.parent.name != package
    ]
    assert past == []


def test_the_experiments_are_not_installed():
    found = find_packages(str(PACKAGE.parent), include=["hypersage_dgl", "hypersage_dgl.*"])
    assert found
    assert not any(name.startswith("experiments") for name in found)
    setup = (PACKAGE.parent / "setup.py").read_text(encoding="utf-8")
    assert 'find_packages(include=["hypersage_dgl", "hypersage_dgl.*"])' in setup
