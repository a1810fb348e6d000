"""The page of the search: what every method chose for every data set, and by what accuracy."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..protocol import DATASETS, GROUPS, METHODS
from ..recipe import Recipe
from ..result import Result
from ..search import FINALISTS, FIRST, SECOND, choose, means
from ..space import RECIPES, candidates
from .markdown import document, markdown_table

HEADING = ("method", "validation", "first round", "the paper's", "no.", "recipe")
HEAD = f"""# The search

Made by `python -m experiments report` from `experiments/results/search.jsonl.gz`, which
`python -m experiments search` wrote; its rules are in
[reproduction.md](reproduction.md#beating-it). Every method had {RECIPES} recipes, the paper's and
{RECIPES - 1} drawn from `experiments/space.py` before the first run; {FINALISTS} went on to the
second round.
All accuracies are in percent and of validation nodes, which are training nodes of the given splits:

- validation: of the chosen recipe on the data set, over the folds of the second round, among them
  those of the first;
- first round: of the same recipe over all data sets that shared the first round;
- the paper's: of the paper's recipe in that first round;
- no.: of the recipe among the candidates, 0 for the paper's. The same number has the same shared
  options in all methods.

What a recipe does not name is the paper's."""


def search_page(rows: Sequence[Result]) -> str:
    """Text of ``search.md``.

    Parameters
    ----------
    rows
        The results of a whole search.

    Raises
    ------
    UnfinishedSearchError
        If results are missing.
    """
    chosen = choose(rows)
    parts = [HEAD]
    groups = {name: group for group, names in GROUPS.items() for name in names}
    for dataset, title in DATASETS.items():
        table = [
            (known.title, *_row(rows, groups[dataset], dataset, chosen[dataset][method]))
            for method, known in METHODS.items()
        ]
        folds = len(SECOND[groups[dataset]])
        parts += [f"## {title}, {folds} folds", markdown_table(HEADING, table)]
    return document(parts)


def _row(rows: Sequence[Result], group: str, dataset: str, recipe: Recipe) -> tuple[str, ...]:
    """Cells after the name of the method."""
    known = candidates(group, recipe.method)
    first = means(rows, GROUPS[group], FIRST[group], [recipe, known[0]])
    scores = [*means(rows, (dataset,), SECOND[group], [recipe]), *first]
    return (*(f"{100 * score:.1f}" for score in scores), str(known.index(recipe)), _words(recipe))


def _words(recipe: Recipe) -> str:
    """What was drawn, as the options of a recipe and of its model."""
    told = json.loads(recipe.to_json())
    told.pop("method")
    options = {**told.pop("model", {}), **told}
    return ", ".join(f"{name} {json.dumps(options[name])}" for name in sorted(options)) or "-"
