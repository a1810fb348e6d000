"""The table and the picture of the Fano planes: whole splits alone, each method once."""

from __future__ import annotations

from experiments.fano import METHODS, NOISES
from experiments.pages.fano import LOOKS, accuracies, fano_lines, fano_table


def made(splits):
    return [
        {"method": m, "noise": n, "split": s, "test_acc": 0.5 + 0.01 * i + 0.002 * s}
        for i, m in enumerate(METHODS)
        for n in NOISES
        for s in splits
    ]


def test_every_method_has_a_look_of_its_own():
    assert list(LOOKS) == list(METHODS)
    assert len({look[1:] for look in LOOKS.values()}) == len(LOOKS)


def test_means_spreads_and_what_is_left():
    text = fano_table(made([1, 2]))
    assert "| HGNN " in text
    # 51 and 0.2 or 0.4: mean 51.3, deviation 0.14.
    (row,) = (line for line in text.splitlines() if line.startswith("| HGNN "))
    assert row.count("51.3 ± 0.1") == len(NOISES)
    assert "Not run yet: split 3" in text
    assert "Not run yet" not in fano_table(made([1, 2, 3]))


def test_a_split_with_a_run_missing_does_not_count():
    rows = made([1, 2])[:-1]
    found, splits = accuracies(rows)
    assert splits == [1]
    assert all(len(values) == 1 for of in found.values() for values in of.values())
    assert fano_table([]) == "No results yet.\n"


def test_the_picture_has_a_curve_for_each_method():
    axes = fano_lines(made([1])).axes[0]
    curves = [line for line in axes.lines if len(line.get_xdata()) == len(NOISES)]
    assert len(curves) == len(METHODS)
    heights = sorted(float(curve.get_ydata()[0]) for curve in curves)
    assert heights == sorted(100 * (0.502 + 0.01 * i) for i in range(len(METHODS)))
