"""Several runs are single runs with one seed after the other."""

from __future__ import annotations

import re
import statistics

from hypersage_dgl.cli.runs import spread

OWN = ("train", "--hypergraph", "recipes.npz", "--split", "random", "--epochs", "4")


def accuracy(text):
    return float(re.search(r"^test accuracy \(full\): (\S+)$", text, re.M)[1])


def test_runs_are_runs_with_the_next_seeds(data, hypersage):
    done = hypersage(*OWN, "--runs", "3", "--seed", "2", "--out", "many")
    assert done.code == 0, done
    single = [accuracy(hypersage(*OWN, "--seed", seed).out) for seed in (2, 3, 4)]
    mean, sd = re.search(r"of 3 runs: (\S+) ± (\S+)$", done.out, re.M).groups()
    assert abs(float(mean) - statistics.fmean(single)) < 0.01
    assert abs(float(sd) - statistics.stdev(single)) < 0.01
    rows = (data / "many" / "runs.csv").read_text().splitlines()
    assert rows[0] == "seed,full"
    assert [f"{100 * float(row.split(',')[1]):.2f}" for row in rows[1:]] == [
        f"{share:.2f}" for share in single
    ]
    again = hypersage(*OWN, "--runs", "4", "--seed", "2", "--out", "many")
    assert again.out.count("trained 0 epochs after 4") == 3
    assert again.out.count("trained 4 epochs in") == 1


def test_one_run_has_no_spread():
    assert spread([0.5]) == "50.00 ± -"
