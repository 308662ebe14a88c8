"""The audit log: each request that changes something, whatever became of it, a line of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from swfx.base.atomic import append
from utilitysched_web.doors import SAFE

AUDIT_FILE = "audit.jsonl"


@dataclass(frozen=True)
class AuditedWrites:
    """ASGI middleware that logs requests with unsafe methods."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] in SAFE:
            return await self.app(scope, receive, send)
        status = 500

        async def noticed(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, noticed)
        finally:
            _record(Request(scope), status)


def note(request: Request, **facts: str | int | float | None) -> None:
    """Add facts to the audit log's line about a request."""
    request.state.audit = getattr(request.state, "audit", {}) | facts


def audit_lines(state: Path, latest: int) -> list[dict[str, Any]]:
    """Return the latest lines of the audit log, the newest first."""
    try:
        lines = (state / AUDIT_FILE).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in reversed(lines[-latest:])]


def _record(request: Request, status: int) -> None:
    who = getattr(request.state, "identity", None)
    line = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "user": who.user if who else None,
        "role": who.role if who else None,
        "method": request.method,
        "path": request.url.path,
        "status": status,
        **getattr(request.state, "audit", {}),
    }
    path = request.app.state.site.state / AUDIT_FILE
    append(path, json.dumps(line, allow_nan=False).encode() + b"\n")
