"""Opens a page in headless Chromium, which must have nothing to say about it.

``python tests/headless_browser.py PAGE FOLDER`` takes the same pictures to look at.
"""

from __future__ import annotations

import base64
import functools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

# Pixels of a phone and of a desk.
WIDTHS = (400, 1280)
SCREEN = WIDTHS[-1]
OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
    # A test needs no network to see that a page asks for it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def open_in_browser(
    page: Path, pictures: Path | None = None, *, within: Path | None = None
) -> None:
    """Fail on a console message, a request, or a page wider than the screen, light and dark.

    Of a site, a page may ask for files ``within`` its folder.
    """
    browser = the_browser()
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            show_in(browser, page, width, scheme)
            said = [entry["message"] for entry in browser.get_log("browser")]
            asked = requests(browser.get_log("performance"))
            is_dark = "return matchMedia('(prefers-color-scheme: dark)').matches"
            assert (width, scheme == "dark") == (
                browser.execute_script("return innerWidth"),
                browser.execute_script(is_dark),
            )
            # A page of the site has its own word for it, which the reader can change.
            own_word = browser.execute_script("return document.body.dataset.mdColorScheme")
            assert own_word in (None, {"light": "default", "dark": "slate"}[scheme])
            assert said == []
            assert asked[0] == page.resolve().as_uri()
            own = f"{within.resolve().as_uri()}/" if within else page.resolve().as_uri()
            assert [address for address in asked if not address.startswith(own)] == []
            assert within is not None or len(asked) == 1
            taken = browser.execute_script("return document.documentElement.scrollWidth")
            assert taken <= width, f"{page.name} is {taken} pixels wide on a screen of {width}"
            if pictures is not None:
                whole = {"captureBeyondViewport": True}
                picture = browser.execute_cdp_cmd("Page.captureScreenshot", whole)["data"]
                file = pictures / f"{page.stem}-{width}-{scheme}.png"
                file.write_bytes(base64.b64decode(picture))


def show_in(browser: Any, page: Path, width: int, scheme: str) -> None:
    """Open a page, as a reader sees it who likes this scheme; its logs begin here."""
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
    # What the page before it said and asked for is its own.
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(page.resolve().as_uri())


def picture_of(browser: Any, heading: str | None, area: dict[str, int]) -> bytes:
    """A PNG of an area of the page that is open, or of the section with a heading."""
    if heading is None:
        tall = browser.execute_script("return document.documentElement.scrollHeight")
        clip = {**area, "height": min(area["height"], tall)}
    else:
        clip = browser.execute_script(BOX, heading) | {"scale": 1}
    told = {"captureBeyondViewport": True, "clip": clip}
    return base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", told)["data"])


def requests(log: list[dict[str, Any]]) -> list[str]:
    """Addresses that a page asked for, itself the first."""
    events = [json.loads(entry["message"])["message"] for entry in log]
    sent = [e["params"]["request"]["url"] for e in events if e["method"] == SENT]
    # A page holds its pictures itself, as data: these go nowhere.
    return [address for address in sent if not address.startswith("data:")]


# Of the section with a heading, down to the last thing in it.
BOX = """
const part = [...document.querySelectorAll("section")].find(
  each => each.querySelector("h2")?.textContent === arguments[0]);
const box = part.getBoundingClientRect(), last = part.lastElementChild.getBoundingClientRect();
return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: last.bottom - box.y + 14};
"""
SENT = "Network.requestWillBeSent"


@functools.cache
def the_browser() -> Any:
    """The one of this process, started when it is first needed."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("no chromium and chromedriver to open pages with")
    # Here, since it takes long.
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


def close_browser() -> None:
    """End the browser of this process, if it was started."""
    if the_browser.cache_info().currsize:
        the_browser().quit()
        the_browser.cache_clear()


if __name__ == "__main__":
    open_in_browser(Path(sys.argv[1]), Path(sys.argv[2]))
    close_browser()
