"""Middleware: whole requests, a proxy's path prefix and TLS, and headers of every answer."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # lengths of bars beside numbers
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""No script but those that the server has as files."""

FIXED = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none, browsers do not say which page posts a form
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


YEAR = 31_536_000
"""Seconds for which browsers remember that a host encrypts."""


@dataclass(frozen=True)
class SafeHeaders:
    """ASGI middleware that adds security headers to answers without them."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in FIXED.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers["strict-transport-security"] = f"max-age={YEAR}"
            await send(message)

        await self.app(scope, receive, completed)


@dataclass(frozen=True)
class Below:
    """ASGI middleware that undoes a proxy's path prefix and TLS termination.

    Attributes
    ----------
    app : callable
        Answers them.
    base : str
        Base path, which the proxy may have taken off their paths or not.
    https : bool
        Whether it has decrypted them.
    """

    app: ASGIApp
    base: str = ""
    https: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self.https and scope["type"] == "http":
            scope["scheme"] = "https"
        if self.base and scope["type"] == "http":
            path = scope["path"]
            scope["root_path"] = self.base
            if not f"{path}/".startswith(f"{self.base}/"):
                scope["path"] = f"{self.base}{path}"
        await self.app(scope, receive, send)


@dataclass(frozen=True)
class WholeRequests:
    """ASGI middleware that passes a request on once its body is there, or is too large.

    Who sends half a body, and leaves, costs no more than the connection.

    Attributes
    ----------
    app : callable
        Answers them.
    largest : int
        Bytes of a body.
    """

    app: ASGIApp
    largest: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        read: deque[Message] = deque()
        size, more = 0, scope["type"] == "http"
        while more and size <= self.largest:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            read.append(message)
            size += len(message.get("body", b""))
            more = message.get("more_body", False)

        async def received() -> Message:
            return read.popleft() if read else await receive()

        await self.app(scope, received, send)
