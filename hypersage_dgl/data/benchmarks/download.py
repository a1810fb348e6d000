"""Fetch a file over HTTPS: certificates checked, several tries, and only the declared content."""

from __future__ import annotations

import hashlib
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from ..._version import __version__

LOOPBACK = ("127.0.0.1", "::1", "localhost")
CHUNK = 1 << 18
# Of the errors below 500, those that a later try may overcome.
PASSING = (408, 429)


class DownloadError(OSError):
    """A file could not be fetched, or was not the declared one."""


class InsecureRedirectError(DownloadError):
    """The server wants the file to be fetched from where no certificate is checked."""


def fetch(
    url: str,
    sha256: str,
    *,
    limit: int,
    progress: Callable[[int], object],
    tries: int = 3,
    pause: float = 0.5,
    timeout: float = 30.0,
) -> bytes:
    """Fetch a file and check its SHA-256.

    Parameters
    ----------
    url
        ``https``; plain ``http`` only from this very machine.
    sha256
        What the content must hash to.
    limit
        Largest number of bytes to accept.
    progress
        Called with the bytes that each step brought; with a negative number when a try failed
        and its bytes do not count.
    tries, pause
        How often to try, and the seconds before the second try; they double with each further.
    timeout
        Seconds to wait for the server's next sign of life.

    Raises
    ------
    ValueError
        If the address is not ``https``.
    DownloadError
        If every try failed, the server says that there is no such file, or it redirects to an
        address that is not ``https``.
    """
    require_secure(url)
    for attempt in range(1, tries + 1):
        try:
            return _fetch_once(url, sha256, limit, progress, timeout)
        except urllib.error.HTTPError as error:
            error.close()
            failure = DownloadError(f"{url}: status {error.code} {error.reason}")
            if error.code < 500 and error.code not in PASSING:
                raise failure from None
        except InsecureRedirectError as error:
            raise DownloadError(f"{url}: {error}") from None
        except (OSError, HTTPException) as error:
            failure = DownloadError(f"{url}: {error or type(error).__name__}")
        if attempt < tries:
            time.sleep(pause * 2 ** (attempt - 1))
    raise DownloadError(f"{failure} (tried {tries} times)")


def require_secure(url: str) -> None:
    """Raise ``ValueError`` unless the address is ``https``, or ``http`` on the loopback."""
    if not (_is_https(url) or _is_plain_loopback(url)):
        raise ValueError(f"{url} is not an https address; data are fetched over https only")


def _is_https(url: str) -> bool:
    return urlsplit(url).scheme == "https"


def _is_plain_loopback(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


class _SecureRedirects(urllib.request.HTTPRedirectHandler):
    @staticmethod
    def from_loopback(request: urllib.request.Request) -> bool:
        """Whether the address that was asked for first is on the loopback."""
        return request.origin_req_host.strip("[]") in LOOPBACK

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        # From outside, a redirect to this very machine would reach what only it may.
        if not (_is_https(newurl) or (_is_plain_loopback(newurl) and self.from_loopback(req))):
            raise InsecureRedirectError(f"it redirects to {newurl}, which is not an https address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def make_opener() -> urllib.request.OpenerDirector:
    """Build an opener that checks certificates, whatever the process has set as its default."""
    context = ssl.create_default_context()
    return urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context), _SecureRedirects()
    )


def _fetch_once(
    url: str, sha256: str, limit: int, progress: Callable[[int], object], timeout: float
) -> bytes:
    agent = {"User-Agent": f"hypersage_dgl/{__version__}"}
    content = bytearray()
    try:
        with make_opener().open(urllib.request.Request(url, headers=agent), timeout=timeout) as got:
            while chunk := got.read(CHUNK):
                content += chunk
                progress(len(chunk))
                if len(content) > limit:
                    raise DownloadError(f"more than the declared {limit} bytes")
        digest = hashlib.sha256(content).hexdigest()
        if digest != sha256:
            raise DownloadError(f"{len(content)} bytes with SHA-256 {digest}, must be {sha256}")
    except BaseException:
        progress(-len(content))
        raise
    return bytes(content)
