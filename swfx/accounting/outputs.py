"""Output of commands about jobs: documents in JSON, blocks of lines, and dates in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.quantities import MEMOISED, memory, number
from swfx.accounting.text import LogText
from swfx.base.errors import InputError

__all__ = ["blocks", "documents", "flat", "in_iso", "json_entries", "opened", "size_in"]

_BEGIN = re.compile(r"\S")
_HEAD = 50  # lines, above which commands and shells write no greetings
_FORMS = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S.%f", "%m/%d/%Y %H:%M:%S")


def documents(text: str, source: str, remedy: str) -> Iterator[Any]:
    r"""Yield the documents in JSON that stand one after the other, on one line or on many.

    Raises
    ------
    InputError
        The text is no JSON.

    Examples
    --------
    >>> list(documents('{"a": 1}\n[2]', "log", ""))
    [{'a': 1}, [2]]
    """
    decoder, end = json.JSONDecoder(), 0
    try:
        while begin := _BEGIN.search(text, end):
            document, end = decoder.raw_decode(text, begin.start())
            yield document
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", source=source, remedy=remedy) from error


def json_entries(
    lines: Iterable[tuple[int, str]],
    text: LogText,
    listing: Listing,
    remedy: str,
    entries: Callable[[Any], Iterable[Any]],
) -> Iterator[tuple[int, Any]]:
    """Yield the jobs of a text in JSON with their places, from 1, which stand for lines.

    Parameters
    ----------
    lines : iterable of tuple of (int, str)
        The text by line.
    text, listing : LogText, Listing
        Get the number of lines, and a note of it.
    remedy : str
        What to give instead where it is no JSON.
    entries : callable
        Gives the jobs of each document.
    """
    listing.note("line numbers are positions of jobs")
    place = 0
    for document in documents("\n".join(line for _, line in lines), text.name, remedy):
        for entry in entries(document):
            place += 1
            yield place, entry
    text.lines = place


def flat(entry: object) -> dict[str, str]:
    """Return the texts of an object of JSON by key, those of inner objects by dotted keys.

    >>> flat({"Job_Name": "a", "Resource_List": {"ncpus": 4}, "comment": None})
    {'Job_Name': 'a', 'Resource_List.ncpus': '4'}
    """
    values = dict[str, str]()
    for key, value in entry.items() if isinstance(entry, dict) else ():
        if isinstance(value, dict):
            values |= {f"{key}.{inner}": text for inner, text in flat(value).items()}
        elif value is not None:
            values[key] = value if isinstance(value, str) else json.dumps(value)
    return values


def opened(text: LogText, *patterns: re.Pattern[str]) -> tuple[int, Iterator[tuple[int, str]]]:
    """Return which of the patterns begins one of the first lines, and all lines by number.

    Returns
    -------
    tuple
        Number of the first such pattern from 1, 0 for none, and the numbered lines.
    """
    lines: Iterator[tuple[int, str]] = enumerate(text, 1)
    head = list(islice(lines, _HEAD))
    fits = (any(pattern.match(line) for _, line in head) for pattern in patterns)
    return next((place for place, fit in enumerate(fits, 1) if fit), 0), chain(head, lines)


def blocks(lines: Iterable[tuple[int, str]], begins: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    r"""Yield number and text of each block of lines, from one that `begins` fits to the next.

    >>> list(blocks([(1, "hello"), (2, "job 1"), (3, " a"), (4, "job 2")], re.compile("job")))
    [(2, 'job 1\n a'), (4, 'job 2')]
    """
    begin, held = 0, list[str]()
    for place, line in lines:
        if begins.match(line):
            if begin:
                yield begin, "\n".join(held)
            begin, held = place, []
        held.append(line)
    if begin:
        yield begin, "\n".join(held)


@lru_cache(maxsize=MEMOISED)
def in_iso(text: str) -> str:
    """Return a date in words in ISO 8601; any other text as it is, that of no time empty.

    >>> in_iso("Tue Apr 13 13:50:19 2010"), in_iso("08/06/2020 20:38:52.994"), in_iso("-/-")
    ('2010-04-13T13:50:19', '2020-08-06T20:38:52.994000', '')
    """
    words = " ".join(text.split())
    for form in _FORMS if len(words) > len("-/-") else ():
        try:
            return datetime.strptime(words, form).isoformat()
        except ValueError:
            continue
    return "" if words == "-/-" else words


def size_in(text: str, field: str) -> float | None:
    """Size of memory (KB of 1024 bytes): a number alone is KB.

    >>> size_in("2048", "mem"), size_in("48.5KB", "mem"), size_in("5.2 Gbytes", "mem")
    (2048.0, 48.5, 5452595.2)
    """
    if text[-1:].isdecimal():
        return number(text, field)
    size = memory(re.sub("(?i)ytes?$", "", text), field)
    return size and size.kilobytes
