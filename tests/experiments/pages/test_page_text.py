"""The pages as text: which figures they show, and the blocks that are filled in."""

from __future__ import annotations

import pytest
from folders import experiment
from made_up import all_experiments

from experiments.pages import page_text
from experiments.pages.page_text import TABLES, pictures, with_blocks

RESULTS = {name: [r for r in all_experiments() if experiment(r) == name] for name in TABLES}


def test_the_text_names_every_picture_once_in_its_order():
    text = page_text(RESULTS)
    shown = [picture for name in TABLES for picture in pictures(name, RESULTS[name])]
    assert len(shown) == 6
    places = [text.index(f"![{p.text}](figures/{p.stem}.svg)") for p in shown]
    assert places == sorted(places)
    assert "initialisation and command; the seed of a run is 100 x split + init." in text


def test_an_experiment_without_results_has_no_section_and_no_picture():
    assert page_text({}).count("\n## ") == 0
    assert [pictures(name, []) for name in TABLES] == [[]] * len(TABLES)


@pytest.mark.parametrize("missing", ["claims", "goals"])
def test_every_block_must_have_its_place(missing):
    places = "\n".join(
        f"<!-- {name}: made by python -m experiments report -->\n<!-- end of {name} -->"
        for name in ("claims", "goals")
    )
    assert "holds?" in with_blocks(places, RESULTS)
    with pytest.raises(ValueError, match=f"there is no line '<!-- {missing}: made by"):
        with_blocks(places.replace(f"{missing}:", "other:"), RESULTS)
