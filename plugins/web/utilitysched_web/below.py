"""Servers behind a proxy that encrypts, and shows them below a path of its own."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send


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
