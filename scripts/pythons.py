"""Notes what check_python.sh found, and fills the table of docs/compatibility.md with the notes.

    python scripts/pythons.py EXAMPLE_LOG TESTS_LOG COMMIT

The Python that was checked runs it, and COMMIT tells what was checked ("1899546 of 2026-11-19").
"""

from __future__ import annotations

import json
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
NOTES = SCRIPTS / "pythons.json"
PAGE = SCRIPTS.parent / "docs" / "compatibility.md"
BLOCK = re.compile(r"(<!-- made by scripts/check_python.sh -->\n\n).*?(\n\n<!-- end -->)", re.S)
PACKAGES = ("dgl", "torch", "numpy", "networkx")
COLUMNS = ("Python", *PACKAGES, "example", "tests", "commit")


def main() -> None:
    """Replace the row of this Python, then the table."""
    example, tests, commit = sys.argv[1:]
    row = row_of(Path(example).read_text("utf-8"), Path(tests).read_text("utf-8"), commit)
    notes = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else []
    notes = [each for each in notes if minor(each) != minor(row)] + [row]
    notes.sort(key=minor)
    NOTES.write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), notes), encoding="utf-8")
    print("noted:", *row.values())


def row_of(example: str, tests: str, commit: str) -> dict[str, str]:
    """What the two commands printed, and the versions that they ran with."""
    accuracy = re.findall(r"test accuracy \(full\): (\S+)", example)[-1]
    passed = re.findall(r"\d+ passed(?:, \d+ (?:skipped|xfailed))*", tests)[-1]
    # The build, as in 2.13.0+cpu, is the machine's.
    versions = [version(name).partition("+")[0] for name in PACKAGES]
    return dict(zip(COLUMNS, (platform.python_version(), *versions, accuracy, passed, commit)))


def minor(row: dict[str, str]) -> tuple[int, ...]:
    """Python 3.12.1 is (3, 12)."""
    return tuple(map(int, row["Python"].split(".")[:2]))


def with_table(page: str, notes: list[dict[str, str]]) -> str:
    """The page with the rows in its table, and nothing else changed."""
    rows = [COLUMNS, ["---"] * len(COLUMNS), *([row[name] for name in COLUMNS] for row in notes)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return BLOCK.sub(lambda found: found[1] + table + found[2], page)


if __name__ == "__main__":
    main()
