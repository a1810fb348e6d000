"""The table of AllSet's data sets: whole rows, and names that say where their files should be."""

from __future__ import annotations

import pytest

from hypersage_dgl.data import ALLSET, ALLSET_NAMES, NOISY, load_dataset


@pytest.mark.parametrize("name", ALLSET_NAMES)
def test_every_name_says_where_it_looked(name, tmp_path):
    source = ALLSET[name.partition(":")[0]]
    with pytest.raises(FileNotFoundError, match=f"{source.name} is not in data_dir {tmp_path}"):
        load_dataset(name, data_dir=tmp_path)
    assert {len(sha) for sha in source.sha256.values()} == {64 if source.is_pinned else 0}


def test_sets_without_features_have_a_name_for_each_noise():
    assert set(ALLSET_NAMES) - set(ALLSET) == {f"{name}:0.6" for name in NOISY}
    assert all(next(iter(ALLSET[name].sha256)).startswith("hyperedges-") for name in NOISY)


def test_a_row_with_hashes_has_sizes():
    for source in ALLSET.values():
        assert bool(source.measured) == source.is_pinned == (source.num_bytes > 0)
