"""``hypersage datasets``: the data sets, their sizes, and where they are found."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ...data import (
    ALLSET,
    ALLSET_NAMES,
    BENCHMARKS,
    DATA_DIR_VARIABLE,
    PRESETS,
    Benchmark,
    cache_dir,
    converted_file,
    dataset_names,
    load,
    named_folder,
)
from ..options import SubParsers, add_command
from ..text import table

EXAMPLES = ("hypersage datasets", "hypersage datasets --data-dir copy-of-hypergcn")
HEADING = ("name", "nodes", "hyperedges", "features", "classes", "where")


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "datasets", run, "list the data sets and where they are found", EXAMPLES
    )
    parser.add_argument(
        "--data-dir", metavar="FOLDER", help="look for the public files of the benchmarks here"
    )


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    if args.data_dir is not None and not Path(args.data_dir).is_dir():
        raise FileNotFoundError(f"--data-dir is {args.data_dir}, which is not a folder")
    rows = []
    for name in dataset_names():
        sizes, where = _sizes(name), _where(name, args.data_dir)
        rows.append((name, *("?" if size is None else f"{size:,}" for size in sizes), where))
    print(table(HEADING, rows))
    return 0


def _sizes(name: str) -> tuple[int | None, ...]:
    source = _source(name)
    if source is not None:
        # Of files that nobody could measure nothing is known.
        found = [source.measured.get(key) for key in HEADING[1:5]]
        return tuple(None if size is None else int(size) for size in found)
    shape = PRESETS.get(name.partition(":")[2])
    if shape is not None:
        return tuple(shape[f"num_{key}"] for key in ("nodes", "hyperedges", "feats", "classes"))
    data = load(name)
    return data.num_nodes, data.num_hyperedges, data.num_feats, data.num_classes


def _source(name: str) -> Benchmark | None:
    return ALLSET[name.partition(":")[0]] if name in ALLSET_NAMES else BENCHMARKS.get(name)


def _where(name: str, data_dir: str | None) -> str:
    source = _source(name)
    if source is None:
        return "embedded" if name == "debian" else "generated"
    return where_benchmark(source, data_dir)


def where_benchmark(source: Benchmark, data_dir: str | None) -> str:
    """Where ``load_dataset`` would find a benchmark."""
    try:
        folder = named_folder(source, data_dir)
    except FileNotFoundError:
        return f"not, or not whole, in {data_dir or os.environ[DATA_DIR_VARIABLE]}"
    if folder is not None:
        return f"folder {folder}"
    if not source.is_pinned:
        return "in a folder of yours alone (no SHA-256 is known)"
    cache = cache_dir()
    files = [cache / source.origin.name / source.folder / file for file in source.sha256]
    if converted_file(source).is_file() or all(file.is_file() for file in files):
        return f"cache {cache}"
    return f"must be downloaded ({source.num_bytes / 1e6:.1f} MB)"
