"""Parts hold every node and hyperedge once, balanced, with all that training needs."""

from __future__ import annotations

import json

import dgl
import pytest
import torch

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl._utils import locked
from hypersage_dgl.data import LabelledHypergraph, load, partition, read_about


@pytest.fixture(scope="module")
def data():
    return load("synthetic")


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    partition(data, folder, 2, neighbors="exact")
    return folder


def node_data(folder, part):
    return dgl.data.utils.load_tensors(str(folder / f"part{part}" / "node_feat.dgl"))


def test_every_node_is_in_one_part_with_its_data(data, folder):
    parts = [node_data(folder, part) for part in range(2)]
    rows = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
    ids = rows["node/original_id"]
    assert torch.equal(ids.sort().values, torch.arange(data.num_nodes))
    assert torch.equal(rows["node/feat"], data.feat.to_dense()[ids])
    assert torch.equal(rows["node/label"], data.labels[ids])
    assert torch.equal(rows["node/num_neighbors"], num_neighbors(data.graph)[ids])
    assert torch.equal(rows["node/num_others"], num_neighbors(data.graph, False)[ids])
    is_train = torch.zeros(data.num_nodes, dtype=torch.bool)
    is_train[data.splits[0].train] = True
    assert torch.equal(rows["node/train_mask"].bool(), is_train[ids])
    sizes = data.graph.nodes["hyperedge"].data["size"]
    assert torch.equal(rows["hyperedge/size"].sort().values, sizes.sort().values)


def test_training_nodes_nodes_and_hyperedges_are_balanced(data, folder):
    parts = [node_data(folder, part) for part in range(2)]
    for count in (
        lambda part: int(part["node/train_mask"].sum()),
        lambda part: len(part["node/label"]),
        lambda part: len(part["hyperedge/size"]),
    ):
        assert max(map(count, parts)) <= 1.15 * sum(map(count, parts)) / 2


def test_few_incidences_are_cut(data, folder):
    config = json.loads((folder / "hypergraph.json").read_text())
    assert config["num_parts"] == 2
    # A part has the edges into its own nodes; of the sources some are elsewhere.
    cut = 0
    for part in range(2):
        graph = dgl.load_graphs(str(folder / f"part{part}" / "graph.dgl"))[0][0]
        is_own = graph.ndata["inner_node"].bool()
        sources, _ = graph.edges()
        cut += int((~is_own[sources]).sum())
    # By chance half of both relations would be cut.
    assert cut < 0.2 * 2 * data.graph.num_edges("in")


def test_the_data_are_described(folder):
    about = read_about(folder)
    assert about["parts"] == 2
    assert (about["features"], about["outputs"], len(about["classes"])) == (64, 4, 4)


def test_refusals(data, folder, tmp_path):
    with pytest.raises(FileExistsError, match="holds parts already; name another folder"):
        partition(data, folder, 2)
    with pytest.raises(ValueError, match="parts is 0"):
        partition(data, tmp_path, 0)
    with pytest.raises(ValueError, match="parts is 1001 for 1000 nodes"):
        partition(data, tmp_path, 1001)
    bare = LabelledHypergraph(hypergraph([[0, 1]]), feat=torch.eye(2), labels=torch.tensor([0, 1]))
    with pytest.raises(ValueError, match="has no training nodes"):
        partition(bare, tmp_path, 1)
    with pytest.raises(FileNotFoundError, match="holds no parts"):
        read_about(tmp_path)


@pytest.mark.parametrize("text", ["[]", "{}", '{"parts": "2"}', '{"parts": true}', "1"])
def test_another_description_is_refused_by_name(tmp_path, text):
    (tmp_path / "about.json").write_text(text)
    with pytest.raises(ValueError, match=r"about\.json is not a description of parts"):
        read_about(tmp_path)


def test_two_partitions_do_not_share_a_folder(data, tmp_path):
    with locked(tmp_path, "partition"), pytest.raises(BlockingIOError, match="in use by process"):
        partition(data, tmp_path, 1)
