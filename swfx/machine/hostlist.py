"""Host lists of Slurm: many names of nodes as one expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from swfx.base.errors import InputError

__all__ = ["host_names"]

MOST_NODES = 2**16
"""Names that a bracket may stand for, as in Slurm."""

_ITEM = re.compile(r"(?:[^\[\],]|\[[^\[\]]*\])+")
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def host_names(text: str) -> list[str]:
    """Return the names in a host list, in its order, each once.

    Raises
    ------
    InputError
        Brackets that do not match, a range that is none, or too many names.

    Examples
    --------
    >>> host_names("n[1-3,07-09],gpu1")
    ['n1', 'n2', 'n3', 'n07', 'n08', 'n09', 'gpu1']
    >>> host_names("r[1-2]n[0-1]")
    ['r1n0', 'r1n1', 'r2n0', 'r2n1']
    """
    if ",".join(_ITEM.findall(text)) != text:
        raise InputError(f"is no host list: {text!r}", remedy="write names as in n[1-4,07-09],gpu1")
    return list(dict.fromkeys(name for item in _ITEM.findall(text) for name in _expanded(item)))


def _expanded(item: str) -> Iterator[str]:
    """Yield the names that one item stands for."""
    choices = [
        [plain] if plain else _numbers(bracket, item) for bracket, plain in _PART.findall(item)
    ]
    count = 1
    for each in choices:
        count *= len(each)
    if count > MOST_NODES:
        raise InputError(f"stands for {count} nodes, more than {MOST_NODES}: {item!r}")
    return map("".join, product(*choices))


def _numbers(bracket: str, item: str) -> list[str]:
    """Return the numbers in a bracket, padded with zeros as wide as the first of each range."""
    numbers: list[str] = []
    for part in bracket.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (match[1], match[2] or match[1]) if match else ("1", "0")
        if int(last) < int(first) or int(last) - int(first) >= MOST_NODES:
            raise InputError(f"is no range of numbers: {part!r} in {item!r}")
        width = len(first)
        numbers += [str(number).zfill(width) for number in range(int(first), int(last) + 1)]
    return numbers
