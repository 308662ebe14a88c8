"""The audit log: each request that changes something, whatever became of it, a line of JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from swfx.base.atomic import append
from utilitysched_web.doors import PUBLIC, SAFE, RateLimit, limited_as

AUDIT_FILE, REFUSED_FILE = "audit.jsonl", "refused.jsonl"
"""Of requests of people who are known; of others, and of those that came too often."""

LONGEST = 200
"""Characters of a text in a line."""

LARGEST, MOST = 16 * 2**20, 64
"""Bytes of a file, then another is begun; files, then nothing may be changed."""

FREE = 64 * 2**20
"""Bytes that the disk must have left."""

TAIL = 2**20
"""Bytes at the end of a file that are looked through for its latest lines."""


@dataclass(eq=False)
class AuditLog:
    """Log of writes in the files of a folder.

    Nothing of a known user's is ever left out or removed: a full log refuses further writes until
    somebody takes older files away. Whoever is not known could fill any log, so lines of that are
    limited in number, those left out are counted, and only the latest are kept.

    Parameters
    ----------
    folder : Path
        Where the files are.
    lines_of_each, lines : RateLimit
        Of refused requests: lines about one address or user, and lines in all.
    """

    folder: Path
    lines_of_each: RateLimit = field(default_factory=lambda: RateLimit(20, 60.0))
    lines: RateLimit = field(default_factory=lambda: RateLimit(200, 6.0))
    _left_out: int = 0

    def require_room(self) -> None:
        """Refuse a write that could not be logged.

        Raises
        ------
        HTTPException
            The log is full, or the disk (503).
        """
        if len(_older(self.folder)) >= MOST or shutil.disk_usage(self.folder).free < FREE:
            raise HTTPException(503, "the log of writes is full; the operator must make room")

    def add(self, request: Request, status: int) -> None:
        """Add the line of a request."""
        who = getattr(request.state, "identity", None)
        line = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "user": who.user if who else None,
            "role": who.role if who else None,
            "from": request.client.host if request.client else None,
            "method": request.method,
            "path": request.url.path,
            "status": status,
            **getattr(request.state, "audit", {}),
        }
        if who is None or status == 429:
            self._add_refused(limited_as(request, who), line)
            return
        path = self.folder / AUDIT_FILE
        if _is_large(path):
            path.rename(self.folder / f"audit-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.jsonl")
        _append(path, line)

    def _add_refused(self, whose: str, line: dict[str, Any]) -> None:
        if self.lines_of_each.wait(whose) or self.lines.wait(""):
            self._left_out += 1
            return
        path = self.folder / REFUSED_FILE
        if _is_large(path):
            path.replace(self.folder / "refused-before.jsonl")
        _append(path, line | {"left_out": self._left_out})
        self._left_out = 0


def _older(folder: Path) -> list[Path]:
    """Return files that were full, the oldest first."""
    return sorted(folder.glob("audit-*.jsonl"))


def _is_large(path: Path) -> bool:
    return path.exists() and path.stat().st_size >= LARGEST


def _append(path: Path, line: dict[str, Any]) -> None:
    cut = {key: _cut(value) for key, value in line.items()}
    append(path, json.dumps(cut, allow_nan=False).encode() + b"\n")


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}... of {len(value)} characters"
    return value


def _last_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the last lines of a file, the newest first."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - TAIL))
            texts = stream.read().splitlines()
    except FileNotFoundError:
        texts = []
    return _parsed(reversed(texts))


def _parsed(texts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield lines; what is no line was not written whole."""
    for text in texts:
        with suppress(ValueError):
            yield json.loads(text)


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
            scope["app"].state.audit.add(Request(scope), status)


async def room_to_log(request: Request) -> None:
    """Refuse what could not be logged; every route has this after `guard`.

    Raises
    ------
    HTTPException
        The log is full (503).
    """
    log: AuditLog = request.app.state.audit
    if request.method not in SAFE and request.scope["route"].path not in PUBLIC:
        log.require_room()


def note(request: Request, **facts: str | int | float | None) -> None:
    """Add facts to the audit log's line about a request."""
    request.state.audit = getattr(request.state, "audit", {}) | facts


def audit_lines(state: Path, latest: int) -> list[dict[str, Any]]:
    """Return the latest lines of the audit log about known users, the newest first."""
    paths = (state / AUDIT_FILE, *_older(state)[-1:])
    return list(islice(chain.from_iterable(map(_last_lines, paths)), latest))


def audit_lines_with(state: Path, fact: str) -> list[dict[str, Any]]:
    """Return all lines of the audit log that note a fact, the newest first."""
    full = (line for path in reversed(_older(state)) for line in _full_lines_with(path, fact))
    path = state / AUDIT_FILE
    return [*(_lines_with(path, fact) if path.exists() else ()), *full]


def _lines_with(path: Path, fact: str) -> tuple[dict[str, Any], ...]:
    mark = f'"{fact}": '.encode()
    texts = (text for text in reversed(path.read_bytes().splitlines()) if mark in text)
    return tuple(line for line in _parsed(texts) if fact in line)


_full_lines_with = lru_cache(maxsize=MOST)(_lines_with)
"""Lines of a file that was full, and is read once: there may be a gibibyte of them."""
