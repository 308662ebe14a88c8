"""On which line of a JSON text a value stands."""

import json
from collections.abc import Iterator, Sequence

_BLANK = " \t\n\r"


def line_of(text: str, path: Sequence[str | int]) -> int:
    r"""Return the line of the value that `path` leads to, from 1.

    Parameters
    ----------
    text : str
        A JSON document.
    path : sequence of str or int
        Keys and positions, from the outermost; where one is missing the line is that of the
        innermost value that is there.

    Examples
    --------
    >>> line_of('{"a": [1,\n 2]}', ("a", 1))
    2
    """
    at = _skip(text, 0)
    for step in path:
        inner = next((place for key, place in _members(text, at) if key == step), None)
        if inner is None:
            break
        at = inner
    return text.count("\n", 0, at) + 1


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield the key and the place of each member of the object or list at `at`."""
    decoder = json.JSONDecoder()
    kind, at = text[at], _skip(text, at + 1)
    position = 0
    while kind in "{[" and text[at] not in "}]":
        key: str | int = position
        if kind == "{":
            key, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        yield key, at
        _, at = decoder.raw_decode(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at] == "," else at
        position += 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
