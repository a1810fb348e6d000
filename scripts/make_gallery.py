"""Makes the pictures and pages of docs/gallery.md again, by the commands that stand there.

    python scripts/make_gallery.py [FOLDER]

Screenshots of the pages are taken by Chromium, where there is one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
# What the commands write, and where the gallery has it.
KEPT = {
    "sampled.svg": "sampled.svg",
    "model/report.html": "report.html",
    "compared.html": "compared.html",
    "sets/report.html": "sets.html",
}


def main() -> None:
    """Run the commands in a folder of their own, and keep what the gallery shows."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "gallery"
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    commands = "".join(re.findall(r"```sh\n(.*?)```", page, re.S)).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            program, *options = command.split()
            assert program == "hypersage"
            subprocess.run(
                [sys.executable, "-m", "hypersage_dgl", *options], cwd=folder, check=True
            )
        for made, name in KEPT.items():
            shutil.copy(Path(folder) / made, out / name)
    for name in KEPT.values():
        if name.endswith(".html"):
            take_picture(out / name)


def take_picture(page: Path) -> None:
    """A picture of the top of a page."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print(f"no Chromium to take a picture of {page.name} with")
        return
    options = "--headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1500"
    shot = page.resolve().with_suffix(".png")
    command = [chromium, *options.split(), f"--screenshot={shot}", page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
