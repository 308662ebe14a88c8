"""A web server on this machine that misbehaves as told."""

from __future__ import annotations

import gzip
import hashlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

from swfx.archive.catalogue import ArchiveLog, Content


def content(jobs: int = 2000, seed: int = 1) -> bytes:
    """A log of jobs that hardly packs, so that its file has many bytes to be cut between."""
    rng = Random(seed)
    lines = ["; MaxProcs: 64"]
    for i in range(1, jobs + 1):
        run = rng.randint(1, 10**9)
        lines.append(f"{i} {i} 0 {run} {i % 64 + 1} -1 -1 1 {run} -1 1 1 1 -1 1 -1 -1 -1")
    return ("\n".join(lines) + "\n").encode()


CONTENT = content()
FILE = gzip.compress(CONTENT, mtime=0)
TOY = ArchiveLog(
    "Toy", "1999-1", "l_toy", Content(2000, len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
)


@dataclass
class Site:
    """What the server has, and how it answers.

    `cut` is the byte after which the next answer's connection breaks, once; `paused` is set once
    `pause` bytes are out, and the server then waits for `go`.
    """

    data: bytes = FILE
    sized: bool = True
    status: int = 200
    cut: int | None = None
    pause: int | None = None
    paused: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)
    base: str = ""


class _Server(ThreadingHTTPServer):
    """A server that says nothing of clients that go away: other tests may look at what is said."""

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve a site on a port of its own."""
    server = _Server(("127.0.0.1", 0), _handler(site))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield site
    finally:
        site.go.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            if site.status != 200:
                self.send_error(site.status)
                return
            self.send_response(200)
            if site.sized:
                self.send_header("Content-Length", str(len(site.data)))
            self.end_headers()
            self._send(site.data)

        def _send(self, body: bytes) -> None:
            cut, site.cut = site.cut, None
            if site.pause is not None:
                self.wfile.write(body[: site.pause])
                self.wfile.flush()
                body = body[site.pause :]
                site.paused.set()
                site.go.wait(300)
            self.wfile.write(body[:cut])

        def log_message(self, *_: object) -> None:
            return

    return Handler
