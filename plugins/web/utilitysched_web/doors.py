"""Ways in: a cookie, a token of the operator, or a header of a trusted proxy."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, NamedTuple

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from utilitysched_web.connections import network_of
from utilitysched_web.sign_ins import SignIn, VoidTokens
from utilitysched_web.tokens import Role, Token, read, sign

COOKIE = "utilitysched"
CSRF_FIELD, CSRF_HEADER = "csrf", "X-CSRF-Token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

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
        self._free_at.pop(key, None)
        self._free_at[key] = free + self.every
        if len(self._free_at) > MOST_KEYS:
            self._free_at.pop(next(iter(self._free_at)), None)  # who asked longest ago
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
    logins, requests, writes : RateLimit
        By who a token is for, and by address where it is not good: guessing keeps nobody else out
        behind the same proxy. By who asks, for anything or to change something.
    disputes : RateLimit
        By who asks, for charges computed again from the files: seconds of work each.
    at_once : int
        Requests of one user that are answered at a time: nobody takes all threads.
    void : VoidTokens
        Tokens that are good no longer.
    """

    key: bytes
    proxy: Proxy | None = None
    clock: Callable[[], float] = time.time
    logins: RateLimit = field(default_factory=lambda: RateLimit(10, 6.0))
    requests: RateLimit = field(default_factory=lambda: RateLimit(100, 0.05))
    writes: RateLimit = field(default_factory=lambda: RateLimit(60, 1.0))
    disputes: RateLimit = field(default_factory=lambda: RateLimit(3, 10.0))
    at_once: int = 6
    void: VoidTokens = field(default_factory=VoidTokens)
    _answering: Counter[str] = field(default_factory=Counter)
    _sessions: dict[str, SignIn] = field(default_factory=dict)
    _programs: dict[str, SignIn] = field(default_factory=dict)
    _changing: Lock = field(default_factory=Lock)  # pages are made by several threads

    def good(self, text: str, address: str) -> Token | None:
        """Return the token of a text, None if it is not good.

        Raises
        ------
        HTTPException
            Tried too often (429).
        """
        token = read(self.key, text, self.clock())
        if token is None or token.number in self.void:
            self.logins.require(network_of(address))
            return None
        return token

    def open(self, text: str, address: str) -> str | None:
        """Begin a session with a token; return its cookie, None if the token is not good.

        Raises
        ------
        HTTPException
            Tried too often (429).
        """
        now = self.clock()
        with self._changing:  # a link is good once also if it is sent twice at a time
            token = self.good(text, address)
            if token is None:
                return None
            self.logins.require(f"{token.role} {token.user}")
            if token.once:
                self.void.add(token, now)
            self._sessions = _living(self._sessions, now)
            cookie = secrets.token_urlsafe(32)
            number = secrets.token_urlsafe(16)
            self._sessions[cookie] = SignIn(number, token, address, now, now, browser=True)
        return cookie

    def close(self, cookie: str) -> None:
        """End a session."""
        with self._changing:
            self._sessions.pop(cookie, None)

    def sign_ins(self) -> list[SignIn]:
        """Return sessions, and tokens of programs, the latest used first."""
        every = (*self._sessions.values(), *self._programs.values())
        now = self.clock()
        living = [each for each in every if each.lives(now)]
        return sorted(living, key=lambda each: each.used, reverse=True)

    def revoke(self, number: str) -> bool:
        """End the session of a number, or make a token void, with its sessions.

        Parameters
        ----------
        number : str
            Of the session or the token; of a token that nobody has used yet, its text.

        Returns
        -------
        bool
            Whether there is one.
        """
        now = self.clock()
        with self._changing:
            unused = read(self.key, number, now)
            tokens = {each.token for each in self.sign_ins() if each.token.number == number}
            tokens |= {unused} if unused else set()
            for token in tokens:
                self.void.add(token, now)
            ended = {number} | {token.number for token in tokens}
            sessions, programs = self._sessions, self._programs
            self._sessions = {one: each for one, each in sessions.items() if not each.of(ended)}
            self._programs = {one: each for one, each in programs.items() if not each.of(ended)}
            return bool(tokens) or len(self._sessions) < len(sessions)

    def identity(self, request: Request) -> Identity | None:
        """Return the user behind a request; None for a request without credentials."""
        cookie = request.cookies.get(COOKIE, "")
        by_credentials = self._by_proxy(request) or self._by_token(request)
        return by_credentials or self.session_of(cookie, address_of(request))

    def allow(self, request: Request, who: Identity | None) -> None:
        """Refuse what comes too soon.

        Raises
        ------
        HTTPException
            With the time after which to try again (429).
        """
        limit = self.logins if who is None else self.requests
        limit.require(limited_as(request, who))
        if who is not None and request.method not in SAFE:
            self.writes.require(limited_as(request, who))

    @contextmanager
    def turn(self, whose: str) -> Iterator[None]:
        """Count a request of somebody until the block ends.

        Raises
        ------
        HTTPException
            As many of theirs are being answered already as may be at a time (429).
        """
        if self._answering[whose] >= self.at_once:
            again = {"Retry-After": "1"}
            raise HTTPException(429, "too many requests at a time; let one end", headers=again)
        self._answering[whose] += 1
        try:
            yield
        finally:
            self._answering[whose] -= 1
            if not self._answering[whose]:
                del self._answering[whose]

    def _by_proxy(self, request: Request) -> Identity | None:
        if self.proxy is None or address_of(request) != self.proxy.address:
            return None
        user = request.headers.get(self.proxy.header, "").strip()
        if not user:
            return None
        role: Role = "operator" if user in self.proxy.operators else "user"
        return Identity(user, role, sign(self.key, "proxy", f"{role}:{user}"))

    def _by_token(self, request: Request) -> Identity | None:
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        now = self.clock()
        token = read(self.key, text.strip(), now) if scheme.lower() == "bearer" else None
        if token is None or token.once or token.number in self.void:
            return None
        number, address = token.number, address_of(request)
        with self._changing:
            if number not in self._programs:
                self._programs = _living(self._programs, now)
            new = SignIn(number, token, address, now, now, browser=False)
            since = self._programs.get(number, new).since
            self._programs[number] = new._replace(since=since)
        return Identity(token.user, token.role)

    def session_of(self, cookie: str, address: str) -> Identity | None:
        """Return the user of a session, which is used from an address; None if there is none."""
        now = self.clock()
        with self._changing:
            session = self._sessions.get(cookie)
            if session is None or not session.lives(now):
                return None
            self._sessions[cookie] = session._replace(used=now, address=address)
        return Identity(session.user, session.role, sign(self.key, "session", cookie))


def _living(sign_ins: dict[str, SignIn], now: float) -> dict[str, SignIn]:
    return {key: each for key, each in sign_ins.items() if each.lives(now)}


def address_of(request: Request) -> str:
    """Return the address of a request's sender, or of its proxy."""
    return request.client.host if request.client else ""


def limited_as(request: Request, who: Identity | None) -> str:
    """Return whose limits hold: a user's, or those of an address."""
    return f"{who.role} {who.user}" if who else f"unknown {network_of(address_of(request))}"


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
        if request.method not in SAFE and not _from_own_page(request):
            raise HTTPException(403, "sign in from a page of this server")
        return
    doors.allow(request, who)
    if who is None:
        sent = "authorization" in request.headers
        why = "this token is not good, or no longer; ask for a new one" if sent else "sign in first"
        raise HTTPException(401, why)
    if request.method not in SAFE and who.csrf:
        brought = request.headers.get(CSRF_HEADER) or str((await request.form()).get(CSRF_FIELD))
        if not hmac.compare_digest(brought.encode(), who.csrf.encode()):
            raise HTTPException(403, "this request does not come from a page of this server")


def _from_own_page(request: Request) -> bool:
    """Whether a browser says that one of this server's origin made the request, or nothing does.

    Browsers that say nothing of it are older than 2020; programs never do.
    """
    site = request.headers.get("sec-fetch-site")  # not sent to hosts without encryption
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def in_turn(request: Request) -> AsyncIterator[None]:
    """Refuse more requests of one user at a time than doors have; every route has it after `guard`.

    The event loop alone counts, so that no lock is needed.
    """
    doors: Doors = request.app.state.doors
    is_public = request.scope["route"].path in PUBLIC
    with nullcontext() if is_public else doors.turn(limited_as(request, request.state.identity)):
        yield


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
