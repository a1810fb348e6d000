"""The model of cost finds prices that were put in, and its counts are those of real samples."""

import numpy as np
import pytest
import torch

from benchmarks.cost import BILLION, STEPS, Model, Size, counts, expected_batch, factor, sent
from benchmarks.scaling import counted, planted
from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.training import seed_everything

PRICES = (3e-8, 2e-9, 0.05)


def row(nodes, **more):
    size = Size(nodes, nodes * 1.25, nodes * 5, nodes / 100)
    taken = {step: {"cpu_s": float(np.dot(PRICES, counts(step, size)))} for step in STEPS}
    found = {**size._asdict(), "widths": list(size.widths), "steps": taken}
    return {**found, "peak_gib": nodes * 1e-6, **more}


def test_the_prices_that_made_the_seconds_are_found():
    model = Model.fit([row(nodes) for nodes in (1e5, 3e5, 1e6, 3e6, 1e7)])
    for step in STEPS:
        expected = float(np.dot(PRICES, counts(step, BILLION)))
        assert model.seconds(step, BILLION) == pytest.approx(expected, rel=1e-6)
    assert model.gib(BILLION) == pytest.approx(200)


def test_no_price_is_below_zero():
    # Seconds that fall with size: the best fit would be a negative price.
    made = [
        row(nodes, steps={s: {"cpu_s": 1e6 / nodes} for s in STEPS}) for nodes in (1e5, 1e6, 1e7)
    ]
    assert all(price >= 0 for prices in Model.fit(made).prices.values() for price in prices)


@pytest.mark.parametrize("fan_out", [3, 5])
def test_expected_batches_are_those_that_are_drawn(fan_out):
    nodes, edges, _ = planted(8000, np.random.default_rng(0))
    g = hypergraph_from_incidence(nodes, edges, 8000)
    size = Size(8000, g.num_nodes("hyperedge"), g.num_edges("in"), 300, 64, fan_out)
    sampler = HyperSAGESampler(2, fan_out, fan_out)
    seed_everything(0)
    seeds = torch.randperm(8000, generator=torch.Generator().manual_seed(0))[:64]
    drawn = counted(*sampler.sample(g, {"node": seeds}))
    for key, value in expected_batch(size).items():
        assert factor(value, drawn[key]) < 1.2


def test_twice_the_batches_are_twice_the_work():
    one, two = Size(1e6, 1e6, 4e6, 1e4, 100), Size(1e6, 1e6, 4e6, 2e4, 100)
    np.testing.assert_allclose(np.array(counts("epoch", one)) * 2, counts("epoch", two))


def test_what_is_sent_is_rows_edges_and_gradients():
    fetched = {"rows": 50, "edges": 25, "asked": 5, "all_rows": 100}
    found = {"widths": [64, 32, 8], "fetched": fetched, "steps": 3, "parameters": 7}
    assert sent(found) == 50 * (64 * 4 + 8) + 25 * 24 + 5 * 8 + 3 * 2 * 7 * 4


def test_off_by_two_either_way():
    assert factor(2.0, 4.0) == factor(4.0, 2.0) == 2.0
