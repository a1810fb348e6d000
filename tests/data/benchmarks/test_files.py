"""The declared table of the benchmarks is whole, and its keys tell contents apart."""

import re
from dataclasses import replace

import pytest

from hypersage_dgl.data.benchmarks.files import BASE_URL, BENCHMARKS, COMMIT


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_has_thirteen_files_with_their_sha256(name):
    source = BENCHMARKS[name]
    assert source.name == name
    splits = [f"splits/{number}.pickle" for number in range(1, 11)]
    files = ["hypergraph.pickle", "features.pickle", "labels.pickle", *splits]
    assert list(source.sha256) == files
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in source.sha256.values())


def test_the_address_is_that_of_a_commit():
    assert BASE_URL.startswith("https://")
    assert BASE_URL.endswith(COMMIT)


def test_a_key_is_of_the_content_alone():
    source = BENCHMARKS["dblp"]
    assert len({source.key for source in BENCHMARKS.values()}) == 5
    assert replace(source, name="other").key == source.key
    changed = {**source.sha256, "labels.pickle": "0" * 64}
    assert replace(source, sha256=changed).key != source.key
