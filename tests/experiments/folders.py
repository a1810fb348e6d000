"""Results in a folder, each in the file of its experiment."""

from __future__ import annotations

from .made_up import line


def experiment(result):
    """The experiment that a result is of."""
    if result.alpha is not None:
        return "table2"
    if result.ratio is not None:
        return "stability"
    return "table1" if result.part == "test" else "table3"


def write_results(folder, results):
    """Write them in the order given."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in {experiment(result) for result in results}:
        text = "".join(line(result) for result in results if experiment(result) == name)
        (folder / f"{name}.jsonl").write_text(text)


def contents(folder):
    """All files below a folder with their bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
