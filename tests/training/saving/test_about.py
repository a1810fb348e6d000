"""What a model was trained for and on is found again, and other data is told from it."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
import torch
from small_hypergraph import model_for
from torch import nn

from hypersage_dgl import hypergraph, summary
from hypersage_dgl._utils import json_digest
from hypersage_dgl.data import LabelledHypergraph, Split, random_split
from hypersage_dgl.training import (
    PREDICTION,
    About,
    fit,
    load_checkpoint,
    recall_nodes,
    remember_nodes,
    save_checkpoint,
)
from hypersage_dgl.training.saving.about import digests

from ..cases import full, sampled, small, whole

NAMES = ("a", "b", "c", "d", "e")


def test_as_many_names_as_the_model_has_ends_or_none():
    model = model_for()
    About().check(model)
    About(classes=NAMES[:3], feature_names=NAMES).check(model)
    with pytest.raises(ValueError, match="2 classes are named, the model has 3; name all or none"):
        About(classes=NAMES[:2]).check(model)
    with pytest.raises(ValueError, match="4 feature_names are named, the model has 5"):
        About(feature_names=NAMES[:4]).check(model)


def test_a_module_of_ones_own_does_not_say_its_ends():
    About(classes=("a",)).check(nn.Linear(2, 2))


def test_of_data_with_a_split():
    data = LabelledHypergraph(
        hypergraph([[0, 1], [1, 2]]),
        feat=torch.eye(3),
        feature_names=NAMES[:3],
        labels=torch.tensor([0, 1, 1]),
        class_names=("red", "blue"),
        splits=[Split([0, 1], [], [2])],
    )
    measured = {
        **asdict(summary(data.graph)),
        "features": 3,
        **{"train": 2, "val": 0, "test": 1},
        "checksum": data.checksum(),
    }
    assert About.of(data) == About(("red", "blue"), NAMES[:3], measured)


def test_of_data_that_is_a_bare_hypergraph():
    about = About.of(LabelledHypergraph(hypergraph([[0, 1], [1, 2]])))
    assert (about.classes, about.feature_names) == ((), ())
    assert about.statistics["features"] == 0
    assert not {"train", "val", "test"} & set(about.statistics)


@pytest.mark.parametrize(
    ("noted", "told"),
    [
        ({"separator": 5}, r"\$\.separator is 5; it must be of type string"),
        ({"node": ["a"]}, r"\$\.node is \['a'\]"),
        ({"hyperedge": None}, r"\$\.hyperedge is None"),
        ({"val_fraction": "x"}, r"\$\.val_fraction is 'x'"),
        ({"seed": "1"}, r"\$\.seed is '1'"),
        ({"split": [1]}, r"\$\.split is \[1\]"),
        ({"ranges": []}, r"\$\.ranges is \[\]"),
        ({"hyperedges": 3}, r"\$\.hyperedges is 3"),
    ],
)
def test_what_is_noted_of_a_training_has_its_types(tmp_path, noted, told):
    about = About(training={**noted, "my own": object})
    with pytest.raises(ValueError, match=f"training: {told}"):
        about.check(model_for())
    save_checkpoint(tmp_path, model_for(), About(training={"split": 1, "my own": [2]}))
    record = json.loads((tmp_path / "checkpoint.json").read_text())
    del record["sha256"]
    record["training"] = noted
    (tmp_path / "checkpoint.json").write_text(json.dumps({**record, "sha256": json_digest(record)}))
    with pytest.raises(ValueError, match=rf"checkpoint\.json .*training: {told}"):
        load_checkpoint(tmp_path)


def test_a_model_of_nodes_predicts_no_hyperedges():
    with pytest.raises(ValueError, match="needs a HyperedgePredictor"):
        About(task=PREDICTION).check(model_for())


@pytest.mark.parametrize("count", [1, 8, 100, 1001])
def test_nodes_are_found_by_name_in_any_order(count):
    names = [f"node {i}" for i in range(count)]
    degrees, split = torch.arange(count) % 3, random_split(count, seed=1)
    noted = remember_nodes(names, degrees, split)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(2)).tolist()
    found = recall_nodes(noted, [names[i] for i in order], degrees)
    for ids, before in zip(found, split):
        assert {order[i] for i in ids.tolist()} == set(before.tolist())


def test_other_nodes_are_not_taken_for_them():
    degrees, split = torch.tensor([1, 2, 1, 0]), random_split(4)
    noted = remember_nodes(range(4), degrees, split)
    assert recall_nodes(noted, range(4), degrees) is not None
    # Numbers are names of any hypergraph, so degrees must agree too.
    assert recall_nodes(noted, range(4), degrees.flip(0)) is None
    assert recall_nodes(noted, range(5), torch.ones(5)) is None
    assert recall_nodes({}, range(4), degrees) is None


def test_a_damaged_note_is_refused():
    noted = remember_nodes(range(4), torch.ones(4), random_split(4))
    for wrong in ("", "!", "AAAA"):
        with pytest.raises(ValueError, match="note of trained nodes is damaged"):
            recall_nodes({**noted, "train": wrong}, range(4), torch.ones(4))
    with pytest.raises(ValueError, match="has no 'train'"):
        recall_nodes({"nodes": 4, "names": 1}, range(4), torch.ones(4))


NODES = torch.arange(0, 11)
KINDS = {"cut": full, "whole": whole, "minibatches": sampled}


def other_feat(case):
    feat = case.feat.clone()
    feat[0, 0] += 1e-9
    return case._replace(feat=feat)


def other_graph(case):
    graph = case.graph.clone()
    for etype in graph.canonical_etypes:
        graph.remove_edges([0], etype=etype)
    return case._replace(graph=graph)


def other_weights(case):
    graph = case.graph.clone()
    graph.nodes["hyperedge"].data["weight"] = torch.ones(graph.num_nodes("hyperedge")) * 2
    return case._replace(graph=graph)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_feat, "other features"),
        (other_graph, "another hypergraph, or other weights of it,"),
        (other_weights, "another hypergraph, or other weights of it,"),
    ],
)
def test_resume_on_other_data_is_turned_away(tmp_path, kind, change, message):
    model, case = model_for(), small()
    fit(model, KINDS[kind](model, *case, NODES), epochs=1, folder=tmp_path)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    batches = KINDS[kind](model, *change(case), NODES)
    with pytest.raises(ValueError, match=f"was trained on {message} than these; resume with"):
        fit(model, batches, epochs=2, folder=tmp_path, resume=True)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    again = fit(model, KINDS[kind](model, *case, NODES), epochs=2, folder=tmp_path, resume=True)
    assert len(again.epochs) == 2


def test_sparse_and_dense_are_told_apart_and_both_are_stable():
    case = small()
    model = model_for()
    dense = digests(whole(model, *case, NODES))
    sparse = case._replace(feat=case.feat.to_sparse_csr())
    assert digests(whole(model, *sparse, NODES)) == digests(whole(model, *sparse, NODES))
    assert digests(whole(model, *sparse, NODES))["features"] != dense["features"]


def test_what_is_learned_is_left_out():
    graph, feat = hypergraph([[0, 1]]), torch.rand(2, 3, requires_grad=True)
    holder = type("Holder", (), {"graph": graph, "feat": feat})()
    before = digests(holder)
    with torch.no_grad():
        feat.add_(1)
    assert digests(holder) == before


def test_batches_that_say_nothing():
    assert digests([]) == {"features": None, "hypergraph": None}
