"""Results in a folder, each in the file of its experiment."""

from __future__ import annotations

from made_up import line

from hypersage_dgl._utils import write_text


def experiment(result):
    """The experiment that a result is of."""
    if result.alpha is not None:
        return "table2"
    if result.ratio is not None:
        return "stability"
    return "table1" if result.part == "test" else "table3"


def write_results(folder, results):
    """Write them in the order given."""
    for name in {experiment(result) for result in results}:
        text = "".join(line(result) for result in results if experiment(result) == name)
        write_text(folder / f"{name}.jsonl.gz", text)


def contents(folder):
    """All files below a folder with their bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
