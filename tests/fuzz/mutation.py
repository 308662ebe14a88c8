"""Small damage to real files, quickly: the same seed and number give the same file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

__all__ = ["mutated"]

WORDS = (
    b"nan -inf 1e309 1e-400 9007199254740993 18446744073709551616 -1 -0 +7 0 00 1.5 . - 1_0 0x1F e",
    b"; ;; ;SWFX: SWFX ExtraColumns: confidence MaxProcs: : , | = { } [ ] \" ' \\ / null true",
    b"{} [] (0,1) 1-02:03:04 25:61:61 2024-02-30T12:00:00 0001-01-01 None UNLIMITED",
    b"\xc3\xa9 \xff \xef\xbb\xbf",
)
BLANKS = (b"", b" ", b"\t", b"\r", b"\n", b"\r\n", b"\0")
TOKENS = (*b" ".join(WORDS).split(), *BLANKS, b"9" * 400, b"x" * 2000)
"""What files should not hold where they do, or hold elsewhere."""

_FIELD = re.compile(rb"[^\s,;|=:\"]+")
_MOST = 6  # changes of one file


def mutated(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the files with some changes."""
    data = rng.choice(seeds)
    for _ in range(1 + min(int(rng.expovariate(0.7)), _MOST - 1)):
        data = rng.choice(_CHANGES)(rng, data, seeds)
    return data


def _place(rng: Random, data: bytes) -> int:
    return rng.randint(0, len(data))


def _flip(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    place = _place(rng, data)
    return data[:place] + rng.randbytes(1) + data[place + 1 :]


def _cut(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    first = _place(rng, data)
    return data[:first] + data[first + rng.randint(1, 40) :]


def _truncate(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: _place(rng, data)]


def _insert(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    place = _place(rng, data)
    return data[:place] + rng.choice(TOKENS) + data[place:]


def _repeat(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    first = _place(rng, data)
    piece = data[first : first + rng.randint(1, 40)]
    return data[:first] + piece * rng.randint(2, 5) + data[first:]


def _splice(rng: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = rng.choice(seeds)
    return data[: _place(rng, data)] + other[_place(rng, other) :]


def _replace_field(rng: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Put a token, or a field of a file, in the place of a field."""
    old = _field(rng, data)
    if old is None:
        return data
    other = rng.choice(seeds)
    new = _field(rng, other) if rng.random() < 0.5 else None
    token = rng.choice(TOKENS) if new is None else other[slice(*new)]
    return data[: old[0]] + token + data[old[1] :]


def _field(rng: Random, data: bytes) -> tuple[int, int] | None:
    match = _FIELD.search(data, _place(rng, data))
    return match and match.span()


def _move_line(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Take a line out, and perhaps put it elsewhere, once or more often."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.randint(0, 2)):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"".join(lines)


_CHANGES: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    _flip,
    _cut,
    _truncate,
    _insert,
    _repeat,
    _splice,
    _replace_field,
    _replace_field,
    _replace_field,
    _move_line,
)
