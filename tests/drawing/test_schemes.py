"""An SVG file is light or dark with its reader; colours of data stay."""

import pytest
from headless_browser import SCREEN, show_in, the_browser

from hypersage_dgl.drawing import canvas, save_figure
from hypersage_dgl.drawing.schemes import DARK, INK, PAPER, with_dark_scheme

BLUE = "#0072b2"


def drawn():
    with canvas(3, 2) as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [2, 3], color=BLUE, gid="line")
        axes.text(0.5, 2.5, "ours", gid="ours")
        axes.text(0.2, 2.2, "white on a cell", color="white", gid="white")
        axes.grid()
    return figure


def rgb(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ink_and_paper_follow_the_reader_and_data_do_not(scheme, tmp_path):
    (path,) = save_figure(drawn(), tmp_path, "figure", ["svg"])
    browser = the_browser()
    show_in(browser, path, SCREEN, scheme)

    def seen(query, key):
        script = f"return getComputedStyle(document.querySelector('{query}'))['{key}']"
        return browser.execute_script(script)

    expected = {c: DARK[c] if scheme == "dark" else c for c in (PAPER, INK)}
    assert seen("#figure_1 path", "fill") == rgb(expected[PAPER])
    assert seen("#ours g", "fill") == rgb(expected[INK])
    assert seen("#white g", "fill") == "rgb(255, 255, 255)"
    assert seen("#line path", "stroke") == rgb(BLUE)


def test_every_colour_of_ours_has_a_dark_one_and_the_light_file_stays():
    plain = "<svg><defs></defs></svg>"
    styled = with_dark_scheme(plain)
    assert styled.replace(styled[styled.index("<style>") : styled.index("<defs>")], "") == plain
    for light, dark in DARK.items():
        assert f'[style*="fill: {light}"]{{fill:{dark} !important}}' in styled
