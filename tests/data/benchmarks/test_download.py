"""Fetching from a server on the loopback that misbehaves in every way."""

import hashlib
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.request

import pytest

from hypersage_dgl.data.benchmarks.download import DownloadError, fetch, make_opener, require_secure

CONTENT = bytes(range(256)) * 3000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def get(server):
    """Fetch ``/file`` without long pauses; ``get.progress`` records what it was told."""
    progress = []

    def call(url=None, **options):
        settings = {"limit": len(CONTENT), "pause": 0.01, "timeout": 5.0, **options}
        return fetch(url or f"{server.url}/file", SHA256, progress=progress.append, **settings)

    call.progress = progress
    return call


def test_content_and_progress(server, get):
    server.otherwise = server.body(CONTENT)
    assert get() == CONTENT
    assert sum(get.progress) == len(CONTENT)
    assert server.asked == ["/file"]


@pytest.mark.parametrize("code", [408, 429, 500, 503])
def test_passing_errors_are_tried_again(server, get, code):
    server.replies["/file"] = [server.status(code), server.status(code)]
    server.otherwise = server.body(CONTENT)
    assert get() == CONTENT
    assert len(server.asked) == 3


@pytest.mark.parametrize("code", [401, 403, 404, 410])
def test_final_errors_are_not(server, get, code):
    server.otherwise = server.status(code)
    with pytest.raises(DownloadError, match=f"/file: status {code}"):
        get()
    assert len(server.asked) == 1


@pytest.mark.parametrize("sent", [0, 1, len(CONTENT) // 2, len(CONTENT) - 1])
def test_an_interrupted_transfer_is_started_again(server, get, sent):
    server.replies["/file"] = [server.body(CONTENT, sent)]
    server.otherwise = server.body(CONTENT)
    assert get() == CONTENT
    assert sum(get.progress) == len(CONTENT)


@pytest.mark.parametrize("wrong", [CONTENT[:-1] + b"x", CONTENT[:-1], b""], ids=len)
def test_wrong_content_is_never_returned(server, get, wrong):
    server.otherwise = server.body(wrong)
    with pytest.raises(DownloadError, match=f"must be {SHA256} .tried 3 times."):
        get()
    assert len(server.asked) == 3
    assert sum(get.progress) == 0


def test_more_than_declared_is_cut_off(server, get):
    server.otherwise = server.body(CONTENT + b"x" * 10_000_000)
    with pytest.raises(DownloadError, match=f"more than the declared {len(CONTENT)} bytes"):
        get(tries=1)
    assert max(get.progress) < 1_000_000


def test_a_silent_server_is_given_up(server, get):
    given_up = threading.Event()
    server.otherwise = lambda handler: given_up.wait(600)
    try:
        with pytest.raises(DownloadError, match=r"timed out .tried 2 times"):
            get(tries=2, timeout=0.1)
    finally:
        given_up.set()


def test_no_server_at_all(get):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(DownloadError, match=r"refused.*tried 3 times"):
            get(f"http://127.0.0.1:{taken.getsockname()[1]}/file")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/file",
        "http://127.0.0.1.example.org/file",
        "http://localhost@example.org/file",
        "ftp://127.0.0.1/file",
        "file:///etc/hostname",
        "/etc/hostname",
    ],
)
def test_only_https_beyond_the_loopback(url, get):
    with pytest.raises(ValueError, match="is not an https address"):
        get(url)


@pytest.mark.parametrize("url", ["http://example.org/file", "ftp://127.0.0.1/file"])
def test_a_redirect_cannot_leave_https(url, get, server):
    server.otherwise = server.status(302, Location=url)
    with pytest.raises(DownloadError, match=rf"redirects to {url}, which is not an https address"):
        get()
    assert server.asked == ["/file"]


def test_https_and_loopback_are_accepted():
    for url in ("https://example.org/a", "http://127.0.0.1:8000/a", "http://[::1]:1/a"):
        require_secure(url)


def test_a_redirect_on_the_loopback_is_followed(server, get):
    server.replies["/file"] = [server.status(302, Location=f"{server.url}/moved")]
    server.otherwise = server.body(CONTENT)
    assert get() == CONTENT
    assert server.asked == ["/file", "/moved"]


def test_certificates_are_checked_whatever_the_process_prefers(monkeypatch):
    monkeypatch.setattr(ssl, "_create_default_https_context", ssl._create_unverified_context)
    handlers = make_opener().handlers
    (https,) = [h for h in handlers if isinstance(h, urllib.request.HTTPSHandler)]
    assert https._context.verify_mode == ssl.CERT_REQUIRED
    assert https._context.check_hostname


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_a_certificate_of_ones_own_is_refused(server, get, tmp_path):
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    names = [*make.split(), "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"]
    subprocess.run(names, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.otherwise = server.body(CONTENT)
    with pytest.raises(DownloadError, match="CERTIFICATE_VERIFY_FAILED"):
        get(f"https://localhost:{server.server_address[1]}/file")
    assert server.asked == []


def redirected(first, to):
    """Ask the handler what it makes of a redirect."""
    (handler,) = [h for h in make_opener().handlers if hasattr(h, "redirect_request")]
    request = urllib.request.Request(first)
    return handler.redirect_request(request, None, 302, "Found", {}, to)


def test_a_redirect_from_outside_does_not_reach_the_loopback():
    with pytest.raises(DownloadError, match="which is not an https address"):
        redirected("https://example.org/a", "http://127.0.0.1/a")
    for first in ("http://127.0.0.1:8/a", "http://[::1]:8/a", "http://localhost/a"):
        assert redirected(first, "http://127.0.0.1/b").full_url == "http://127.0.0.1/b"
    assert redirected("https://example.org/a", "https://example.org/b") is not None
