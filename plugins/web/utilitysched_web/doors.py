"""Ways in: a cookie, a token of the operator, or a header of a trusted proxy."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from utilitysched_web.tokens import Role, Token, read, sign

COOKIE = "utilitysched"
CSRF_FIELD, CSRF_HEADER = "csrf", "X-CSRF-Token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

IDLE = 12 * 3600.0
"""A session that nobody uses ends after so long (s)."""

PUBLIC = frozenset({"/login", "/static/{name}", "/health"})
"""Routes for which nobody needs to say who they are."""


LARGEST_BODY = 64 * 1024
"""Bytes; a curve of a hundred points has four thousand."""

MOST_KEYS = 10_000
"""Of whom it is remembered how much they asked for."""


@dataclass(eq=False)
class RateLimit:
    """How often something may be done by each of many.

    Attributes
    ----------
    burst : float
        So often at once.
    every : float
        Then once in so many seconds.
    clock : callable
        Seconds, from whenever.
    """

    burst: float
    every: float
    clock: Callable[[], float] = time.monotonic
    _free_at: dict[str, float] = field(default_factory=dict)

    def wait(self, key: str) -> float:
        """Return for how long somebody has to wait (s); if not at all, it counts."""
        now = self.clock()
        free = max(self._free_at.get(key, 0.0), now)
        wait = free - now - (self.burst - 1) * self.every
        if wait > 0:
            return wait
        if len(self._free_at) >= MOST_KEYS:
            self._free_at = {one: at for one, at in self._free_at.items() if at > now}
        self._free_at[key] = free + self.every
        return 0.0

    def require(self, key: str) -> None:
        """Refuse what comes too soon.

        Raises
        ------
        HTTPException
            With the time after which to try again.
        """
        wait = self.wait(key)
        if wait:
            again = {"Retry-After": str(int(wait) + 1)}
            raise HTTPException(429, "too many requests; wait a little", headers=again)


class Identity(NamedTuple):
    """The user behind a request.

    Attributes
    ----------
    user : str
        As in a `Token`.
    role : {"user", "operator"}
        What they may see.
    csrf : str
        What a request that changes something must bring; empty where no browser sends credentials
        by itself.
    """

    user: str
    role: Role
    csrf: str = ""

    @property
    def is_operator(self) -> bool:
        """Whether all users' jobs are visible."""
        return self.role == "operator"

    @property
    def sees(self) -> str | None:
        """User whose jobs are visible; None for all users."""
        return None if self.is_operator else self.user


class Proxy(NamedTuple):
    """A proxy that authenticates users and names them in a header.

    Attributes
    ----------
    address : str
        From which it asks.
    header : str
        In which it says who.
    operators : frozenset of str
        Names of operators; all others are users.
    """

    address: str
    header: str
    operators: frozenset[str] = frozenset()


class _Session(NamedTuple):
    token: Token
    used: float


@dataclass(eq=False)
class Doors:
    """Authentication of requests, and sessions.

    Parameters
    ----------
    key : bytes
        That tokens are signed with.
    proxy : Proxy, optional
        Trusted to say who is asking.
    clock : callable
        The time (s, Unix time).
    logins, requests : RateLimit
        By who a token is for, and by address where it is not good: guessing keeps nobody else out
        behind the same proxy. By who asks.
    """

    key: bytes
    proxy: Proxy | None = None
    clock: Callable[[], float] = time.time
    logins: RateLimit = field(default_factory=lambda: RateLimit(10, 6.0))
    requests: RateLimit = field(default_factory=lambda: RateLimit(100, 0.05))
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _spent: dict[str, float] = field(default_factory=dict)

    def open(self, text: str, address: str) -> str | None:
        """Begin a session with a token; return its cookie, None if the token is not good.

        Raises
        ------
        HTTPException
            Tried too often (429).
        """
        now = self.clock()
        token = read(self.key, text, now)
        if token is None or token.number in self._spent:
            self.logins.require(address)
            return None
        self.logins.require(f"{token.role} {token.user}")
        if token.once:
            self._spent = {number: end for number, end in self._spent.items() if end > now}
            self._spent[token.number] = token.until
        self._sessions = {one: each for one, each in self._sessions.items() if _lives(each, now)}
        cookie = secrets.token_urlsafe(32)
        self._sessions[cookie] = _Session(token, now)
        return cookie

    def close(self, cookie: str) -> None:
        """End a session."""
        self._sessions.pop(cookie, None)

    def identity(self, request: Request) -> Identity | None:
        """Return the user behind a request; None for a request without credentials."""
        return self._by_proxy(request) or self._by_token(request) or self._by_cookie(request)

    def _by_proxy(self, request: Request) -> Identity | None:
        if self.proxy is None or address_of(request) != self.proxy.address:
            return None
        user = request.headers.get(self.proxy.header, "").strip()
        if not user:
            return None
        role: Role = "operator" if user in self.proxy.operators else "user"
        return Identity(user, role, sign(self.key, f"csrf:{role}:{user}"))

    def _by_token(self, request: Request) -> Identity | None:
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        token = read(self.key, text.strip(), self.clock()) if scheme.lower() == "bearer" else None
        return None if token is None or token.once else Identity(token.user, token.role)

    def _by_cookie(self, request: Request) -> Identity | None:
        cookie, now = request.cookies.get(COOKIE, ""), self.clock()
        session = self._sessions.get(cookie)
        if session is None or not _lives(session, now):
            return None
        self._sessions[cookie] = session._replace(used=now)
        token = session.token
        return Identity(token.user, token.role, sign(self.key, f"csrf:{cookie}"))


def _lives(session: _Session, now: float) -> bool:
    return now < session.token.until and now < session.used + IDLE


def address_of(request: Request) -> str:
    """Return the address of a request's sender, or of its proxy."""
    return request.client.host if request.client else ""


async def guard(request: Request) -> None:
    """Let in whom a page is for; every route has this before anything else.

    Raises
    ------
    HTTPException
        Nobody has said who asks (401), too often (429), or a request that changes something does
        not come from a page of this server (403).
    """
    doors: Doors = request.app.state.doors
    who = doors.identity(request)
    request.state.identity = who
    if request.scope["route"].path in PUBLIC:
        return
    if who is None:
        doors.logins.require(f"unknown {address_of(request)}")
        sent = "authorization" in request.headers
        why = "this token is not good, or no longer; ask for a new one" if sent else "sign in first"
        raise HTTPException(401, why)
    doors.requests.require(f"{who.role} {who.user}")
    if request.method not in SAFE and who.csrf:
        brought = request.headers.get(CSRF_HEADER) or str((await request.form()).get(CSRF_FIELD))
        if not hmac.compare_digest(brought.encode(), who.csrf.encode()):
            raise HTTPException(403, "this request does not come from a page of this server")


async def identity_of(request: Request) -> Identity:
    """Return the user behind a request that `guard` has let in."""
    who: Identity = request.state.identity
    return who


Who = Annotated[Identity, Depends(identity_of)]
"""A page's parameter: who is asking."""


async def operators_only(who: Who) -> None:
    """Refuse users.

    Raises
    ------
    HTTPException
        403.
    """
    if not who.is_operator:
        raise HTTPException(403, "this page is for operators")
