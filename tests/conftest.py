"""Settings shared by all tests."""

import gc
import os

import headless_browser
import products
import pytest
import torch
from hypothesis import HealthCheck, Phase, settings

import hypersage_dgl  # noqa: F401  (before the tests import DGL, which it loads)

# The tensors here are small: threads only wait for one another, and DGL repeats only with one.
torch.set_num_threads(1)

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
# A run repeats and a failure is reported at once. For other examples in each run, and small ones
# on failure: --hypothesis-profile=explore
settings.register_profile(
    "repeatable",
    max_examples=25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    **COMMON,
)
# The first of those examples alone; all of them run with --exhaustive.
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=4)
settings.register_profile("explore", max_examples=100, **COMMON)
settings.load_profile("repeatable")

DATA_DIR = os.environ.get("HYPERSAGE_DATA_DIR")
LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser):
    help_text = "run full products of options and long runs too"
    parser.addoption("--exhaustive", action="store_true", help=help_text)
    help_text = "run one of so many parts of the tests alone, as in 3/8; together they are all"
    parser.addoption("--share", default="1/1", help=help_text)


def is_exhaustive(config) -> bool:
    return bool(config.getoption("--exhaustive"))


def pytest_configure(config):
    products.is_exhaustive = is_exhaustive(config)
    if not is_exhaustive(config) and not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")


def pytest_collection_modifyitems(config, items):
    """Full products run where they are asked for, tests on the public data where there is some."""
    share = config.getoption("--share")
    items[:] = [item for item in items if products.is_in_share(item.nodeid, share)]
    for item in items:
        if item.get_closest_marker("many") and not products.is_in_share(item.nodeid, "1/3"):
            item.add_marker("exhaustive")
    if not is_exhaustive(config):
        left_out = [item for item in items if item.get_closest_marker("exhaustive")]
        items[:] = [item for item in items if not item.get_closest_marker("exhaustive")]
        config.hook.pytest_deselected(items=left_out)
        config.stash[LEFT_OUT] = len(left_out)
    if not torch.cuda.is_available():
        no_gpu = pytest.mark.skip(reason="there is no GPU that torch can use")
        for item in items:
            if "gpu" in item.keywords:
                item.add_marker(no_gpu)
    if not DATA_DIR:
        skip = pytest.mark.skip(reason="HYPERSAGE_DATA_DIR names no copy of the public data sets")
        for item in items:
            if "real_data" in item.keywords:
                item.add_marker(skip)


def pytest_collection_finish():
    """Spare the garbage collector thousands of tests, which live until the end anyway."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish():
    """End the browser of this process, if a test has opened a page."""
    headless_browser.close_browser()


def pytest_terminal_summary(terminalreporter, config):
    """Say how many of either ran."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"products and long runs: {left_out} left out (--exhaustive)")
    reports = [r for key in ("passed", "failed") for r in terminalreporter.getreports(key)]
    ran = sum("real_data" in r.keywords for r in reports if r.when == "call")
    terminalreporter.write_line(f"tests on the public data sets: {ran} ran")


@pytest.fixture
def two_threads():
    """Let torch and DGL use two threads."""
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(1)
