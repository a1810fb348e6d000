"""Classes, labels and numbers of hyperedges: trained from tables, scored and predicted by name."""

from __future__ import annotations

import csv
import io
import json
import random
import re

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.training import load_checkpoint

TABLES = ("--incidences", "in.csv", "--nodes", "people.csv", "--hyperedges", "venues.csv")
SHORT = ("--epochs", "40", "--hidden", "16", "--dropout", "0", "--seed", "1")
FIELDS = ("art", "maths")
TASKS = ("classification", "multilabel", "regression")
COLUMN = {"classification": "field", "multilabel": "tags", "regression": "fee"}


def write_tables(place, shuffled=False):
    """Venues of two fields, whose members' `x` tells the field; every ninth venue has none."""
    rng = random.Random(0)
    members, venues = ["venue,person"], ["name,fee,field,tags"]
    people = ["name,x,y", *(f"p{i},{i % 2 * 50 + rng.random()},{rng.random()}" for i in range(80))]
    for e in range(60):
        kind = e % 2
        joined = rng.sample(range(kind, 80, 2), 4)
        members += [f"venue {e},p{v}" for v in joined]
        said = rng.randrange(2) if shuffled else kind
        known = (100 + 50 * said, FIELDS[said], "a;b" if said else "b")
        venues.append(f"venue {e},{','.join(map(str, known if e % 9 else ('',) * 3))}")
    rows = {"in.csv": members, "people.csv": people, "venues.csv": venues}
    for name, lines in rows.items():
        (place / name).write_text("\n".join([lines[0], *rng.sample(lines[1:], len(lines) - 1)]))


def train(hypersage, task, *more):
    words = ("--node", "person", "--hyperedge", "venue", "--task", task, "--hyperedge-label")
    return hypersage("train", *TABLES, *words, COLUMN[task], "--out", "model", *SHORT, *more)


def score(text):
    return float(re.findall(r"\(full\): (\S+)", text)[-1])


@pytest.mark.parametrize(
    "task",
    [TASKS[0], *(pytest.param(task, marks=pytest.mark.exhaustive) for task in TASKS[1:])],
)
def test_from_tables_to_predictions_by_name(place, tmp_path, hypersage, task):
    write_tables(place)
    done = train(hypersage, task)
    assert done.code == 0, done
    assert "in.csv, hyperedges as nodes: 60 nodes, 80 hyperedges, 2 features" in done.out
    assert "scaled to 0 to 1: x" in done.err
    assert score(done.out) > (0.8 if task == "regression" else 90)
    about = load_checkpoint("model").about
    assert about.training["hyperedge_label"] == COLUMN[task]
    assert "fee" not in about.feature_names
    again = hypersage("evaluate", "model", *TABLES)
    assert score(again.out) == score(done.out)
    assert again.err.count("warning") == 0
    assert json.loads(hypersage("evaluate", "model", *TABLES, "--json").out)["nodes"] == "test"
    # The venues' own table is not needed, and those without a field are predicted, too.
    rows = list(csv.DictReader(io.StringIO(hypersage("predict", "model", *TABLES[:4]).out)))
    assert {row["hyperedge"] for row in rows} == {f"venue {e}" for e in range(60)}
    right = {"classification": "class", "multilabel": "labels", "regression": "value"}[task]
    found = {row["hyperedge"]: row[right] for row in rows}
    for e in (0, 9, 18, 27):
        if task == "regression":
            assert float(found[f"venue {e}"]) == pytest.approx(100 + 50 * (e % 2), abs=20)
        else:
            expected = FIELDS[e % 2] if task == "classification" else ("a;b" if e % 2 else "b")
            assert found[f"venue {e}"] == expected
    first = (place / "model" / "report.html").read_text(encoding="utf-8")
    assert hypersage("report", "model", *TABLES).code == 0
    assert (place / "model" / "report.html").read_text(encoding="utf-8") == first
    open_in_browser(place / "model" / "report.html")


def test_nothing_is_learned_of_shuffled_fields(place, hypersage):
    write_tables(place, shuffled=True)
    assert score(train(hypersage, "classification").out) < 80


@pytest.mark.parametrize(
    "words",
    [
        ("--mode", "minibatch", "--alpha", "3"),
        pytest.param(("--runs", "2"), marks=pytest.mark.exhaustive),
        pytest.param(("--model", "hgnn"), marks=pytest.mark.exhaustive),
    ],
)
def test_minibatches_runs_and_baselines_train_alike(place, hypersage, words):
    write_tables(place)
    done = train(hypersage, "classification", *words, "--out", "m")
    assert done.code == 0, done
    assert score(done.out) > 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--label", "x"), "--label is one of nodes, and 'field' of hyperedges is learned here"),
        (("--hyperedge-features",), "with --hyperedge-label the features are members'"),
        (("--task", "hyperedge"), "--task hyperedge learns which sets are hyperedges"),
    ],
)
def test_what_does_not_go_with_it_is_refused(place, hypersage, words, said):
    write_tables(place)
    done = train(hypersage, "classification", *words)
    assert (done.code, said in done.err) == (2, True), done


def test_an_unknown_column_names_the_option(place, hypersage):
    write_tables(place)
    done = train(hypersage, "classification", "--hyperedge-label", "colour")
    assert done.code == 1
    assert "no node has the attribute 'colour'; the nodes have ['fee', 'field'" in done.err
    assert "--hyperedge-label KEY names another" in done.err


def test_arrivals_are_nodes_and_not_hyperedges(place, hypersage, fails):
    write_tables(place)
    assert train(hypersage, "classification", "--no-report").code == 0
    done = hypersage("predict", "model", *TABLES[:4], "--new", "people.csv")
    assert (done.code, "--new adds nodes, and model predicts hyperedges" in done.err) == (2, True)
