"""Every picture of the docs is what its lines draw today."""

from __future__ import annotations

import hashlib
import importlib
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest
from drawn import differences, page_differences
from PIL import Image

import benchmarks.command
import experiments.command
from hypersage_dgl.cli import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FIGURES = sorted(path.name for path in (DOCS / "figures").glob("*.svg"))
CONCEPTS = ("isolated.svg", "one-p.svg", "power-means.svg", "sampling.svg", "two-levels.svg")
# Written by hand; of the rest each has a maker.
BY_HAND = ("floors.svg", "walk.svg")
OF_EXAMPLES = ("whois.svg",)
OF_BENCHMARKS = ("growth.svg",)
OF_EXPERIMENTS = sorted(
    {*FIGURES} - {*CONCEPTS, *BY_HAND, *OF_EXAMPLES, *OF_BENCHMARKS}, key=FIGURES.index
)


def check(made: Path, shown: Path) -> None:
    """Fail with what has drifted, and with the cure."""
    compare = page_differences if made.suffix == ".html" else files_differ
    found = compare(shown, made)
    assert found == [], f"{shown.name} has drifted ({'; '.join(found[:5])}); make it again"


def files_differ(shown: Path, made: Path) -> list[str]:
    return differences(shown.read_text("utf-8"), made.read_text("utf-8"))


def run_script(path, *words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path), *map(str, words)])
        runpy.run_path(str(path), run_name="__main__")


def run_line(line: str) -> None:
    """A line of a shell, in this process."""
    program, *words = shlex.split(line)
    if program == "hypersage":
        assert main(words) == 0
    elif words[0] == "-m":
        of = {"experiments": experiments.command, "benchmarks": benchmarks.command}[words[1]]
        assert of.main(words[2:]) == 0
    else:
        run_script(ROOT / words[0], *words[1:])


@pytest.fixture(scope="module")
def concepts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("concepts")
    run_script(ROOT / "scripts" / "draw_concepts.py", folder)
    return folder


@pytest.mark.parametrize("name", CONCEPTS)
def test_figures_of_the_concepts(name, concepts):
    check(concepts / name, DOCS / "figures" / name)


def test_the_figure_of_the_examples(tmp_path, capsys):
    run_script(ROOT / "examples" / "draw_neighbourhood.py", "--out", tmp_path)
    check(tmp_path / "whois.svg", DOCS / "figures" / "whois.svg")


def test_the_figure_of_the_benchmarks(tmp_path, monkeypatch, capsys):
    gallery().prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_line("python -m benchmarks report")
    check(tmp_path / "docs" / "figures" / "growth.svg", DOCS / "figures" / "growth.svg")


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    gallery().prepare(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run_line("python -m experiments report")
    return folder


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", OF_EXPERIMENTS)
def test_figures_of_the_experiments(name, reported):
    check(reported / "docs" / "figures" / name, DOCS / "figures" / name)


def gallery():
    """The module that makes the gallery."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        return importlib.import_module("make_gallery")


def of_gallery(*, quick: bool):
    """The blocks that draw in a moment, or all."""
    for kind, code in gallery().blocks():
        if not quick or kind == "python" or code.startswith("hypersage draw"):
            yield kind, code


def run_blocks(folder: Path, *, quick: bool) -> None:
    for kind, code in of_gallery(quick=quick):
        if kind == "python":
            exec(compile(code, "gallery.md", "exec"), {})
        else:
            for line in code.splitlines():
                run_line(line)


def test_the_pictures_of_the_gallery(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run_blocks(tmp_path, quick=True)
    for name in gallery().DRAWN:
        check(tmp_path / name, DOCS / "gallery" / name)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("default")
def test_all_lines_of_the_gallery(tmp_path, monkeypatch, capsys):
    gallery().prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_blocks(tmp_path, quick=False)
    for made, kept in gallery().KEPT.items():
        check(tmp_path / made, DOCS / "gallery" / kept)
    for path in (tmp_path / "docs" / "figures").glob("*.svg"):
        check(path, DOCS / "figures" / path.name)


def test_every_picture_of_the_gallery_has_its_lines_below():
    text = (DOCS / "gallery.md").read_text("utf-8")
    shown = set()
    for section in text.split("\n## ")[1:]:
        pictures = re.findall(r'(?:src|srcset)="([^"]+)"', section)
        assert pictures, section
        assert re.search(r"```(sh|python)\n", section[section.rindex('src="') :]), section
        shown |= {*pictures, *re.findall(r"\]\(([\w/-]+\.html)\)", section)}
    kept = {f"gallery/{path.name}" for path in (DOCS / "gallery").iterdir()}
    assert kept == {each for each in shown if each.startswith("gallery/")}
    assert all((DOCS / each).exists() for each in shown)


def test_screenshots_are_of_the_pages_beside_them():
    made = gallery()
    for name, (page, _) in made.SHOTS.items():
        wanted = hashlib.sha256((DOCS / "gallery" / page).read_bytes()).hexdigest()
        for ending in ("", "-dark"):
            with Image.open(DOCS / "gallery" / f"{name}{ending}.png") as image:
                assert image.text[made.SOURCE] == wanted, f"{name}: take the pictures again"


def test_every_figure_is_shown_somewhere():
    pages = [*DOCS.glob("*.md"), ROOT / "README.md"]
    text = "".join(page.read_text("utf-8") for page in pages)
    assert [name for name in FIGURES if f"figures/{name}" not in text] == []


def test_figures_by_hand_name_the_floors():
    from test_architecture import FLOORS

    drawn = (DOCS / "figures" / "floors.svg").read_text("utf-8")
    words = set(re.findall(r"[\w_]+", " ".join(re.findall(r">([^<]+)<", drawn))))
    parts = {name for floor in FLOORS for name in floor if not name.startswith("__")}
    # A module that all import, such as the version, is no floor to draw.
    assert {name for name in parts if (ROOT / "hypersage_dgl" / name).is_dir()} <= words


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[1, 5], [4]]", "[1, 6], [4]]"),
        ("labels=[0, 0", "labels=[1, 0"),
        ("[[0, 1, 2, 3]", "[[0, 1, 2]"),
        ("num_nodes=7", "num_nodes=8"),
    ],
)
def test_a_changed_line_is_seen(before, after, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = [code for _, code in gallery().blocks() if '"small"' in code]
    assert before in code
    labels = "1, 1]" if after != "num_nodes=8" else "1, 1, 1]"
    exec(code.replace(before, after).replace("1, 1]", labels), {})
    with pytest.raises(AssertionError, match="has drifted"):
        check(tmp_path / "small.svg", DOCS / "gallery" / "small.svg")


def test_another_curve_is_seen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code,) = [code for _, code in gallery().blocks() if "effect-of-p" in code]
    exec(code.replace("[6.0]", "[5.7]"), {})
    with pytest.raises(AssertionError, match="has drifted"):
        check(tmp_path / "effect-of-p.svg", DOCS / "gallery" / "effect-of-p.svg")
