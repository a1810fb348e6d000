"""A tiny benchmark of the same pickled classes as the real ones, and a server on the loopback."""

import hashlib
import pickle
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.data.benchmarks.files import Benchmark

# Two hyperedges are equal; nodes 9, 10 and 11 are in none.
HYPEREDGES = {"a": [3, 0, 1], "b": [1, 2, 4, 5], "c": [0, 1, 3], "d": [8, 7, 6], "e": [5, 8]}
LABELS = [0, 1, 2] * 4
FEATURES = sparse.random(12, 6, density=0.4, random_state=7, dtype=np.float32, format="csr")
SPLITS = [
    (np.array([i % 12, (i + 1) % 12, (i + 5) % 12]), np.array([(i + 3) % 12, (i + 2) % 12]))
    for i in range(10)
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Keep each test away from the cache and the data of this machine, and from any proxy."""
    monkeypatch.setenv("DGL_DOWNLOAD_DIR", str(tmp_path / "downloads"))
    monkeypatch.delenv("HYPERSAGE_DATA_DIR", raising=False)
    monkeypatch.setenv("no_proxy", "*")
    return tmp_path / "downloads" / "hypersage_dgl"


def tiny_files(kind):
    """Pickle the tiny benchmark as the co-authorship or as the co-citation files are."""
    if kind == "coauthorship":
        hyperedges, labels = HYPEREDGES, LABELS
        protocol = 2
    else:
        hyperedges = {
            np.int32(i): {np.int32(v) for v in members}
            for i, members in enumerate(HYPEREDGES.values())
        }
        labels = [np.int64(label) for label in LABELS]
        protocol = 4
    contents = {
        "hypergraph.pickle": pickle.dumps(hyperedges, protocol=protocol),
        "features.pickle": pickle.dumps(FEATURES, protocol=4),
        "labels.pickle": pickle.dumps(labels, protocol=4),
    }
    for number, (train, test) in enumerate(SPLITS, start=1):
        split = {"train": list(train), "test": list(test)}
        contents[f"splits/{number}.pickle"] = pickle.dumps(split, protocol=4)
    return contents


def declare(contents, folder="data/coauthorship/tiny"):
    return Benchmark(
        name="tiny",
        folder=folder,
        sha256={file: hashlib.sha256(content).hexdigest() for file, content in contents.items()},
        num_bytes=sum(map(len, contents.values())),
        measured={},
    )


def write_files(folder, contents):
    for file, content in contents.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)


@pytest.fixture(params=["coauthorship", "cocitation"])
def tiny(request, tmp_path):
    """Contents, declaration and an on-disk copy of the tiny benchmark."""
    contents = tiny_files(request.param)
    source = declare(contents, f"data/{request.param}/tiny")
    root = tmp_path / "copy"
    write_files(root / source.folder, contents)
    return SimpleNamespace(contents=contents, source=source, root=root)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        with self.server.lock:
            self.server.asked.append(self.path)
            replies = self.server.replies.get(self.path, [])
            reply = replies.pop(0) if replies else self.server.otherwise
        reply(self)

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    """Answers with ``replies[path]``, one after the other, and then with ``otherwise``."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.asked, self.replies, self.otherwise = [], {}, status(404)

    def handle_error(self, request, client_address):
        """Say nothing: clients that hang up are what the tests are about."""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def serve_files(self, source, contents):
        files = {f"/{source.folder}/{file}": content for file, content in contents.items()}
        self.otherwise = lambda handler: (
            body(files[handler.path]) if handler.path in files else status(404)
        )(handler)


def status(code, **headers):
    def reply(handler):
        handler.send_response(code)
        for key, value in headers.items():
            handler.send_header(key, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return reply


def body(content, sent=None):
    """Reply with ``content``, or break off after ``sent`` of its bytes."""

    def reply(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[:sent])
        handler.close_connection = True

    return reply


@contextmanager
def running(server):
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def server():
    with running(Server()) as ready:
        ready.status, ready.body = status, body
        yield ready
