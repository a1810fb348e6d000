"""The paper's numbers, spot-checked against its printed tables."""

import pytest

from experiments.names import Setting
from experiments.paper import paper_cells, paper_numbers


@pytest.mark.parametrize(
    ("method", "p", "dataset", "printed"),
    [
        ("mlp+hlr", None, "dblp", "63.6 ± 4.7"),
        ("hgnn", None, "cora-cocitation", "70.0 ± 2.9"),
        ("fasthypergcn", None, "pubmed", "65.7 ± 11.1"),
        ("hypergcn", None, "citeseer", "57.3 ± 7.3"),
        ("hypersage", 2, "dblp", "71.5 ± 4.4"),
        ("hypersage", 1, "cora-coauthorship", "72.4 ± 1.6"),
        ("hypersage", 0.01, "pubmed", "72.9 ± 1.3"),
        ("hypersage", -1, "cora-cocitation", "62.3 ± 5.7"),
    ],
)
def test_table_1(method, p, dataset, printed):
    assert str(paper_cells("table1")[(method, p), Setting(dataset)]) == printed


@pytest.mark.parametrize(
    ("p", "dataset", "alpha", "printed"),
    [
        (-1, "dblp", 2, 59.6),
        (0.01, "dblp", 10, 77.4),
        (0.01, "pubmed", 5, 73.4),
        (1, "pubmed", 3, 64.3),
        (5, "pubmed", 10, 68.0),
        (3, "dblp", 5, 71.3),
    ],
)
def test_table_2(p, dataset, alpha, printed):
    cell = paper_cells("table2")[("hypersage", p), Setting(dataset, alpha)]
    assert (cell.mean, cell.sd) == (printed, None)


@pytest.mark.parametrize(
    ("method", "p", "dataset", "part", "printed"),
    [
        ("mlp+hlr", None, "dblp", "unseen", 58.7),
        ("hypersage", 0.01, "pubmed", "seen", 81.0),
        ("hypersage", 1, "citeseer", "unseen", 67.9),
        ("hypersage", 2, "cora-cocitation", "seen", 65.9),
    ],
)
def test_table_3(method, p, dataset, part, printed):
    cell = paper_cells("table3")[(method, p), Setting(dataset, part=part)]
    assert (cell.mean, cell.sd) == (printed, None)


@pytest.mark.parametrize(("table", "rows", "columns"), [("table1", 8, 5), ("table2", 6, 8)])
def test_tables_are_whole(table, rows, columns):
    printed = paper_numbers()[table]
    assert [len(row["accuracy"]) for row in printed["rows"]] == [columns] * rows
    assert len(printed["columns"]) == columns


def test_a_searched_hypersage_stands_beside_the_best_p():
    printed = paper_cells("table1")
    for dataset, mean in {
        "dblp": 77.4,
        "cora-coauthorship": 72.4,
        "pubmed": 72.9,
        "citeseer": 61.8,
        "cora-cocitation": 69.3,
    }.items():
        assert printed[("hypersage", None), Setting(dataset)].mean == mean


def test_baselines_keep_their_own_numbers():
    assert paper_cells("table1")[("hgnn", None), Setting("dblp")].mean == 69.2
