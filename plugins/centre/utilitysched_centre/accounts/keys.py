"""Keys of seals: what is sealed with one can be sealed anew by nobody who does not have it."""

from __future__ import annotations

import hmac
import os
from pathlib import Path

from swfx import InputError
from swfx.base.errors import failed

VARIABLE = "UTILITYSCHED_LEDGER_KEY"
"""Environment variable: a key, or ``@FILE`` that holds one."""

SHORTEST = 16
"""Bytes of a key at least: 128 bits cannot be guessed."""


def read_key() -> bytes | None:
    """Return the key that the environment holds or names the file of; None without.

    Raises
    ------
    InputError
        The file cannot be read, or the key is too short.
    """
    text = os.environ.get(VARIABLE, "")
    if not text:
        return None
    if text.startswith("@"):
        path = Path(text[1:])
        try:
            key = path.read_bytes().strip()
        except (OSError, ValueError) as error:
            raise failed("cannot be read", error, path, f"see {VARIABLE}") from error
    else:
        key = text.encode(errors="surrogateescape")
    if len(key) < SHORTEST:
        raise InputError(
            f"has {len(key)} bytes, fewer than {SHORTEST}",
            field=VARIABLE,
            remedy="make one with: head -c 32 /dev/urandom | base64",
        )
    return key


def check_of(key: bytes | None) -> str | None:
    """Return a digest by which a ledger recognises its key without keeping the key."""
    return None if key is None else hmac.digest(key, b"key of a ledger", "sha256").hex()


def require_key(key: bytes | None, check: str | None, source: str) -> None:
    """Refuse to write without the key of a ledger, or with another.

    Raises
    ------
    InputError
        Naming the variable.
    """
    if check_of(key) == check:
        return
    problem = "is sealed with a key that is not given" if key is None else "has another key"
    remedy = f"set {VARIABLE} to the key, or to @FILE"
    if check is None:
        problem, remedy = "is sealed without a key, but one is given", f"unset {VARIABLE}"
    raise InputError(problem, source=source, remedy=remedy)
