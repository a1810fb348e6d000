"""Every data set by its name."""

import pytest

from hypersage_dgl import validate
from hypersage_dgl.data import ALLSET_NAMES, BenchmarkDataset, dataset_names, load_dataset
from hypersage_dgl.hypergraphs import incidences


def test_benchmark_dataset(tiny):
    dataset = BenchmarkDataset(tiny.source, 3, data_dir=tiny.root, val_fraction=0.0)
    assert dataset.name == "tiny"
    assert dataset.statistics()["duplicate_hyperedges"] == 1
    assert dataset.statistics()["isolated_nodes"] == 3
    assert dataset.split.train.tolist() == [2, 3, 7]
    validate(dataset[0])


def test_unknown_names():
    with pytest.raises(ValueError, match="no data set 'imdb'; there are dblp, cora-coauthorship"):
        load_dataset("imdb")
    with pytest.raises(ValueError, match="no benchmark 'debian'; there are dblp"):
        BenchmarkDataset("debian")


@pytest.mark.parametrize("name", ["dblp", "debian", "synthetic"])
def test_only_co_citations_have_citing_papers(name):
    with pytest.raises(ValueError, match=f"citing_member is of co-citation, and {name} is none"):
        load_dataset(name, citing_member=True)


# The two largest are measured in the benchmarks.
@pytest.mark.parametrize(
    "name",
    [name for name in dataset_names() if not name.endswith("m") and name not in ALLSET_NAMES],
)
def test_every_name_opens_or_says_where_it_looked(name, tmp_path):
    if name in ("dblp", "cora-coauthorship", "cora-cocitation", "citeseer", "pubmed"):
        with pytest.raises(FileNotFoundError, match=f"{name} is not in data_dir {tmp_path}"):
            load_dataset(name, data_dir=tmp_path)
        return
    with pytest.raises(ValueError, match=f"{name} reads no files"):
        load_dataset(name, data_dir=tmp_path)
    dataset = load_dataset(name)
    validate(dataset[0])
    assert dataset.name == name
    assert int(dataset[0].nodes["node"].data["train_mask"].sum()) == len(dataset.split.train) > 0


def test_the_seed_decides_what_is_generated():
    one, again, other = (
        incidences(load_dataset("synthetic", seed=seed).structure)[0].tolist() for seed in (1, 1, 2)
    )
    assert one == again != other


@pytest.mark.parametrize("name", ["debian", "synthetic"])
def test_sets_that_read_no_files_need_no_home(name, monkeypatch, tmp_path):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", nowhere)
    monkeypatch.delenv("DGL_DOWNLOAD_DIR")
    assert load_dataset(name).data.num_nodes > 0
    with pytest.raises(FileNotFoundError, match="set DGL_DOWNLOAD_DIR"):
        load_dataset("citeseer")
