"""Connections of a server: bounds on their number, and on the time of senders and readers."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

BURST, QUEUE = 64, 2048
"""Connections that are accepted at a time, and that wait for it in the system."""


class ConnectionLimits(NamedTuple):
    """Bounds on connections.

    Attributes
    ----------
    connections : int
        Open ones in all; also at most half of the files that the process may open.
    waiting : int
        Those of one address that have no request being answered.
    request : float
        Time from the beginning of a connection or request until its last byte (s).
    answer : float
        Time for an answer to be taken (s); to compute it takes as long as it takes.
    """

    connections: int = 400
    waiting: int = 100
    request: float = 20.0
    answer: float = 60.0


LIMITS = ConnectionLimits()


class Timer:
    """What happens after some time, unless it is stopped before.

    Parameters
    ----------
    seconds : float
        How long.
    due : callable
        What happens then.
    """

    def __init__(self, seconds: float, due: Callable[[], None]) -> None:
        self._seconds, self._due = seconds, due
        self._running: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self._running is None:
            loop = asyncio.get_running_loop()
            self._running = loop.call_later(self._seconds, self._over)

    def stop(self) -> None:
        """Cancel the deadline, if one is running."""
        if self._running is not None:
            self._running.cancel()
        self._running = None

    def _over(self) -> None:
        self._running = None
        self._due()


class BoundedProtocol(H11Protocol):
    """HTTP connection with time limits, which gives way to a newer one where there are too many.

    A connection without a whole request, or whose answer is complete, is *waiting*. Too many of
    them cost the longest waiting one of the address its place, so that a new one always gets in,
    also from the address of a proxy that an attacker shares with everybody.
    """

    limits = LIMITS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Bound the time of the first request, and the number of connections."""
        super().connection_made(transport)
        self.sender = network_of(self.client[0] if self.client else "")
        self.since = self.loop.time()
        self._request = Timer(self.limits.request, self.cut)
        self._answer = Timer(self.limits.answer, self._cut_unread)
        self._request.start()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Bound the time of a request from its first byte to its last."""
        if not self.transport.get_write_buffer_size():
            self._answer.stop()
        self._request.start()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._request.stop()

    def pause_writing(self) -> None:
        """Bound the time until a reader takes more."""
        super().pause_writing()
        self._answer.start()

    def resume_writing(self) -> None:
        """Go on; the end of an answer that is complete stays bounded."""
        super().resume_writing()
        if not self.cycle.response_complete:
            self._answer.stop()

    def on_response_complete(self) -> None:
        """Bound the time until the answer is taken."""
        super().on_response_complete()
        self.since = self.loop.time()
        if self.transport.get_write_buffer_size():
            self._answer.start()

    def connection_lost(self, exc: Exception | None) -> None:
        """End all time limits."""
        super().connection_lost(exc)
        self._request.stop()
        self._answer.stop()

    @property
    def waits(self) -> bool:
        """Whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        begun = cycle is not None and not cycle.response_complete
        return not begun or self.conn.their_state is h11.SEND_BODY

    def cut(self) -> None:
        """Close the connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _cut_unread(self) -> None:
        if self.transport.get_write_buffer_size():
            self.cut()

    def _make_room(self) -> None:
        """Close the longest waiting connection of this address, or of all, if there are too many.

        Where all others are being answered, that is this one.
        """
        every: list[Any] = list(self.connections)
        waiting = [each for each in every if each.waits]
        near = [each for each in waiting if each.sender == self.sender]
        if len(near) > self.limits.waiting:
            min(near, key=_since).cut()
        elif len(every) > self.limits.connections:
            min(waiting, key=_since).cut()


def _since(connection: BoundedProtocol) -> float:
    return connection.since


def network_of(address: str) -> str:
    """Return what one sender can have of addresses: one of IPv4, 64 bits of those of IPv6.

    Examples
    --------
    >>> network_of("10.0.0.2"), network_of("2001:db8::1:2")
    ('10.0.0.2', '2001:db8::')
    """
    try:
        found = ip_address(address)
    except ValueError:  # a connection without one
        return address
    if isinstance(found, IPv6Address):
        return str(IPv6Address(int(found) >> 64 << 64))
    return address


class BoundedServer(uvicorn.Server):
    """Server of an application whose connections are bounded.

    Parameters
    ----------
    app : callable
        The ASGI application.
    limits : ConnectionLimits
        Bounds.
    """

    def __init__(self, app: ASGIApp, limits: ConnectionLimits = LIMITS) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        limits = limits._replace(connections=min(limits.connections, files // 2))
        super().__init__(
            uvicorn.Config(
                app,
                http=type("Limited", (BoundedProtocol,), {"limits": limits}),
                ws="none",  # its connections would have no bounds
                log_level="error",  # of a request that is none anybody could fill the log
                proxy_headers=False,  # whom a header is believed from is for `Doors` to say
                server_header=False,
                timeout_keep_alive=30,
                backlog=BURST,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; more may wait than are accepted at a time, which each hold a file.

        Connections inherit that no part of an answer waits for the reader's word that the part
        before has come, which takes 40 ms; asyncio sees to it for some sockets only.
        """
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
