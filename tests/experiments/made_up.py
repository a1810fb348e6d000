"""Made-up results, and what a Markdown table says."""

import json
import random
from dataclasses import asdict, replace

from experiments.result import Result

RUN = Result(
    "dblp", "hgnn", "paper", 1, test_acc=0.7, connected_acc=0.75, seconds=2.5, command="command"
)


def runs(accuracies, **fields):
    """One run for each accuracy, on splits 1, 2, ..."""
    return [replace(RUN, split=s, test_acc=a, **fields) for s, a in enumerate(accuracies, 1)]


def all_experiments():
    """A few runs of every experiment, with gaps."""
    draw = random.Random(0)

    def some(count, **fields):
        return runs([draw.uniform(0.5, 0.9) for _ in range(count)], seconds=draw.random(), **fields)

    made = []
    for dataset in ("pubmed", "dblp"):
        for column in ("best", "literal", "paper"):
            made += some(7, dataset=dataset, column=column)
            made += some(5, dataset=dataset, column=column, method="mlp", connected_acc=None)
        for p in (2.0, -1.0):
            made += some(6, dataset=dataset, method="hypersage", p=p)
            made += some(4, dataset=dataset, method="hypersage", p=p, alpha=3)
            made += some(4, dataset=dataset, method="hypersage", p=p, alpha=10)
            made += some(3, dataset=dataset, method="hypersage", p=p, ratio=0.25)
            made += some(3, dataset=dataset, method="hypersage", p=p, part="seen")
            made += some(3, dataset=dataset, method="hypersage", p=p, part="unseen")
        made += some(3, dataset=dataset, method="hypergcn", ratio=0.25)
        made += some(3, dataset=dataset, method="hypergcn", ratio=0.3333)
    return made


def shuffled(results, seed):
    """The same results in another order."""
    return random.Random(seed).sample(results, len(results))


def line(result, **changes):
    """A result as a line of a file."""
    return json.dumps({**asdict(result), **changes}) + "\n"


def parsed(markdown):
    """The tables in a text: for each a dict from the first cell of a row to its cells."""
    tables, open_table = [], None
    for text in markdown.splitlines():
        if not text.startswith("|"):
            open_table = None
            continue
        first, *rest = (cell.strip() for cell in text[1:-1].split(" | "))
        if open_table is None:
            open_table = {}
            tables.append((rest, open_table))
        else:
            open_table.setdefault(first, []).append(rest)
    return [
        {
            name: [dict(zip(heading, cells)) for cells in lines]
            for name, lines in table.items()
            if not name.startswith(":-")
        }
        for heading, table in tables
    ]
