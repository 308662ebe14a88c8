"""Keys of seals: what is sealed with one can be sealed anew by nobody who does not have it."""

from __future__ import annotations

import hmac

from swfx import InputError
from swfx.base.secret import read_secret

VARIABLE = "UTILITYSCHED_LEDGER_KEY"
"""Environment variable: a key, or ``@FILE`` that holds one."""


def read_key() -> bytes | None:
    """Return the key that the environment holds or names the file of; None without."""
    return read_secret(VARIABLE)


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
