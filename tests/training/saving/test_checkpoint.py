"""Checkpoints come back as they were, whole, whoever reads or writes beside."""

from __future__ import annotations

import os
import threading

import pytest
import torch
import torch.nn.functional as F
from small_hypergraph import CLASSES, INF, WIDTH, model_for
from torch import nn

import hypersage_dgl
from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGE, Max, Mean, Min, PowerMean, Sum
from hypersage_dgl.nn.baselines import BASELINES, HGNN
from hypersage_dgl.training import (
    About,
    FullGraph,
    Predictor,
    fit,
    load_checkpoint,
    save_checkpoint,
)

from ..cases import assert_weights, full, record_of, rewrite, small, whole

OPTIONS = [
    {},
    {"p": 2.5},
    {"p": -1},
    {"p": 0},
    {"p": INF},
    {"p": -INF},
    {"p": (2, -INF)},
    {"p": [0.5, 0]},
    {"p": PowerMean(3, eps=0.1)},
    {"p": PowerMean(-INF)},
    {"p": PowerMean(1.5, learn=True)},
    {"p": PowerMean(1.5, learn=True, channels=WIDTH)},
    {"intra_aggr": Max(), "inter_aggr": Mean()},
    {"intra_aggr": Sum(), "inter_aggr": Min()},
    {"intra_aggr": LSTM, "inter_aggr": LSTM},
    {"intra_aggr": PowerMean(2, learn=True), "inter_aggr": PowerMean(INF)},
    {"inter": "mean", "include_self": False, "eps": 0.2},
    {"inter": "paper", "p": 3},
    {"inter": "invariant", "normalize": False, "bias": False},
    {"dropout": 0.25, "feat_drop": 0.1, "layers": 3},
    {"norm": nn.LayerNorm, "activation": F.elu},
    {"norm": nn.BatchNorm1d, "activation": torch.tanh},
    {"activation": torch.relu},
    {"activation": F.gelu},
    {"activation": F.leaky_relu},
    {"activation": torch.sigmoid},
    {"layers": 1},
    {"dtype": torch.float32},
]


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
@pytest.mark.many
def test_round_trip(tmp_path, options):
    model, case = model_for(**options), small(dtype=options.get("dtype", torch.float64))
    with torch.no_grad():
        # As if trained: powers and the rest have left their start values.
        for parameter in model.parameters():
            parameter.add_(torch.rand_like(parameter) * 0.1)
        if model.layers[0].norm is not None:
            model.train()(case.graph, case.feat)
    save_checkpoint(tmp_path, model)
    loaded = load_checkpoint(tmp_path).model
    assert repr(loaded) == repr(model)
    assert loaded.state_dict().keys() == model.state_dict().keys()
    for name, value in loaded.state_dict().items():
        assert torch.equal(value, model.state_dict()[name]), name
    assert all(p.requires_grad for p in loaded.parameters())
    with torch.no_grad():
        expected = model.eval()(case.graph, case.feat)
        assert torch.equal(loaded.eval()(case.graph, case.feat), expected)
    # And it can be saved and trained on.
    save_checkpoint(tmp_path / "again", loaded)
    assert record_of(tmp_path / "again")["model"] == record_of(tmp_path)["model"]
    loaded.train()(case.graph, case.feat).sum().backward()
    assert all(p.grad is not None for p in loaded.layers[-1].linear.parameters())


def test_about_and_versions_come_back(tmp_path):
    about = About(
        ("röd", "blå", "grön"), ("a", "b", "c", "d", "e"), {"nodes": 13, "size_mean": 2.5}
    )
    save_checkpoint(tmp_path, model_for(), about, progress={"epoch": 3}, state={"x": torch.ones(2)})
    loaded = load_checkpoint(tmp_path)
    assert loaded.about == about
    assert loaded.progress == {"epoch": 3}
    assert torch.equal(loaded.state["x"], torch.ones(2))
    assert loaded.versions["hypersage_dgl"] == hypersage_dgl.__version__
    assert loaded.versions["torch"] == torch.__version__
    assert set(loaded.versions) == {"hypersage_dgl", "dgl", "torch", "python"}


@pytest.mark.parametrize("about", [About(classes=("a",)), About(feature_names=("z",))])
def test_too_few_names_are_refused(tmp_path, about):
    with pytest.raises(ValueError, match="name all or none"):
        save_checkpoint(tmp_path, model_for(), about)
    assert list(tmp_path.iterdir()) == []


def test_without_anything_else_a_checkpoint_is_a_model(tmp_path):
    save_checkpoint(tmp_path, model_for())
    loaded = load_checkpoint(tmp_path)
    assert loaded.about == About()
    assert loaded.progress is None
    assert loaded.state == {}


def test_other_weights_can_be_saved_in_place_of_the_models(tmp_path):
    model = model_for()
    best = {name: value + 1 for name, value in model.state_dict().items()}
    save_checkpoint(tmp_path, model, weights=best)
    for name, value in load_checkpoint(tmp_path).model.state_dict().items():
        assert torch.equal(value, best[name])


def test_loading_draws_no_random_number(tmp_path):
    save_checkpoint(tmp_path, model_for())
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    load_checkpoint(tmp_path)
    assert torch.equal(torch.rand(3), expected)


def test_a_new_checkpoint_replaces_the_earlier_one_and_nothing_else(tmp_path):
    (tmp_path / "weights-of-mine.safetensors").write_bytes(b"mine")
    (tmp_path / "notes.txt").write_text("mine")
    for width in (4, 6):
        save_checkpoint(tmp_path, HyperSAGE(WIDTH, width, 2), state={"x": torch.ones(width)})
    assert load_checkpoint(tmp_path).model.config.hidden_feats == 6
    names = sorted(file.name for file in tmp_path.iterdir() if file.name != ".lock")
    assert len(names) == 5
    assert {"checkpoint.json", "notes.txt", "weights-of-mine.safetensors"} < set(names)
    save_checkpoint(tmp_path, HyperSAGE(WIDTH, 4, 2))
    assert len([file for file in tmp_path.iterdir() if file.name != ".lock"]) == 4


def test_a_reader_beside_a_writer_gets_one_or_the_other(tmp_path):
    models = [HyperSAGE(WIDTH, width, 2) for width in (4, 6)]
    save_checkpoint(tmp_path, models[0])
    stop = threading.Event()

    def write():
        while not stop.is_set():
            for model in models:
                save_checkpoint(tmp_path, model, state={"x": torch.ones(3)})

    writer = threading.Thread(target=write)
    writer.start()
    widths, reads = set(), 0
    try:
        # As many more as a machine needs on which the writer waits for its turn.
        while reads < 150 or len(widths) < 2:
            widths.add(load_checkpoint(tmp_path).model.config.hidden_feats)
            reads += 1
    finally:
        stop.set()
        writer.join()
    assert widths == {4, 6}


class OwnPower(PowerMean):
    """Someone's own idea of a power mean, which a checkpoint cannot know."""


@pytest.mark.parametrize(
    "options",
    [
        {"intra_aggr": OwnPower(2)},
        {"p": OwnPower(2)},
        {"inter_aggr": lambda width: LSTM(width)},
        {"norm": lambda width: nn.LayerNorm(width)},
        {"norm": nn.Identity},
        {"activation": nn.ReLU()},
        {"activation": lambda x: x},
    ],
    ids=lambda options: next(iter(options)),
)
def test_a_hypersage_with_something_of_ones_own_is_a_module_of_ones_own(tmp_path, options):
    case, model, nodes = small(), model_for(**options), torch.arange(9)
    fit(model, full(model, *case, nodes), epochs=1, folder=tmp_path)
    with pytest.raises(ValueError, match=r"holds a HyperSAGE that is not made of.*model="):
        load_checkpoint(tmp_path)
    # Of what has a name, another one is refused.
    with pytest.raises(ValueError, match="was saved with inter='size'"):
        load_checkpoint(tmp_path, model=model_for(**options, inter="mean"))
    with pytest.raises(ValueError, match="was saved with"):
        load_checkpoint(tmp_path, model=model_for())
    twin = model_for(**options)
    assert load_checkpoint(tmp_path, model=twin).model is twin
    assert_weights(twin, model.state_dict())
    resumed = model_for(**options)
    fit(resumed, full(resumed, *case, nodes), epochs=3, folder=tmp_path, resume=True)
    unbroken = model_for(**options)
    fit(unbroken, full(unbroken, *case, nodes), epochs=3)
    assert_weights(resumed, unbroken.state_dict())


@pytest.mark.parametrize("statistics", [{"mean": float("nan")}, {"graph": small()}])
def test_statistics_that_json_cannot_hold_leave_the_earlier_checkpoint(saved, statistics):
    kept = {file.name: file.read_bytes() for file in saved.iterdir()}
    with pytest.raises((TypeError, ValueError), match="JSON"):
        save_checkpoint(saved, model_for(), About(statistics=statistics))
    assert {file.name: file.read_bytes() for file in saved.iterdir()} == kept


class Own(nn.Module):
    """Someone's own module, which a checkpoint cannot make again."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.below, self.above = nn.Linear(WIDTH, width), nn.Linear(width, CLASSES)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, graph, feat):
        return self.above(self.norm(self.below(feat).relu()))


def own(**options) -> nn.Module:
    torch.manual_seed(5)
    return Own(**options).double()


def hgnn() -> nn.Module:
    torch.manual_seed(5)
    return HGNN(WIDTH, 4, CLASSES).double()


@pytest.mark.parametrize("make", [own, hgnn])
def test_a_module_of_ones_own_comes_back_into_its_like(tmp_path, make):
    case, model, nodes = small(), make(), torch.arange(9)
    fit(model, whole(model, *case, nodes), epochs=3, folder=tmp_path, about=About(("a", "b", "c")))
    twin = make()
    loaded = load_checkpoint(tmp_path, model=twin)
    assert loaded.model is twin
    assert loaded.about.classes == ("a", "b", "c")
    assert len(loaded.progress["epochs"]) == 3
    assert_weights(twin, model.state_dict())
    unbroken = make()
    fit(unbroken, whole(unbroken, *case, nodes), epochs=5)
    resumed = make()
    history = fit(resumed, whole(resumed, *case, nodes), epochs=5, folder=tmp_path, resume=True)
    assert (history.resumed_from, len(history.epochs)) == (3, 5)
    assert_weights(resumed, unbroken.state_dict())


def test_loading_asks_for_the_module(tmp_path):
    model = own()
    save_checkpoint(tmp_path, model)
    for load in (load_checkpoint, Predictor.load):
        with pytest.raises(ValueError, match=r"holds a Own that is not made of.*model="):
            load(tmp_path)
    for other in (model_for(), HGNN(WIDTH, 4, CLASSES)):
        with pytest.raises(ValueError, match="was saved with"):
            load_checkpoint(tmp_path, model=other)
    with pytest.raises(ValueError, match="does not describe its weights"):
        load_checkpoint(tmp_path, model=own(width=6))


def test_a_run_that_is_turned_away_leaves_the_module_as_it_was(tmp_path):
    case, model, nodes = small(), own(), torch.arange(9)
    fit(model, whole(model, *case, nodes), epochs=1, folder=tmp_path)
    other = own()
    before = {name: value.clone() for name, value in other.state_dict().items()}
    with pytest.raises(ValueError, match="lr="):
        fit(other, whole(other, *case, nodes), epochs=2, lr=1.0, folder=tmp_path, resume=True)
    assert_weights(other, before)


def test_a_hypersage_can_be_loaded_into_one_that_is_there(tmp_path):
    model = model_for(p=2)
    fit(model, full(model, *small(), torch.arange(9)), epochs=1, folder=tmp_path)
    twin = model_for(p=2)
    assert load_checkpoint(tmp_path, model=twin).model is twin
    assert_weights(twin, model.state_dict())
    with pytest.raises(ValueError, match="saved with p=2"):
        load_checkpoint(tmp_path, model=model_for(p=3))


def test_a_subclass_of_hypersage_is_a_module_of_ones_own(tmp_path):
    class Doubled(HyperSAGE):
        def forward(self, graph, feat):
            return 2 * super().forward(graph, feat)

    model = Doubled(WIDTH, 4, CLASSES)
    save_checkpoint(tmp_path, model)
    with pytest.raises(ValueError, match=r"holds a .*Doubled that is not made of"):
        load_checkpoint(tmp_path)
    assert load_checkpoint(tmp_path, model=Doubled(WIDTH, 4, CLASSES)).model.config.p == 1.0


@pytest.mark.parametrize("kind", BASELINES)
def test_baselines_load_by_themselves(tmp_path, kind):
    case = small(dtype=torch.float32)
    torch.manual_seed(3)
    model = BASELINES[kind](WIDTH, 4, CLASSES, 3, 0.25).eval()
    save_checkpoint(tmp_path, model, About(("a", "b", "c")))
    predictor = Predictor.load(tmp_path)
    assert type(predictor.model) is BASELINES[kind]
    assert predictor.model.config == model.config
    with torch.no_grad():
        expected = model(case.graph, case.feat).softmax(dim=1)
    assert torch.equal(predictor.predict(case.graph, case.feat).probabilities, expected)
    with pytest.raises(ValueError, match="predicts all nodes at once"):
        predictor.predict(case.graph, case.feat, batch_size=2)
    with pytest.raises(ValueError, match="predict_new needs a HyperSAGE"):
        predictor.predict_new(case.feat[:1], [[0]])


def test_baselines_that_are_not_ours_are_refused(tmp_path):
    save_checkpoint(tmp_path, BASELINES["mlp"](WIDTH, 4, CLASSES))
    for change, said in (
        ({"baseline": "os.system"}, "there is no baseline 'os.system'"),
        ({"num_layers": 10**9}, "tensors are too few"),
        ({"strength": 1}, "unexpected keyword"),
        ({"hidden_feats": 10**12}, "does not describe its weights"),
    ):
        model = {**record_of(tmp_path)["model"], **change}
        folder = tmp_path / said[:5]
        save_checkpoint(folder, BASELINES["mlp"](WIDTH, 4, CLASSES))
        rewrite(folder, model=model)
        with pytest.raises(ValueError, match=said):
            load_checkpoint(folder)


def test_reading_beside_a_writer_never_fails(tmp_path):
    model, stop = HyperSAGE(2, 4, 2), threading.Event()
    save_checkpoint(tmp_path, model, state={"a": torch.rand(3)})

    def keep_saving():
        while not stop.is_set():
            save_checkpoint(tmp_path, model, state={"a": torch.rand(3)})

    writer = threading.Thread(target=keep_saving)
    writer.start()
    try:
        seen = {tuple(load_checkpoint(tmp_path).state["a"].tolist()) for _ in range(100)}
        while len(seen) < 4:
            seen.add(tuple(load_checkpoint(tmp_path).state["a"].tolist()))
    finally:
        stop.set()
        writer.join()


def test_a_second_training_in_the_folder_is_told_who_is_there(tmp_path, monkeypatch):
    graph, feat, labels, nodes = hypergraph([[0, 1]]), torch.eye(2), torch.tensor([0, 1]), [0, 1]
    model = HyperSAGE(2, 4, 2)
    batches = FullGraph(graph, feat, labels, torch.tensor(nodes), model=model)
    told = []
    monkeypatch.setattr("hypersage_dgl.training.saving.checkpoint.PATIENCE", 0.1)

    def validate(_):
        for start in (
            lambda: fit(HyperSAGE(2, 4, 2), batches, epochs=1, folder=tmp_path, progress=False),
            lambda: save_checkpoint(tmp_path, model),
        ):
            with pytest.raises(BlockingIOError, match=rf"process {os.getpid()} on .*\(train\)"):
                start()
            told.append(True)
        return 1.0

    fit(model, batches, epochs=1, folder=tmp_path, validate=validate, progress=False)
    assert len(told) == 2
    assert len(load_checkpoint(tmp_path).progress["epochs"]) == 1
