"""Tokens of the operator: who somebody is, until when, signed; they are kept nowhere.

Signed by HMAC-SHA256 of the standard library rather than by a package: a token needs an end of its
own, a role, and a mark that it is good for one use, and all else about it is one line.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Literal, NamedTuple

from swfx import InputError
from swfx.base.errors import failed
from swfx.base.options import nearest

Role = Literal["user", "operator"]
ROLES: tuple[Role, ...] = ("user", "operator")

KEY_BYTES = 32
"""As many as SHA-256 has."""

LONGEST = 1024
"""Characters of a token."""


Purpose = Literal["token", "link", "session", "proxy"]
"""What is signed: a token of a user, one that is good once, pages of a session or of a proxy."""


class Token(NamedTuple):
    """Contents of a token.

    Attributes
    ----------
    user : str
        Name of a user, or their number in the log where it has no names.
    role : {"user", "operator"}
        What they may see.
    until : float
        Its end (s, Unix time).
    number : str
        Tells it from all others.
    once : bool
        Whether it can be used only once, as those in links are; by the key it is signed with.
    """

    user: str
    role: Role
    until: float
    number: str
    once: bool = False


def role_of(text: str) -> Role:
    """Read the name of a role.

    Raises
    ------
    InputError
        There is none of this name.
    """
    for role in ROLES:
        if role == text:
            return role
    raise InputError(f"no role {text!r}", field="--role", remedy=nearest(text, ROLES))


def issue(key: bytes, user: str, role: Role, until: float, *, once: bool = False) -> str:
    """Return the text of a new token."""
    payload = _written(json.dumps([user, role, until, secrets.token_urlsafe(16)]).encode())
    return f"{payload}.{sign(key, 'link' if once else 'token', payload)}"


def read(key: bytes, text: str, now: float) -> Token | None:
    """Return what a token says; None if it is no token signed for that, or its time is over."""
    if len(text) > LONGEST:
        return None
    payload, _, signature = text.partition(".")
    for purpose in ("token", "link"):
        expected = sign(key, purpose, payload)
        if hmac.compare_digest(expected.encode(), signature.encode(errors="replace")):
            token = _contents(payload, once=purpose == "link")
            return token if token is not None and now < token.until else None
    return None


def _contents(payload: str, *, once: bool) -> Token | None:
    """Return the token that was signed; None if it was written by another version."""
    try:
        user, role, until, number = json.loads(base64.urlsafe_b64decode(payload))
    except (ValueError, TypeError, RecursionError):
        return None
    texts = isinstance(user, str) and isinstance(number, str)
    if not (texts and role in ROLES and isinstance(until, int | float)):
        return None
    return Token(user, role, until, number, once)


def sign(key: bytes, purpose: Purpose, text: str) -> str:
    """Return the signature of a text, by a key for this purpose alone."""
    own = hmac.digest(key, purpose.encode(), hashlib.sha256)
    return _written(hmac.digest(own, text.encode(errors="replace"), hashlib.sha256))


def _written(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode()


def signing_key(path: Path | None) -> bytes:
    """Return the key in a file, which is made if there is none, for its owner's eyes only.

    Parameters
    ----------
    path : Path, optional
        Default: ``utilitysched/key`` below XDG_STATE_HOME if that is set, else below
        ``~/.local/state``.

    Raises
    ------
    InputError
        It cannot be read or made, is too short, or others may read it.
    """
    if path is None:
        given = os.environ.get("XDG_STATE_HOME")
        path = (Path(given) if given else Path.home() / ".local" / "state") / "utilitysched" / "key"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with open(path, "xb", opener=_private) as stream:
                stream.write(secrets.token_bytes(KEY_BYTES).hex().encode())
        except FileExistsError:
            pass
        text, mode = path.read_text("ascii").strip(), path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise failed("cannot be read", error, path, "name a file of your own") from error
    if mode & 0o077:
        raise InputError("others may read it", source=str(path), remedy=f"chmod 600 {path}")
    if len(text) < KEY_BYTES:
        raise InputError(
            "is no key: it is too short", source=str(path), remedy="remove it; a new one is made"
        )
    return text.encode()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
