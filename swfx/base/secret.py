"""Secrets: texts of the environment, or in files that it names."""

from __future__ import annotations

import os
from pathlib import Path

from swfx.base.atomic import atomic_write
from swfx.base.errors import InputError, failed

__all__ = ["SHORTEST", "read_secret", "read_secret_file", "write_secret"]

SHORTEST = 16
"""Bytes of a secret at least: 128 bits cannot be guessed."""


def read_secret(variable: str) -> bytes | None:
    """Return the secret that an environment variable holds, or names the file of: ``@FILE``.

    None without.

    Raises
    ------
    InputError
        The file cannot be read, or the secret is too short.
    """
    text = os.environ.get(variable, "")
    if not text:
        return None
    if text.startswith("@"):
        return read_secret_file(Path(text[1:]), variable)
    return _long(text.encode(errors="surrogateescape"), variable)


def read_secret_file(path: Path, variable: str) -> bytes:
    """Return the secret in a file, which the variable could hold as well.

    Raises
    ------
    InputError
        The file cannot be read, or the secret is too short.
    """
    try:
        return _long(path.read_bytes().strip(), variable)
    except (OSError, ValueError) as error:
        raise failed("cannot be read", error, path, f"see {variable}") from error


def _long(secret: bytes, variable: str) -> bytes:
    if len(secret) < SHORTEST:
        raise InputError(
            f"has {len(secret)} bytes, fewer than {SHORTEST}",
            field=variable,
            remedy="make one with: head -c 32 /dev/urandom | base64",
        )
    return secret


def write_secret(path: Path, secret: bytes) -> Path:
    """Write a secret that only its owner may read, whole or not at all."""
    with atomic_write(path, private=True) as stream:
        stream.write(secret + b"\n")
    return path
