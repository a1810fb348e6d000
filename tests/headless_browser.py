"""Opens a page in headless Chromium, which must have nothing to say about it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium")
# Where Chromium looks for the time, for updates and for accounts, whatever the page is.
ITS_OWN = (".google.com", ".googleapis.com", ".gvt1.com")
QUIET = "--no-first-run --disable-background-networking --disable-component-update --disable-sync"


def open_in_browser(page: Path, tmp_path: Path, width: int) -> Path:
    """Take a picture of a page; fail on an error in the console, or a request to the network."""
    if CHROMIUM is None:
        pytest.skip("no chromium to open the page with")
    log, picture = tmp_path / f"net-{width}.json", tmp_path / f"shot-{width}.png"
    page = page.resolve()
    done = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", *QUIET.split()),
            "--host-resolver-rules=MAP * ~NOTFOUND",
            *("--enable-logging=stderr", "--log-level=0", f"--user-data-dir={tmp_path / 'user'}"),
            *(f"--log-net-log={log}", f"--window-size={width},900", f"--screenshot={picture}"),
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0
    assert picture.stat().st_size > 5000
    assert "CONSOLE" not in done.stderr
    text = log.read_text(encoding="utf-8", errors="replace")
    assert text.startswith("{")
    asked = re.findall(r'"url":"(?:https?|ftp|wss?)://([^/"]*)', text)
    assert [host for host in asked if not host.endswith(ITS_OWN)] == []
    return picture
