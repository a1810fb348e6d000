"""The page has a section for each experiment that has results, with the figures that belong."""

from __future__ import annotations

import re

import pytest
from folders import contents, experiment, write_results
from made_up import all_experiments, line, runs

from experiments.pages import (
    box_plots,
    claims,
    goals,
    heat_map,
    page_text,
    stability,
    stability_curves,
    table1,
    table2,
    table3,
    write_pages,
)
from experiments.pages.grid import grid_table
from hypersage_dgl._utils import write_text
from hypersage_dgl.drawing import save_figure

RESULTS = all_experiments()
TITLES = {
    "table1": "Table 1: node classification",
    "table2": "Table 2: alpha and p",
    "table3": "Table 3: inductive",
    "stability": "Stability: the share of training nodes",
}
TABLES = {"table1": table1, "table2": table2, "table3": table3, "stability": stability}
FIGURES = {
    "table1": {
        "box-literal": lambda results: box_plots(results, "literal"),
        "box-paper": lambda results: box_plots(results, "paper"),
        "box-best": lambda results: box_plots(results, "best"),
    },
    "table2": {
        "heat-map-dblp": lambda results: heat_map(results, "dblp"),
        "heat-map-pubmed": lambda results: heat_map(results, "pubmed"),
    },
    "table3": {},
    "stability": {"stability": stability_curves},
}


def of(name):
    return [result for result in RESULTS if experiment(result) == name]


def sections(page):
    return re.findall("^## (.*)$", page.read_text(encoding="utf-8"), re.M)


def shown(page):
    return re.findall(r"^!\[.+\]\((.+)\)$", page.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", TITLES)
def test_an_experiment_alone_has_its_table_and_figures_and_no_other(tmp_path, name):
    write_results(tmp_path / "results", of(name))
    page, *figures = write_pages(tmp_path / "results", tmp_path / "docs")
    assert page == tmp_path / "docs" / "results.md"
    assert sections(page) == [TITLES[name]]
    assert TABLES[name](of(name)) in page.read_text(encoding="utf-8")
    assert shown(page) == [f"figures/{stem}.svg" for stem in FIGURES[name]]
    drawn = {
        path.name: path.read_bytes()
        for stem, draw in FIGURES[name].items()
        for path in save_figure(draw(of(name)), tmp_path / "by hand", stem, ["svg"])
    }
    assert contents(tmp_path / "docs" / "figures") == drawn
    assert figures == [tmp_path / "docs" / "figures" / file for file in drawn]


def test_all_experiments_come_in_the_order_of_the_paper(tmp_path):
    write_results(tmp_path, RESULTS)
    page, *figures = write_pages(tmp_path, tmp_path / "docs")
    assert sections(page) == list(TITLES.values())
    stems = [stem for name in TITLES for stem in FIGURES[name]]
    assert shown(page) == [f"figures/{stem}.svg" for stem in stems]
    assert [path.name for path in figures] == [f"{stem}.svg" for stem in stems]


def test_the_text_alone_is_that_of_the_page(tmp_path):
    write_results(tmp_path, RESULTS)
    page, *_ = write_pages(tmp_path, tmp_path / "docs")
    text = page_text({name: of(name) for name in TITLES})
    assert page.read_text(encoding="utf-8") == text
    assert "initialisation and command; the seed of a run is 100 x split + init." in text


def test_recipes_and_data_sets_without_results_have_no_figure(tmp_path):
    sampled = runs([0.6], method="hypersage", p=1.0, alpha=2, dataset="pubmed")
    write_results(tmp_path, runs([0.5], column="literal") + sampled)
    page, *_ = write_pages(tmp_path, tmp_path / "docs")
    assert shown(page) == ["figures/box-literal.svg", "figures/heat-map-pubmed.svg"]


def test_a_damaged_line_is_refused_with_its_place_before_anything_is_written(tmp_path):
    write_results(tmp_path, RESULTS)
    text = "".join(map(line, of("stability")))
    write_text(tmp_path / "stability.jsonl.gz", f"{text}nonsense\n")
    number = len(of("stability")) + 1
    with pytest.raises(ValueError, match=rf"stability\.jsonl\.gz: line {number}: "):
        write_pages(tmp_path, tmp_path / "docs")
    assert not (tmp_path / "docs").exists()


@pytest.mark.parametrize("files", [[], ["search.jsonl"], ["table1.jsonl", "table3.jsonl"]])
def test_without_a_result_the_cure_is_named_and_nothing_is_written(tmp_path, files):
    for name in files:
        (tmp_path / name).touch()
    with pytest.raises(FileNotFoundError, match="has no results; make some with `python -m exp"):
        write_pages(tmp_path, tmp_path / "docs")
    assert sorted(contents(tmp_path)) == sorted(files)


EXPLAINED = """# Reproduction

Kept.

<!-- claims: made by python -m experiments report -->
old
<!-- end of claims -->

Kept too.

<!-- goals: made by python -m experiments report -->
older
<!-- end of goals -->

<!-- grid: made by python -m experiments report -->
oldest
<!-- end of grid -->
"""


@pytest.mark.exhaustive
def test_claims_and_goals_are_judged_in_the_page_that_has_a_place_for_them(tmp_path):
    write_results(tmp_path, RESULTS)
    explained = tmp_path / "docs" / "reproduction.md"
    assert explained not in write_pages(tmp_path, tmp_path / "docs")
    assert not explained.exists()
    explained.write_text(EXPLAINED)
    assert write_pages(tmp_path, tmp_path / "docs")[-1] == explained
    made = explained.read_text(encoding="utf-8")
    expected = EXPLAINED.replace("older\n", f"\n{goals(RESULTS)}\n")
    expected = expected.replace("oldest\n", f"\n{grid_table({})}\n")
    assert made == expected.replace("old\n", f"\n{claims(RESULTS)}\n")
    # It stays as it is, and is not said to be written.
    assert explained not in write_pages(tmp_path, tmp_path / "docs")
    assert explained.read_text(encoding="utf-8") == made


@pytest.mark.parametrize("name", ["claims", "goals", "grid"])
def test_a_page_without_a_place_for_a_block_is_refused_before_anything_is_written(tmp_path, name):
    write_results(tmp_path, RESULTS)
    (tmp_path / "docs").mkdir()
    text = EXPLAINED.replace(f"end of {name}", f"End of {name}")
    (tmp_path / "docs" / "reproduction.md").write_text(text)
    message = rf"reproduction\.md: there is no line '<!-- end of {name}"
    with pytest.raises(ValueError, match=message):
        write_pages(tmp_path, tmp_path / "docs")
    assert list(contents(tmp_path / "docs")) == ["reproduction.md"]


def test_runs_of_the_search_are_no_results_of_a_table(tmp_path):
    searched = runs([0.5], column="search", fold=1, part="validation", recipe="{}")
    write_text(tmp_path / "table1.jsonl.gz", "".join(map(line, searched)))
    with pytest.raises(ValueError, match=r"table1\.jsonl\.gz has runs of the search"):
        write_pages(tmp_path, tmp_path / "docs")
