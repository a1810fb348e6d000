"""Build the embedded data set ``debian``: how raw records become a labelled hypergraph.

main
|-- parse_records        text -> one dict for each package
|-- choose_nodes         nodes and classes: packages of the ten largest topical sections
|-- depends_hyperedges   hyperedges: what one package depends on
|-- source_hyperedges    hyperedges: what is built from one source
|-- word_features        features: frequent words of the one-line descriptions
|-- fixed_splits         train, validation and test nodes
`-- pack                 all of it as compact arrays: the same records give the same bytes

Run ``apt-get update`` before, or feed the records of another machine to ``--input -``.
``hypersage_dgl.data.benchmarks.debian.load_debian("debian.npz")`` reads the result.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hypersage_dgl._utils import replacing

# Without the status file apt leaves out what happens to be installed on this machine.
DUMP = ["apt-cache", "-o", "Dir::State::Status=/dev/null", "dumpavail"]
NOT_TOPICAL = {"libs", "libdevel", "oldlibs", "doc", "debug", "metapackages", "tasks"}
STOP_WORDS = {
    "an", "and", "any", "as", "at", "be", "by", "for", "from", "in", "into", "is", "it", "its",
    "of", "on", "or", "that", "the", "this", "to", "used", "using", "via", "with", "without",
    "your"
}  # fmt: skip
TRAIN, VAL = 1, 2

Record = Mapping[str, str]
Members = dict[str, list[int]]


def parse_records(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the fields of each package; an empty line ends a record, a blank continues a field."""
    record: dict[str, str] = {}
    field = ""
    for number, line in enumerate(itertools.chain(lines, [""]), 1):
        if not line:
            if record and "Package" not in record:
                raise ValueError(f"the record that ends at line {number} has no field 'Package'")
            if record:
                yield record
            record = {}
        elif line[0] in " \t" and record:
            record[field] += "\n" + line.strip()
        else:
            field, colon, value = line.partition(":")
            if not colon:
                raise ValueError(f"line {number} is {line[:60]!r}; expected 'Field: value'")
            record[field] = value.strip()


def choose_nodes(
    records: Iterable[Record], num_sections: int
) -> tuple[dict[str, Record], list[str]]:
    """Return the packages of the largest topical sections, by name, and those sections."""
    packages = {}
    for record in records:
        section = record.get("Section", "")
        # A slash names an area other than main, such as contrib/net.
        if section and "/" not in section and section not in NOT_TOPICAL:
            if record["Package"] in packages:
                raise ValueError(f"package {record['Package']} is there twice; keep one record")
            packages[record["Package"]] = record
    counts = Counter(record["Section"] for record in packages.values())
    sections = sorted(_most_frequent(counts, num_sections))
    return {n: r for n, r in sorted(packages.items()) if r["Section"] in sections}, sections


def depends_on(record: Record) -> set[str]:
    """Return the names in ``Depends``, all alternatives, without versions and architectures."""
    relations = re.split(r"[,|]", record.get("Depends", ""))
    return {re.split(r"[\s(:]", r.strip(), maxsplit=1)[0] for r in relations} - {""}


def depends_hyperedges(nodes: Mapping[str, Record]) -> Members:
    """Return for each package the nodes that it depends on, if two or more."""
    ids = {name: i for i, name in enumerate(nodes)}
    cited = {n: sorted(ids[d] for d in depends_on(r) if d in ids) for n, r in nodes.items()}
    return {name: members for name, members in cited.items() if len(members) > 1}


def source_hyperedges(nodes: Mapping[str, Record]) -> Members:
    """Return for each source the nodes built from it, if two or more."""
    built: defaultdict[str, list[int]] = defaultdict(list)
    for i, (name, record) in enumerate(nodes.items()):
        # The field is left out where the source has the package's name: "Source: bash (5.2)".
        built[record.get("Source", name).split()[0]].append(i)
    return {source: built[source] for source in sorted(built) if len(built[source]) > 1}


def word_features(nodes: Mapping[str, Record], num_words: int) -> tuple[list[str], list[list[int]]]:
    """Return the most frequent words, commonest first, and for each node the ids of its words."""
    said = []
    for record in nodes.values():
        one_line = record.get("Description", "").split("\n")[0].lower()
        said.append(set(re.findall(r"[a-z]{2,}", one_line)) - STOP_WORDS)
    counts = Counter(word for words in said for word in words)
    vocabulary = _most_frequent(counts, num_words)
    ids = {word: i for i, word in enumerate(vocabulary)}
    return vocabulary, [sorted(ids[w] for w in words if w in ids) for words in said]


def fixed_splits(names: Sequence[str], labels: np.ndarray, num_splits: int) -> np.ndarray:
    """Give each split a twentieth of each class for training and as much for validation.

    The order of a class is that of the names' SHA-256, salted with the split: no random stream
    that another version of a library could change, and a new package moves few others.
    """
    roles = np.zeros((num_splits, len(names)), dtype=np.uint8)
    for split, role in enumerate(roles, 1):
        digest = [hashlib.sha256(f"{split}:{name}".encode()).digest() for name in names]
        for label in np.unique(labels):
            order = sorted(np.flatnonzero(labels == label), key=digest.__getitem__)
            part = len(order) // 20
            role[order[:part]], role[order[part : 2 * part]] = TRAIN, VAL
    return roles


def pack(nodes: Mapping[str, Record], sections: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the arrays of the file: ragged lists as values and lengths, texts as bytes."""
    names = list(nodes)
    ids = {name: i for i, name in enumerate(names)}
    labels = np.array([sections.index(record["Section"]) for record in nodes.values()])
    depends, sources = depends_hyperedges(nodes), source_hyperedges(nodes)
    hyperedges = [*depends.values(), *sources.values()]
    words, words_of_nodes = word_features(nodes, 1000)
    return {
        "packages": _text(names),
        "sections": _text(sections),
        "labels": _smallest(labels),
        "members": _smallest([i for members in hyperedges for i in members]),
        "sizes": _smallest([len(members) for members in hyperedges]),
        "dependents": _smallest([ids[name] for name in depends]),
        "sources": _text(list(sources)),
        "words": _text(words),
        "word_ids": _smallest([i for row in words_of_nodes for i in row]),
        "word_counts": _smallest([len(row) for row in words_of_nodes]),
        "roles": fixed_splits(names, labels, 10),
    }


def _most_frequent(counts: Mapping[str, int], num: int) -> list[str]:
    return sorted(counts, key=lambda key: (-counts[key], key))[:num]


def _text(lines: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _smallest(values: Sequence[int] | np.ndarray) -> np.ndarray:
    array = np.asarray(values, dtype=np.int64)
    return array.astype(np.min_scalar_type(array.max(initial=0)))


def read_dump(source: str | None) -> str:
    """Return the records from a file, from the standard input (``-``) or from apt."""
    if source == "-":
        return sys.stdin.read()
    if source is not None:
        return Path(source).read_text(encoding="utf-8")
    return subprocess.run(DUMP, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def main() -> None:
    """Read the records, build the hypergraph, write it and print its shape."""
    parser = argparse.ArgumentParser(description="Build the data set 'debian' from apt's records.")
    parser.add_argument("--input", help="file of records, or - for the standard input (apt)")
    parser.add_argument("--output", type=Path, default=Path("debian.npz"), help="(%(default)s)")
    args = parser.parse_args()
    try:
        nodes, sections = choose_nodes(parse_records(read_dump(args.input).split("\n")), 10)
    except FileNotFoundError as error:
        parser.error(f"{error}; give the records of a Debian machine with --input")
    except ValueError as error:
        parser.error(f"not the output of apt-cache dumpavail: {error}")
    if not nodes:
        parser.error("the input has no package of a topical section; run apt-get update first")
    arrays = pack(nodes, sections)
    with replacing(args.output) as file:
        np.savez_compressed(file, **arrays)
    num_depends = len(arrays["dependents"])
    num_sources = len(arrays["sizes"]) - num_depends
    print(f"{len(nodes)} nodes, {num_depends} + {num_sources} hyperedges -> {args.output}")


if __name__ == "__main__":
    main()
