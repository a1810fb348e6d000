"""``hypersage train`` does what the library does, keeps it, resumes it, and refuses the rest."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch

from hypersage_dgl.data import HypergraphDataset, carve_validation
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    FullGraph,
    Minibatches,
    evaluate,
    fit,
    load_checkpoint,
    sampler_for,
    seed_everything,
)

from ..conftest import powerless
from ..own_data import ARRAYS, DATA, WORDS, labelled, losses, weights

SHORT = ("--recipe", "paper", "--epochs", "3", "--hidden", "8")


def by_hand(make_batches, nodes, p=1.0, epochs=3):
    """Train on the recipes with the library itself."""
    dataset = HypergraphDataset(DATA)
    graph, feat, labels = dataset.structure, dataset.sparse_feat, dataset.labels
    seed_everything(7)
    model = HyperSAGE(12, 8, 3, p=p)
    fit(
        model,
        make_batches(model, graph, feat, labels, torch.from_numpy(nodes)),
        epochs=epochs,
        seed=7,
    )
    logits = model.inference(graph, feat)
    return model, evaluate(logits, labels, dataset.split.test, graph)


def full(model, *data):
    return FullGraph(*data, model=model)


def test_full_mode_is_full_graph_training(data, hypersage):
    model, scores = by_hand(full, ARRAYS.splits[0].train, p=2.0)
    done = hypersage(
        *("train", "--hypergraph", "recipes.npz", "--out", "new", "--seed", 7, "--p", 2, *SHORT)
    )
    assert done.code == 0
    assert torch.equal(weights(load_checkpoint("new").model), weights(model))
    assert f"test accuracy (full): {100 * scores.accuracy:.2f}\n" in done.out
    row = re.search(r"^full +(\S+) +(\S+) +(\S+)$", done.out, re.M).groups()
    wanted = (scores.accuracy, scores.macro_f1, scores.connected_accuracy)
    assert row == tuple(f"{100 * share:.2f}" for share in wanted)
    assert done.out.splitlines()[0] == (
        "recipes.npz: 90 nodes, 60 hyperedges, 12 features, 3 classes; train 24, val 0, test 66"
    )
    # Three epochs are few.
    assert done.err.count("\n") == 1
    assert "training accuracy is only 50.00 %" in done.err


def test_minibatch_mode_is_minibatch_training(data, hypersage):
    def sampled(model, graph, *data):
        sampler = sampler_for(model, graph, alpha=[2, 1], beta=2)
        return Minibatches(graph, *data, sampler, batch_size=5)

    model, _ = by_hand(sampled, ARRAYS.splits[0].train)
    options = ("--mode", "minibatch", "--alpha", "2,1", "--beta", 2, "--batch-size", 5)
    done = hypersage(
        *("train", "--hypergraph", "recipes.npz", "--out", "new", "--seed", 7, *options, *SHORT)
    )
    assert done.code == 0
    assert torch.equal(weights(load_checkpoint("new").model), weights(model))


def test_eval_both_agrees_at_full_fan_out(data, hypersage):
    done = hypersage(
        *("train", "--hypergraph", "recipes.npz", "--eval", "both", "--alpha", "-1", *SHORT)
    )
    full, minibatch = re.findall(r"^test accuracy \((?:full|minibatch)\): (.*)$", done.out, re.M)
    assert full == minibatch


def test_the_checkpoint_tells_what_it_was_trained_on(data):
    about = load_checkpoint("hif-model").about
    assert about.classes == ARRAYS.class_names
    assert about.feature_names == WORDS
    assert (about.statistics["nodes"], about.statistics["train"]) == (90, 45)
    assert load_checkpoint("own-model").about.feature_names == ()


def test_hif_and_labelled_npz_train_alike(data, hypersage):
    common = ("--split", "random", "--seed", "5", "--epochs", "5", "--dropout", "0")
    for name, more in (("recipes.json", ("--label", "kind")), ("recipes.npz", ())):
        done = hypersage("train", "--hypergraph", name, "--out", f"from-{name}", *common, *more)
        assert done.code == 0, done
    logs = [losses(data / f"from-{name}" / "log.csv") for name in ("recipes.json", "recipes.npz")]
    first, second = (np.array([float(loss) for _, loss, _ in log]) for log in logs)
    assert first == pytest.approx(second, rel=1e-4)
    assert first[-1] < first[0]


def test_patience_stops_early_and_keeps_the_best_epoch(data, hypersage):
    done = hypersage(
        *("train", "--hypergraph", "recipes.npz", "--out", "new", "--hidden", "8"),
        *("--val-fraction", "0.25", "--patience", "4"),
    )
    assert done.code == 0
    scores = [float(val) for _, _, val in losses(data / "new" / "log.csv")]
    best = int(np.argmax(scores)) + 1
    assert len(scores) == best + 4 < 150
    assert "(no better score in 4 epochs)" in done.out
    assert f"best epoch {best}, validation accuracy {100 * max(scores):.2f}\n" in done.out
    # The kept weights are those of the best epoch: they score as the log says.
    split = carve_validation(DATA.splits[0], DATA.labels, 0.25, seed=0)
    dataset = HypergraphDataset(DATA)
    logits = load_checkpoint("new").model.inference(dataset.structure, dataset.sparse_feat)
    right = logits.argmax(1).numpy()[split.val] == ARRAYS.labels[split.val]
    assert right.mean() == pytest.approx(max(scores))


def test_the_default_is_debian(hypersage):
    done = hypersage("train", "--epochs", "1", "--hidden", "4", "--out", "new")
    assert done.code == 0
    assert done.out.startswith("debian: 26,476 nodes")
    assert load_checkpoint("new").about.feature_names[:2] == ("library", "python")


def test_resume_gives_the_curve_of_an_unbroken_run(data, hypersage):
    common = ("train", "--hypergraph", "recipes.npz", "--mode", "minibatch", "--batch-size", "7")
    assert hypersage(*common, "--epochs", "2", "--out", "broken").code == 0
    assert hypersage(*common, "--epochs", "4", "--out", "broken", "--resume").code == 0
    assert hypersage(*common, "--epochs", "4", "--out", "whole").code == 0
    assert losses(data / "broken" / "log.csv") == losses(data / "whole" / "log.csv")


def test_resume_says_what_was_trained_now(data, hypersage):
    common = ("train", "--hypergraph", "recipes.npz", "--out", "new")
    assert "trained 3 epochs in" in hypersage(*common, "--epochs", "3").out
    assert "trained 2 epochs after 3 in" in hypersage(*common, "--epochs", "5", "--resume").out
    assert "trained 0 epochs after 5 in" in hypersage(*common, "--epochs", "1", "--resume").out


def test_a_run_is_not_overwritten(data, fails):
    before = (data / "own-model" / "checkpoint.json").read_bytes()
    error = fails("train", "--hypergraph", "recipes.npz", "--out", "own-model", *SHORT)
    assert "holds a checkpoint already" in error
    assert (data / "own-model" / "checkpoint.json").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--p", "2"), "trained with p=1.0, not 2.0"),
        (("--mode", "minibatch"), "alpha=None, not [10, 10]"),
        (("--lr", "0.1"), "trained with lr=0.01, not 0.1"),
        (("--split", "2"), "other data, or another split"),
        (("--val-fraction", "0.2"), "other data, or another split"),
    ],
)
def test_resume_refuses_other_options_and_data(data, fails, options, said):
    words = ("train", "--hypergraph", "recipes.npz", "--out", "own-model", "--resume")
    same = ("--recipe", "paper", "--epochs", "30", "--hidden", "8")
    assert said in fails(*words, *same, *options)


def test_resume_without_a_run(data, fails):
    error = fails("train", "--hypergraph", "recipes.npz", "--out", "new", "--resume")
    assert "new holds no checkpoint" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--dataset", "cora"), "no data set 'cora'; there are dblp"),
        (("--dataset", "synthetic:huge"), "no data set 'synthetic:huge'"),
        (("--dataset", "debian", "--data-dir", "x"), "debian reads no files"),
        (("--dataset", "dblp", "--data-dir", "nowhere"), "nowhere, which is not a folder"),
        (("--dataset", "synthetic", "--split", "11"), "synthetic has the splits 1 to 10"),
        (("--dataset", "synthetic", "--patience", "3"), "has no validation nodes; --val-fraction"),
        (("--dataset", "synthetic", "--val-fraction", "2"), "val_fraction is 2.0"),
        (("--dataset", "synthetic", "--recipe", "paper", "--lr", "1e30"), "lower lr"),
        (("--hypergraph", "recipes.json", "--label", "kind"), "no split of its own; try --split"),
        (("--hypergraph", "recipes.json", "--split", "random"), "--label KEY names another"),
        (
            ("--hypergraph", "incidence.npz"),
            "no node has the attribute 'label'; the nodes have none; --incidences with --nodes",
        ),
    ],
)
def test_what_cannot_be_trained_on(data, fails, words, said):
    assert said in fails("train", *words, "--epochs", "5")


def test_nan_features_and_unlabelled_nodes(data, fails):
    values = ARRAYS.features.data.copy()
    values[0] = np.nan
    path = labelled(data, feature_values=values)
    assert "NaN or infinite" in fails("train", "--hypergraph", path)
    path = labelled(data, split_ids=np.arange(0), split_sizes=np.array([[0, 0, 0]]))
    assert "there is no node to train on" in fails("train", "--hypergraph", path)


@pytest.mark.filterwarnings("default")
def test_a_class_without_a_training_node_is_a_warning(data, hypersage):
    only_two = np.flatnonzero(ARRAYS.labels < 2)[:20]
    path = labelled(data, split_ids=only_two, split_sizes=np.array([[20, 0, 0]]))
    done = hypersage("train", "--hypergraph", path, *SHORT)
    assert done.code == 0
    assert done.err.startswith(
        "hypersage train: warning: class 'class 2' has no training node, so the model cannot learn"
    )


def test_a_split_without_test_nodes_is_no_error(data, hypersage):
    ids = np.arange(90)
    path = labelled(data, split_ids=ids, split_sizes=np.array([[90, 0, 0]]))
    done = hypersage("train", "--hypergraph", path, *SHORT)
    assert (done.code, done.out.splitlines()[-1]) == (0, "no test nodes to score")


def test_no_permission_to_keep(data, fails):
    with powerless(data):
        error = fails("train", "--hypergraph", "recipes.npz", "--out", "new", *SHORT)
    assert "Permission denied" in error
    assert not (data / "new").exists()
