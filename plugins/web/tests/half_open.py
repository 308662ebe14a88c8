"""A server in a process of its own that may open 1,024 files, and attacks on its connections.

``python -m plugins.web.tests.half_open`` prints how soon a page comes during each attack.
"""

from __future__ import annotations

import http.client
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

FILES = 1024
MANY = 1_100
ATTACKS = {
    "says nothing": b"",
    "sends half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-",
    "sends half a body": (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\ntoken"),
    "reads nothing": b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n",
}
SIZES = {"/large": 200_000, "/huge": 20_000_000}
"""Bytes of answers: as many as a large page has, and more than sockets hold."""

PATIENCE = 10.0
"""s after which no page is expected any more; of a busy machine, too."""

ATTACKER, USER = "127.0.0.2", "127.0.0.1"

SERVER = f"""
import resource, socket
from plugins.web.tests.half_open import small
from utilitysched_web.connections import BoundedServer

resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}))
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
BoundedServer(small).run([listening])
"""


async def small(scope, receive, send):  # type: ignore[no-untyped-def]
    """Read the body, and answer with few bytes, or with many."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    body = b"x" * SIZES.get(scope["path"], 10)
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def served() -> Iterator[int]:
    """Serve until the block ends; the port."""
    words = [sys.executable, "-c", SERVER]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.kill()


@contextmanager
def attacked(port: int, sent: bytes, address: str = ATTACKER) -> Iterator[list[socket.socket]]:
    """Open many connections that send so much each."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as opened:
        connections = []
        for _ in range(MANY):
            each = opened.enter_context(socket.socket())
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.bind((address, 0))
            each.settimeout(PATIENCE)
            each.connect(("127.0.0.1", port))
            each.sendall(sent)
            connections.append(each)
        yield connections


def page_time(port: int, address: str = USER) -> float:
    """Return how long a page takes to come (s)."""
    begin = time.perf_counter()
    asking = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0)
    )
    asking.request("GET", "/")
    assert asking.getresponse().read() == b"x" * 10
    asking.close()
    return time.perf_counter() - begin


def main() -> None:
    """Print how soon a page comes during each attack, from two addresses and from one."""
    for name, sent in ATTACKS.items():
        for attacker in (ATTACKER, USER):
            with served() as port, attacked(port, sent, attacker):
                took = page_time(port)
            whose = "the same address" if attacker == USER else "another address"
            print(f"{MANY} connections of {whose}, each {name}: page after {1e3 * took:.0f} ms")


if __name__ == "__main__":
    main()
