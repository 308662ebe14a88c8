"""The audit log: each request that changes something, whatever became of it, a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import Request, Response

from swfx.base.atomic import append
from utilitysched.web.doors import SAFE

AUDIT_FILE = "audit.jsonl"


async def audited(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
    """Write down a request that changes something."""
    status = 500
    try:
        response = await call(request)
        status = response.status_code
        return response
    finally:
        if request.method not in SAFE:
            _record(request, status)


def note(request: Request, **facts: str | int | float | None) -> None:
    """Add to what the audit log will say of a request."""
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
