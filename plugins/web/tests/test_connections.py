"""Connections that say nothing, little or too much, and readers that take nothing."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from threading import Thread

import pytest
from uvicorn.server import ServerState

from plugins.web.tests.half_open import (
    ATTACKER,
    ATTACKS,
    PATIENCE,
    SIZES,
    USER,
    attacked,
    page_time,
    served,
    small,
)
from utilitysched_web.connections import BoundedServer, ConnectionLimits, network_of

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
HALF = POST + b"Content-Length: 9\r\n\r\nto"
STREAM = b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
HUGE = b"GET /huge HTTP/1.1\r\nHost: localhost\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"
COMPUTED = 0.5
"""s until `/slow` has an answer."""

Opening = Callable[..., socket.socket]
Limited = Callable[[ConnectionLimits], Opening]


async def slow(scope, receive, send):  # type: ignore[no-untyped-def]
    """Answer as `small`, but `/slow` after some time, and `/stream` in very many pieces."""
    if scope.get("path") == "/slow":
        await asyncio.sleep(COMPUTED)
    if scope.get("path") == "/stream":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1_000):
            await send({"type": "http.response.body", "body": b"x" * 20_000, "more_body": True})
    await small(scope, receive, send)


@pytest.fixture
def opening() -> Iterator[Limited]:
    """Give a server with other limits, as what opens connections to it."""
    with ExitStack() as ending:

        def serving(limits: ConnectionLimits) -> Opening:
            listening = ending.enter_context(socket.create_server(("127.0.0.1", 0)))
            server = BoundedServer(slow, limits)
            thread = Thread(target=server.run, args=([listening],))
            thread.start()
            ending.callback(thread.join)
            ending.callback(setattr, server, "should_exit", True)

            def opened(sent: bytes = b"", address: str = USER) -> socket.socket:
                each = ending.enter_context(socket.socket())
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                each.bind((address, 0))
                each.settimeout(5)
                each.connect(listening.getsockname())
                each.sendall(sent)
                time.sleep(0.02)  # it is read before the next one comes
                return each

            while not server.started:
                time.sleep(0.005)
            return opened

        yield serving


def is_cut(connection: socket.socket) -> bool:
    """Whether the server closes a connection within 0.1 s, without a word."""
    connection.settimeout(0.1)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True


def answer_to(connection: socket.socket) -> bytes:
    """Return head and body of a small answer."""
    read = b""
    while not read.endswith(b"x" * 10):
        more = connection.recv(1000)
        assert more, "the connection was cut"
        read += more
    return read


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as found:
        yield found


@pytest.mark.parametrize("address", [ATTACKER, USER])
@pytest.mark.parametrize("sent", ATTACKS.values(), ids=ATTACKS)
def test_half_open_connections_keep_nobody_out(port: int, sent: bytes, address: str) -> None:
    with attacked(port, sent, address):
        assert page_time(port) < PATIENCE


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        HEAD,
        HALF,
        POST + b"Transfer-Encoding: chunked\r\n\r\n",
    ],
    ids=["nothing", "half a head", "half a body", "no chunk"],
)
def test_a_request_has_so_much_time(opening: Limited, sent: bytes) -> None:
    connection = opening(ConnectionLimits(request=0.2))(sent)

    assert not is_cut(connection)
    time.sleep(0.2)
    assert is_cut(connection)


@pytest.mark.parametrize("begun", [HEAD + b"X-Long: ", POST + b"Content-Length: 99\r\n\r\n"])
def test_a_byte_now_and_then_wins_no_time(opening: Limited, begun: bytes) -> None:
    connection = opening(ConnectionLimits(request=0.3))(begun)

    with suppress(ConnectionResetError, BrokenPipeError):
        for _ in range(10):
            time.sleep(0.05)
            connection.sendall(b"x")

    assert is_cut(connection)


def test_a_second_request_has_so_much_time_again(
    opening: Limited,
) -> None:
    connection = opening(ConnectionLimits(request=0.3))()

    for _ in range(4):
        time.sleep(0.1)
        connection.sendall(HEAD + b"\r\n")
        assert b"200 OK" in answer_to(connection)
    connection.sendall(HEAD)
    time.sleep(0.35)

    assert is_cut(connection)


def test_an_answer_waits_for_no_word_of_its_reader(opening: Limited) -> None:
    connection = opening(ConnectionLimits())(HEAD + b"\r\n")
    answer_to(connection)

    begin = time.perf_counter()
    for _ in range(20):
        connection.sendall(HEAD + b"\r\n")
        answer_to(connection)

    assert time.perf_counter() - begin < 20 * 0.04


@pytest.mark.parametrize("sent", [HUGE, STREAM], ids=["at once", "in pieces"])
def test_who_does_not_read_is_cut(opening: Limited, sent: bytes) -> None:
    connection = opening(ConnectionLimits(answer=0.2))(sent)

    time.sleep(0.5)
    taken = sum(map(len, iter(lambda: connection.recv(1_000_000), b"")))

    assert taken < SIZES["/huge"]


class Unread(asyncio.Transport):
    """Transport of a connection whose reader takes nothing of a small answer."""

    aborted = False

    def get_extra_info(self, _name: str, default: object = None) -> object:
        return default

    def get_write_buffer_size(self) -> int:
        return 1

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, _data: object) -> None:
        """Keep it, that is."""

    def abort(self) -> None:
        self.aborted = True


def test_who_does_not_read_the_end_is_cut() -> None:
    async def asked() -> bool:
        config = BoundedServer(small, ConnectionLimits(answer=0.05)).config
        config.load()
        connection = config.http_protocol_class(config, ServerState(), {})  # type: ignore[call-arg]
        transport = Unread()
        connection.connection_made(transport)
        connection.data_received(HEAD + b"\r\n")  # type: ignore[attr-defined]
        await asyncio.sleep(0.2)
        return transport.aborted

    assert asyncio.run(asked())


def test_what_takes_long_to_compute_is_not_cut(
    opening: Limited,
) -> None:
    connection = opening(ConnectionLimits(request=0.1, answer=0.1))(SLOW)

    assert b"200 OK" in answer_to(connection)


def test_one_address_has_so_many_and_the_newest_get_in(
    opening: Limited,
) -> None:
    opened = opening(ConnectionLimits(waiting=3))
    other = opened(HEAD, ATTACKER)
    first, *rest = [opened(HEAD) for _ in range(4)]

    assert is_cut(first)
    assert not any(map(is_cut, [other, *rest]))


@pytest.mark.parametrize("sent", [HEAD, HALF], ids=["half a head", "half a body"])
def test_all_addresses_have_so_many_and_the_newest_get_in(opening: Limited, sent: bytes) -> None:
    opened = opening(ConnectionLimits(connections=4))
    answered = opened(SLOW)
    first, *rest = [opened(sent, f"127.0.0.{place}") for place in range(3, 7)]

    assert is_cut(first)
    assert not any(map(is_cut, rest))
    assert b"200 OK" in answer_to(answered)


def test_who_is_being_answered_gives_way_to_nobody(
    opening: Limited,
) -> None:
    opened = opening(ConnectionLimits(connections=3, waiting=1))
    answered = [opened(SLOW) for _ in range(3)]

    assert is_cut(opened())
    assert all(b"200 OK" in answer_to(each) for each in answered)


def test_what_is_no_request_is_not_logged(capfd: pytest.CaptureFixture[str]) -> None:
    with served() as port:
        for sent in (b"none\r\n\r\n", HEAD + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(sent)
                assert connection.recv(1000)

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.2", "10.0.0.2"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("testclient", "testclient"),
    ],
)
def test_an_owner_of_many_addresses_is_one(address: str, network: str) -> None:
    assert network_of(address) == network
