"""Makes the pictures and pages of docs/gallery.md again, by the lines that stand there.

    python scripts/make_gallery.py

Screenshots of the pages are taken by Chromium, light and dark; each holds the hash of its page.
"""

from __future__ import annotations

import hashlib
import platform
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# Where the gallery has what the lines write under another name; other files keep theirs.
KEPT = {
    "model/report.html": "report.html",
    "compared.html": "compared.html",
    "sets/report.html": "sets.html",
}
DRAWN = ("whois.svg", "sampled.svg", "small.svg", "effect-of-p.svg")
# A screenshot, the page, and the heading of the part of it.
SHOTS = {
    "report": ("report.html", None),
    "compared": ("compared.html", None),
    "sets": ("sets.html", None),
    "confusion": ("report.html", "Confusion matrix"),
    "map": ("report.html", "Map of the embeddings"),
}
TOP = {"x": 0, "y": 0, "width": 1000, "height": 1400, "scale": 1}
SOURCE = "Source SHA-256"


def main() -> None:
    """Run the lines in a folder of their own, and keep what the gallery shows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for kind, code in blocks():
            run(kind, code, folder)
        for made, kept in {**dict(zip(DRAWN, DRAWN)), **KEPT}.items():
            text = (folder / made).read_text(encoding="utf-8")
            # The kernel of whoever made it is nobody's concern.
            text = text.replace(platform.platform(terse=True), platform.system())
            (DOCS / "gallery" / kept).write_text(text, encoding="utf-8")
        for picture in (folder / "docs" / "figures").glob("*.svg"):
            shutil.copy(picture, DOCS / "figures" / picture.name)
    take_pictures()


def blocks() -> Iterator[tuple[str, str]]:
    """The lines of the page, in their order, each with its language."""
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    yield from re.findall(r"```(sh|python)\n(.*?)```", page, re.S)


def prepare(folder: Path) -> None:
    """What the lines read: results, and pages whose parts they fill in."""
    for name in ("experiments", "benchmarks", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "docs" / "figures").mkdir(parents=True)
    for page in DOCS.glob("*.md"):
        shutil.copy(page, folder / "docs")
    shutil.copy(ROOT / "README.md", folder)


def run(kind: str, code: str, folder: Path) -> None:
    """Run Python, or the lines of a shell one by one, as a user does."""
    if kind == "python":
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
        return
    for line in code.splitlines():
        program, *words = shlex.split(line)
        command = {"hypersage": ["-m", "hypersage_dgl"], "python": []}[program]
        subprocess.run([sys.executable, *command, *words], cwd=folder, check=True)


def take_pictures() -> None:
    """Pictures of the pages and their parts, in either scheme."""
    opening = runpy.run_path(str(ROOT / "tests" / "headless_browser.py"))
    browser = opening["the_browser"]()
    for name, (page, heading) in SHOTS.items():
        source = DOCS / "gallery" / page
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            opening["show_in"](browser, source, TOP["width"], scheme)
            image = opening["picture_of"](browser, heading, TOP)
            path = DOCS / "gallery" / f"{name}{ending}.png"
            path.write_bytes(image)
            sign(path, source)
    opening["close_browser"]()


def sign(path: Path, source: Path) -> None:
    """Keep the hash of the page in its picture, with no more colours than it needs."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    note = PngInfo()
    note.add_text(SOURCE, hashlib.sha256(source.read_bytes()).hexdigest())
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(128)
    small.save(path, optimize=True, pnginfo=note)


if __name__ == "__main__":
    main()
