"""Cells made to measure, and what the table of claims says about them."""

from __future__ import annotations

from made_up import parsed, runs

from experiments.pages import claims
from experiments.paper import paper_cells

DATASETS = ("dblp", "cora-coauthorship", "pubmed", "citeseer", "cora-cocitation")


def cell(mean, sd=0.0, **fields):
    """Three runs with this mean and sample standard deviation, in percent."""
    return runs([(mean - sd) / 100, mean / 100, (mean + sd) / 100], **fields)


def sage(p, mean, sd=0.0, **fields):
    """Runs of HyperSAGE."""
    return cell(mean, sd, method="hypersage", p=p, **fields)


def table_2(rows, dataset):
    """Runs of HyperSAGE by p, a mean for each alpha."""
    return [
        run
        for p, means in rows.items()
        for alpha, mean in zip((2, 3, 5, 10), means)
        for run in sage(p, mean, dataset=dataset, alpha=alpha)
    ]


def paper_runs():
    """Runs with the numbers of tables 1 to 3, and p=4 of table 2 half way from p=3 to p=5."""
    made = []
    for table in ("table1", "table2", "table3"):
        printed = paper_cells(table)
        for ((method, p), setting), (mean, sd, _) in printed.items():
            fields = {"method": method, **setting._asdict()}
            if method != "hypersage" or p is not None:
                made += cell(mean, sd or 0.0, p=p, **fields)
            if p == 5:
                three = printed[("hypersage", 3), setting].mean
                made += cell((three + mean) / 2, p=4.0, **fields)
    return made


def rows(results):
    """What was measured and the verdict, by the number of the claim."""
    (table,) = parsed(claims(results))
    return {
        int(name.partition(".")[0]): (row["what we measured"], row["holds?"])
        for name, (row,) in table.items()
    }


def verdict(results, number):
    return rows(results)[number][1]


def measured(results, number):
    """The lines of a cell."""
    return rows(results)[number][0].split("<br>")
