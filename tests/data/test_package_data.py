"""What setup.py packs beside the modules is all that the package reads, and what it says."""

import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hypersage_dgl"


def run_setup(monkeypatch):
    """What setup.py tells setuptools, and its names."""
    told = {}
    stand_in = SimpleNamespace(setup=told.update, find_packages=lambda **_: [])
    monkeypatch.setitem(sys.modules, "setuptools", stand_in)
    names = runpy.run_path(str(ROOT / "setup.py"))
    return told, names


def packed(monkeypatch):
    """Files that the patterns of ``package_data`` in setup.py find."""
    told, _ = run_setup(monkeypatch)
    patterns = told["package_data"]
    assert list(patterns) == ["hypersage_dgl"]
    return {path for pattern in patterns["hypersage_dgl"] for path in PACKAGE.glob(pattern)}


def test_every_file_that_is_no_module_is_packed(monkeypatch):
    other = {p for p in PACKAGE.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert packed(monkeypatch) == other
    names = {path.name for path in other}
    assert {"py.typed", "debian.npz", "debian.md", "hif_schema.json"} <= names


@pytest.mark.parametrize("repository", ["https://example.org/hypersage", ""])
def test_no_link_of_the_description_is_relative(monkeypatch, repository):
    told, names = run_setup(monkeypatch)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = names["long_description"](readme, repository)
    links = re.findall(r"\]\(([^)]*)\)|src=\"([^\"]*)\"", text)
    assert links
    assert all("".join(link).startswith("https://") for link in links)
    version = told["version"]
    assert (f"{repository}/blob/v{version}/docs/cli.md" in text) is bool(repository)
    assert (f"{repository}/raw/v{version}/docs/figures/whois.svg" in text) is bool(repository)
    # Nothing else changes: the code is the README's.
    snippets = [re.findall(r"```python\n(.*?)```", page, re.S) for page in (readme, text)]
    assert snippets[0] == snippets[1]


def test_urls_are_the_papers_until_the_repository_has_an_address(monkeypatch):
    told, names = run_setup(monkeypatch)
    assert told["project_urls"] == names["project_urls"](names["REPOSITORY"])
    assert list(names["project_urls"]("")) == ["Paper"]
    urls = names["project_urls"]("https://example.org/hypersage")
    assert list(urls) == ["Paper", "Source", "Issues", "Documentation", "Changelog"]
    here = [url for name, url in urls.items() if name != "Paper"]
    assert all(url.startswith("https://example.org/hypersage") for url in here)


def test_the_changelog_dates_this_version(monkeypatch):
    told, _ = run_setup(monkeypatch)
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(told['version'])}, \d{{4}}-\d\d-\d\d$", text, re.M)


def applies(requirement, python, machine, system):
    marker = Requirement(requirement).marker
    environment = {
        "python_version": python,
        "platform_machine": machine,
        "sys_platform": system,
        "extra": "",
    }
    return marker is None or marker.evaluate(environment)


@pytest.mark.parametrize(
    ("python", "machine", "allowed", "asks_for_pandas"),
    [
        ("3.10", "x86_64", ["1.1.3", "2.2.0"], False),
        ("3.11", "x86_64", ["1.1.3", "2.2.0"], False),
        ("3.12", "x86_64", ["2.1.0", "2.2.0"], True),
        ("3.11", "aarch64", ["1.1.3", "2.0.0", "2.2.0"], True),
        ("3.12", "aarch64", ["2.1.0", "2.2.0"], True),
    ],
)
def test_every_python_asks_for_a_dgl_that_it_has(
    monkeypatch, python, machine, allowed, asks_for_pandas
):
    told, _ = run_setup(monkeypatch)
    asked = [r for r in told["install_requires"] if applies(r, python, machine, "linux")]
    [dgl] = [Requirement(r) for r in asked if Requirement(r).name == "dgl"]
    known = ["1.1.2", "1.1.3", "2.0.0", "2.1.0", "2.2.0"]
    # DGL has no 2.0.0 for Linux on x86_64.
    known = [v for v in known if (v, machine) != ("2.0.0", "x86_64")]
    assert [v for v in known if v in dgl.specifier] == allowed
    assert any(r.startswith("pandas") for r in asked) is asks_for_pandas


@pytest.mark.parametrize(
    ("machine", "system", "newest"),
    [("x86_64", "darwin", "1.26.4"), ("arm64", "darwin", "2.5.4"), ("x86_64", "linux", "2.5.4")],
)
def test_an_intel_mac_gets_the_numpy_of_its_last_torch(monkeypatch, machine, system, newest):
    told, _ = run_setup(monkeypatch)
    asked = [r for r in told["install_requires"] if applies(r, "3.12", machine, system)]
    numpy = [Requirement(r).specifier for r in asked if Requirement(r).name == "numpy"]
    fitting = [v for v in ("1.26.4", "2.5.4") if all(v in versions for versions in numpy)]
    assert fitting[-1] == newest


def test_python_3_13_is_refused_by_pip(monkeypatch):
    told, _ = run_setup(monkeypatch)
    pythons = SpecifierSet(told["python_requires"])
    accepted = [v for v in ("3.9.18", "3.10.13", "3.11.7", "3.12.1", "3.13.0") if v in pythons]
    assert accepted == ["3.10.13", "3.11.7", "3.12.1"]
    named = {c.rpartition(" ")[2] for c in told["classifiers"] if re.search(r":: 3\.\d+$", c)}
    assert named == {"3.10", "3.11", "3.12"}


def test_the_citation_has_the_version(monkeypatch):
    told, _ = run_setup(monkeypatch)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {told['version']}\n" in citation
    assert f"\n## {told['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_conda_installs_what_pip_would(monkeypatch):
    told, _ = run_setup(monkeypatch)
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^  - (\S+)(?: (\S+))?$", text.partition("dependencies:")[2], re.M)
    conda = {"pytorch": "torch", "matplotlib-base": "matplotlib"}
    found = {conda.get(name, name): SpecifierSet(versions) for name, versions in listed}
    assert found.pop("python") == SpecifierSet(told["python_requires"])
    asked = [Requirement(each) for each in told["install_requires"]]
    # One line for all Pythons: conda-forge's own builds of DGL are no wheels.
    assert "1.1.3" in found.pop("dgl")
    for requirement in asked:
        # Wheels of one machine have their own bounds too.
        if requirement.name != "dgl" and "darwin" not in str(requirement.marker):
            assert found[requirement.name] == requirement.specifier, requirement.name


def test_the_container_has_all_that_is_installed(monkeypatch):
    told, _ = run_setup(monkeypatch)
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = {
        word for line in re.findall(r"^COPY (.*) \S+$", docker, re.M) for word in line.split()
    }
    needed = {"setup.py", "pyproject.toml", "README.md", "LICENSE", "hypersage_dgl", "examples"}
    assert copied == needed | {f"{module}.py" for module in told["py_modules"]}
    assert all((ROOT / name).exists() for name in copied)
    torch = Requirement(next(r for r in told["install_requires"] if r.startswith("torch")))
    assert re.search(r"torch==(\S+)", docker)[1] in torch.specifier
