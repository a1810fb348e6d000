"""Pages are whole files: the style is in them, names are escaped, numbers are for people."""

from __future__ import annotations

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.drawing.page import percent, shown, write_page

EVIL = "<script>alert(1)</script>"


def test_names_are_escaped_and_the_style_is_not(tmp_path):
    page = write_page(
        tmp_path / "deep" / "page.html",
        "compare.html",
        runs=[(EVIL, "#000000")],
        curves={},
        options=[],
        scores=[],
    )
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "max-width: 600px" in text
    assert ".legend > span" in text
    assert "prefers-color-scheme: dark" in text


def test_a_value_that_a_template_lacks_is_an_error(tmp_path):
    with pytest.raises(Exception, match="'runs' is undefined"):
        write_page(tmp_path / "page.html", "compare.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "text"), [(1234567, "1,234,567"), (True, "True"), (1e-7, "1e-07"), ("a", "a")]
)
def test_values_are_shown_for_people(value, text):
    assert shown(value) == text


def test_shares_are_shown_in_percent():
    assert (percent(1.0), percent(0.12345), percent(float("nan"))) == ("100.0", "12.3", "n/a")


@pytest.mark.parametrize(
    "text",
    [
        '<img src="http://example.invalid/x.png">',
        '<link rel="stylesheet" href="https://fonts.googleapis.com/css">',
        '<img src="beside.png">',
        "<script>fetch('http://127.0.0.1:9/').catch(() => 0)</script>",
        "<script>console.error('x')</script>",
        "<script>console.log('x')</script>",
        "<script>throw new Error('x')</script>",
        "<div style='width: 700px'>wide</div>",
    ],
    ids=["picture", "font", "file", "fetch", "error", "note", "thrown", "wide"],
)
def test_the_browser_would_tell(tmp_path, text):
    page = tmp_path / "bad.html"
    page.write_text(f"<!DOCTYPE html><title>bad</title><p>{'long ' * 500}</p>{text}")
    with pytest.raises(AssertionError):
        open_in_browser(page)


def test_the_browser_has_nothing_to_say_of_a_good_page(tmp_path):
    picture = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    page = tmp_path / "good.html"
    page.write_text(f'<!DOCTYPE html><title>good</title><p>text</p><img src="{picture}">')
    open_in_browser(page, tmp_path)
    assert {file.name for file in tmp_path.glob("*.png")} == {
        f"good-{width}-{scheme}.png" for width in (400, 1280) for scheme in ("light", "dark")
    }
