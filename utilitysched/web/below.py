"""Servers behind a proxy that shows them below a path of its own."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True)
class Below:
    """Takes requests whether the proxy has taken the base path off their paths or not."""

    app: ASGIApp
    base: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self.base and scope["type"] == "http":
            path = scope["path"]
            scope["root_path"] = self.base
            if not f"{path}/".startswith(f"{self.base}/"):
                scope["path"] = f"{self.base}{path}"
        await self.app(scope, receive, send)
