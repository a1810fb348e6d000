"""The page on a run that learned hyperedges: its figures are counted by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import torch
from headless_browser import open_in_browser

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph
from hypersage_dgl.drawing import HyperedgeReport, write_hyperedge_report
from hypersage_dgl.training import Epoch, History, RankScores

EVIL = '<img src="http://example.invalid/x" onerror=alert(1)>'


def report() -> HyperedgeReport:
    """Three hyperedges and two kinds of negatives, the last of which is believed."""
    data = LabelledHypergraph(
        hypergraph([[0, 1], [1, 2, 3], [3, 4], [0, 4, 5]], 7),
        [EVIL, *"bcdefg"],
        name=EVIL,
    )
    return HyperedgeReport(
        data,
        [(0, 1), (1, 2, 3), (3, 4)],
        {"sized": [(0, 2), (2, 4, 5), (1, 5)], "clique": [(0, 3), (1, 2, 4), (3, 6)]},
        torch.tensor([0.05, 0.7, 0.8, 0.1, 0.2, 0.3, 0.2, 0.1, 0.95]),
        {
            "sized": RankScores(6 / 9, 0.75),
            "clique": RankScores(5 / 9, 0.5),
            "mean": RankScores(11 / 18, 0.625),
        },
        History([Epoch(1, 2.0, 0.5, 0.1), Epoch(2, 1.0, 0.75, 0.1)], 2, 0.75),
        {"p": 1.0, "note": EVIL},
        f"hypersage train {EVIL}",
        torch.rand(7, 4, generator=torch.Generator().manual_seed(0)),
    )


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    page = write_hyperedge_report(report(), tmp_path_factory.mktemp("p") / "r.html")
    return page.read_text(encoding="utf-8")


def test_scores_stand_in_tiles_and_by_kind(text):
    assert "<b>61.1</b><span>mean AUROC, %" in text
    assert "<b>62.5</b><span>mean AP, %" in text
    assert "<b>75.0</b><span>best validation AUROC, %" in text
    assert re.search(r'<td>sized</td><td class="n">3</td><td class="n">66\.7</td>', text)
    assert "Scored on 3 hyperedges that were held out" in text


def test_auroc_by_size_is_that_of_the_sets_of_this_size(text):
    # Pairs: 0.05 and 0.8 against 0.1, 0.3, 0.2, 0.95: three of eight are in order.
    assert re.search(r'<td>2</td><td class="n">2</td><td class="n">37\.5</td>', text)
    # Triples: 0.7 against 0.2 and 0.1.
    assert re.search(r'<td>3</td><td class="n">1</td><td class="n">100\.0</td>', text)


def test_probabilities_are_counted_by_tenths(text):
    row = re.search(r"<tr><th>clique</th>(.*?)</tr>", text).group(1)
    assert re.findall(r">(\d*)</td>", row) == ["", "33", "33", "", "", "", "", "", "", "33"]


def test_the_worst_judged_sets_are_named_once_and_escaped(text):
    doubted, believed = text.split("Hyperedges least believed")[1].split("Negatives most believed")
    assert re.findall(r'class="name">([^<]*)</td><td class="n">([\d.]+)', doubted)[0][1] == "5.0"
    assert re.findall(r'class="name">([^<]*)<', believed)[0] == "d, g"
    assert "<img" not in text
    assert "&lt;img src=" in text


def test_long_sets_are_cut_and_no_map_is_drawn_without_rows(tmp_path):
    long = tuple(range(12))
    found = replace(
        report(),
        data=LabelledHypergraph(hypergraph([list(long)])),
        positives=[long],
        negatives={"sized": [long[:11]]},
        probabilities=torch.tensor([0.5, 0.5]),
        scores=dict.fromkeys(("sized", "mean"), RankScores(0.5, 0.5)),
        embedding=None,
        history=None,
    )
    text = write_hyperedge_report(found, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "0, 1, 2, 3, 4, 5, 6, 7 and 4 more" in text
    assert "Map of the embeddings" not in text
    assert "11 or more" in text


def test_probabilities_of_another_number_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3,\); 9 sets need \(9,\)"):
        replace(report(), probabilities=torch.rand(3))


def test_a_browser_opens_it_without_an_error_or_a_request(tmp_path):
    open_in_browser(write_hyperedge_report(report(), tmp_path / "r.html"))
