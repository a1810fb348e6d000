"""The page of a search: what was chosen, with the accuracies that chose it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import pytest
from folders import write_results
from made_up import line as line_of
from made_up import runs

from experiments.pages import write_pages
from experiments.pages.search import search_page
from experiments.protocol import FEW, GROUPS, METHODS
from experiments.search import FIRST, SECOND, UnfinishedSearchError, finalists, jobs_for
from experiments.space import candidates

# The recipe that is best in the first round, and the one that citeseer finds better in the second.
BEST, OF_CITESEER = 5, 13


def score(dataset, number, is_first):
    if dataset == "citeseer" and not is_first:
        return {OF_CITESEER: 0.9, BEST: 0.7}.get(number, 0.1)
    return {BEST: 0.8, OF_CITESEER: 0.75, 0: 0.5}.get(number, 0.6)


def rows_of_a_search():
    """Made-up results of both rounds."""
    rows = []
    for group, datasets in GROUPS.items():
        for method in METHODS:
            numbers = {r.to_json(): i for i, r in enumerate(candidates(group, method))}
            first = [
                (job, True)
                for dataset in datasets
                for recipe in candidates(group, method)
                for job in jobs_for(dataset, recipe, FIRST[group])
            ]
            made = [line(trial, numbers, is_first) for (trial, _), is_first in first]
            second = [
                (job, False)
                for dataset in datasets
                for recipe in finalists(made, group, method)
                for job in jobs_for(dataset, recipe, set(SECOND[group]) - set(FIRST[group]))
            ]
            rows += made + [line(trial, numbers, is_first) for (trial, _), is_first in second]
    return rows


def line(trial, numbers, is_first):
    accuracy = score(trial.dataset, numbers[trial.recipe], is_first)
    return replace(trial, test_acc=accuracy, seconds=1.0)


def table_of(page, title):
    """Cells of the table of a data set by the name of the method."""
    section = page.split(f"## {title}")[1].split("\n## ")[0]
    lines = [text for text in section.splitlines() if text.startswith("| ")][2:]
    cells = [[cell.strip() for cell in text.strip("|").split("|")] for text in lines]
    return {name: rest for name, *rest in cells}


@pytest.fixture(scope="module")
def rows():
    return rows_of_a_search()


def test_it_shows_the_choice_of_each_data_set_and_its_accuracies(rows):
    page = search_page(rows)
    validation, first, papers, number, _ = table_of(page, "Pubmed")["HGNN"]
    assert (validation, first, papers, number) == ("80.0", "80.0", "50.0", str(BEST))
    validation, first, papers, number, recipe = table_of(page, "Citeseer")["MLP"]
    # 6 of 10 folds at 0.9, the 4 of the first round at 0.75.
    assert validation == f"{100 * (0.75 * 4 + 0.9 * 6) / 10:.1f}"
    assert (first, papers, number) == ("75.0", "50.0", str(OF_CITESEER))
    chosen = candidates(FEW, "mlp")[OF_CITESEER]
    assert chosen.hidden == 128
    assert "hidden 128" in recipe
    assert f"dropout {chosen.model['dropout']}" in recipe
    assert len(table_of(page, "DBLP")) == len(METHODS)


def test_a_search_that_is_not_finished_has_no_page(rows, tmp_path):
    with pytest.raises(UnfinishedSearchError, match="let `python -m experiments search` finish"):
        search_page(rows[:-1])
    for number, (part, is_there) in enumerate(((rows[:-1], False), (rows, True))):
        folder = tmp_path / str(number)
        write_results(folder, runs([0.7], method="hypergcn", ratio=0.25))
        text = "".join(map(line_of, part))
        (folder / "search.jsonl").write_text(text)
        page = folder / "docs" / "search.md"
        said = nullcontext() if is_there else pytest.warns(UserWarning, match="no page of the sea")
        with said:
            assert (page in write_pages(folder, folder / "docs")) is is_there
        assert page.exists() is is_there
