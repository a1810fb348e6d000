"""Predict hyperedges in the protocol of the literature: five splits, three kinds of negatives.

The recipe of a method is chosen on the validation hyperedges of split 0 of one data set, which is
not among the five; of that split no test hyperedge is looked at.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from tqdm import tqdm

from hypersage_dgl._utils import PathLike, parse_json
from hypersage_dgl.data import (
    LabelledHypergraph,
    NegativeSampler,
    load,
    member_sets,
    split_hyperedges,
)
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, Mean, Question
from hypersage_dgl.nn.baselines import HGNN, MLP
from hypersage_dgl.training import (
    HyperedgeBatches,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    fit,
    seed_everything,
)

from .defaults import on_one_thread
from .ledger import opened, read_lines

HYPEREDGES = "hyperedges"
FRACTIONS = (0.6, 0.2, 0.2)
SPLITS, CHOICE, CHOSEN_ON = (1, 2, 3, 4, 5), 0, "cora-coauthorship"
SMALL = (CHOSEN_ON, "citeseer", "cora-cocitation")
# Small ones first. As many epochs as an hour has room for; the best one on validation counts.
EPOCHS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(SMALL, 30), "debian": 10, "pubmed": 10, "dblp": 4}
)
WIDTH, BATCHES = 64, 10


class Recipe(NamedTuple):
    """What is chosen: depth of the encoder and learning rate."""

    layers: int
    lr: float


_GRID = tuple(Recipe(layers, lr) for layers in (1, 2) for lr in (0.005, 0.02))
# The features' mean is one linear map and one hidden layer deep, so only the rate is left.
CANDIDATES: Mapping[str, tuple[Recipe, ...]] = MappingProxyType(
    {
        "neighbours": (),
        "mlp": tuple(Recipe(1, lr) for lr in (0.002, 0.005, 0.01, 0.02)),
        "hgnn": _GRID,
        "hypersage": _GRID,
    }
)
Row = Mapping[str, Any]


class CommonNeighbours(nn.Module):
    """Rank candidates by the nodes that two of their members both have as neighbours, on average.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g, candidates = hypergraph([[0, 2], [1, 2], [3]]), hypergraph([[0, 1], [0, 3]])
    >>> CommonNeighbours()(Question(g, candidates), torch.empty(4, 0)).flatten().tolist()
    [-0.5, -1.0]
    """

    def forward(self, graph: Question, feat: Tensor) -> Tensor:
        """-1 / (1 + mean count), which rises with the count and which no sigmoid rounds to 1."""
        around = NegativeSampler(graph.graph)
        beside = lru_cache(maxsize=None)(lambda node: frozenset(around.neighbors(node)))
        scores = []
        for members in member_sets(graph.candidates):
            shared = [len(beside(u) & beside(v)) for u, v in combinations(members, 2)]
            scores.append(-1 / (1 + sum(shared) / len(shared)))
        return torch.tensor(scores, dtype=torch.float64).unsqueeze(1)


def build(method: str, recipe: Recipe | None, num_feats: int) -> nn.Module:
    """The model of a method, of one width; hyperedges are pooled by max-min, features by mean."""
    if recipe is None:
        return CommonNeighbours()
    shape = (num_feats, WIDTH, WIDTH, recipe.layers)
    if method == "mlp":
        head = CandidateScorer(WIDTH, WIDTH, Mean())
        return HyperedgePredictor(MLP(*shape, dropout=0.0), head)
    encoder = {"hgnn": HGNN, "hypersage": HyperSAGE}[method](*shape, dropout=0.0)
    return HyperedgePredictor(encoder, CandidateScorer(WIDTH, WIDTH))


def predict(
    path: PathLike,
    data_dir: str | None,
    command: str,
    datasets: Iterable[str] = (),
    progress: bool | None = None,
) -> int:
    """Do the runs that the file has no result of yet, on one thread; return how many."""
    show, done = sys.stderr.isatty() if progress is None else progress, 0
    with opened(path) as ledger, on_one_thread():

        def do(runs: Iterable[Row]) -> None:
            nonlocal done
            for run in tqdm([run for run in runs if run not in ledger], disable=not show):
                found = one_run(_loaded(run["dataset"], data_dir), run)
                ledger.add([{**run, **found, "command": command}])
                done += 1

        do(_choice())
        do(_table(choose(read_rows(path)), tuple(datasets) or tuple(EPOCHS)))
    return done


@lru_cache(maxsize=1)
def _loaded(dataset: str, data_dir: str | None) -> LabelledHypergraph:
    # This one comes with the package.
    return load(dataset, data_dir=None if dataset == "debian" else data_dir)


def one_run(data: LabelledHypergraph, run: Row) -> dict[str, Any]:
    """Train on a split; score the best epoch, except of split 0, on the test hyperedges."""
    start, seed = time.perf_counter(), run["split"]
    graph, feat = data.graph, data.require_feat()
    split = split_hyperedges(graph, FRACTIONS, seed=seed)
    recipe = Recipe(run["layers"], run["lr"]) if "lr" in run else None
    seed_everything(seed)
    model = build(run["method"], recipe, data.num_feats)
    found: dict[str, Any] = {}
    if recipe is not None:
        history = fit(
            model,
            HyperedgeBatches(split, feat, batch_size=-(-len(split.train) // BATCHES)),
            epochs=run["epochs"],
            lr=recipe.lr,
            weight_decay=0.0,
            validate=auroc_on(split, feat, draw_negatives(graph, split, "val", seed=seed)),
            seed=seed,
            progress=False,
        )
        found = {"val_auroc": history.best_val, "best_epoch": history.best_epoch}
    if seed != CHOICE:
        # Other draws than those of validation.
        negatives = draw_negatives(graph, split, "test", seed=1000 + seed)
        scores = evaluate_hyperedges(model, split, feat, negatives)
        found["scores"] = {kind: list(pair) for kind, pair in scores.items()}
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


def read_rows(path: PathLike) -> list[dict[str, Any]]:
    """The results of a file."""
    return [parse_json(line, place) for place, line in read_lines(path)]


def choose(rows: Iterable[Row]) -> dict[str, Recipe | None]:
    """The recipe of each method with the best validation AUROC of split 0; None without any."""
    scores = {
        (row["method"], Recipe(row["layers"], row["lr"])): row["val_auroc"]
        for row in rows
        if row["split"] == CHOICE
    }
    return {
        method: max(grid, key=lambda recipe: scores[method, recipe]) if grid else None
        for method, grid in CANDIDATES.items()
    }


def _choice() -> Iterator[dict[str, Any]]:
    for method, grid in CANDIDATES.items():
        for recipe in grid:
            yield _run(CHOSEN_ON, method, CHOICE, recipe)


def _table(
    chosen: Mapping[str, Recipe | None], datasets: Iterable[str]
) -> Iterator[dict[str, Any]]:
    for dataset in datasets:
        for split in SPLITS:
            for method, recipe in chosen.items():
                yield _run(dataset, method, split, recipe)


def _run(dataset: str, method: str, split: int, recipe: Recipe | None) -> dict[str, Any]:
    told = {} if recipe is None else {**recipe._asdict(), "epochs": EPOCHS[dataset]}
    return {"dataset": dataset, "method": method, "split": split, **told}
