"""Rates as text: what options of mechanisms read and write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from swfx import InputError
from swfx.base.options import as_float, as_int, as_text

__all__ = ["Queue", "rate_text", "rates_text", "read_rate", "read_rates", "read_rates_of"]

Queue = int | str
"""A queue, or another label: its number in the log, or its name."""

_NUMBER = re.compile("-1|0|[1-9][0-9]{0,17}")

Key = TypeVar("Key", int, Queue)


def read_rate(text: str, field: str = "rate") -> float:
    """Rate (SU per processor-hour): a finite number, at least 0.

    Raises
    ------
    InputError
        If it is not, naming the field.
    """
    rate = as_float(text, "price mechanism", field)
    if rate < 0:
        raise InputError(
            f"{text!r} is negative", source="price mechanism", field=field, remedy="give 0 or more"
        )
    return rate


def rate_text(rate: float) -> str:
    """Write a rate in the form that `read_rate` reads."""
    return as_text(rate)


def read_rates(text: str) -> tuple[tuple[int, float], ...]:
    """Rates by queue, ``QUEUE:RATE`` separated by commas.

    Raises
    ------
    InputError
        If a pair is not of that form, or a queue is named twice.

    Examples
    --------
    >>> read_rates("2:2,1:1.7")
    ((1, 1.7), (2, 2.0))
    """
    return tuple(sorted(_rates(text, _number)))


def read_rates_of(text: str) -> tuple[tuple[Queue, float], ...]:
    """Rates as `read_rates` reads them, by numbers or names: the names come last.

    Examples
    --------
    >>> read_rates_of("night:0.5,2:2,1:1.7,cpu,gpu:4")
    ((1, 1.7), (2, 2.0), ('cpu,gpu', 4.0), ('night', 0.5))
    """
    rates = _rates(text, lambda queue: int(queue) if _NUMBER.fullmatch(queue) else queue)
    return tuple(sorted(rates, key=lambda pair: (isinstance(pair[0], str), pair)))


def _number(queue: str) -> int:
    return as_int(queue, "price mechanism", "rates")


def _rates(text: str, read: Callable[[str], Key]) -> list[tuple[Key, float]]:
    rates: dict[Key, float] = {}
    for pair in _pairs(text):
        queue, colon, rate = pair.rpartition(":")
        if not colon or not queue.strip():
            raise InputError(
                f"{pair!r} is not QUEUE:RATE",
                source="price mechanism",
                field="rates",
                remedy="write for instance rates=1:1.7,2:2",
            )
        number = read(_unquoted(queue.strip()))
        if number in rates:
            raise InputError(
                f"queue {number} is given twice",
                source="price mechanism",
                field="rates",
                remedy="keep one of them",
            )
        rates[number] = read_rate(rate)
    return list(rates.items())


def _unquoted(name: str) -> str:
    """Return a name without the quotes in which messages show it.

    >>> _unquoted("'cpu,gpu'"), _unquoted('"a b"'), _unquoted("o'hara")
    ('cpu,gpu', 'a b', "o'hara")
    """
    quoted = len(name) > 2 and name[0] == name[-1] and name[0] in "'\""
    return name[1:-1] if quoted else name


def _pairs(text: str) -> Iterator[str]:
    """Split a text at the commas behind rates: others are part of a name."""
    begun: list[str] = []
    for piece in text.split(","):
        begun.append(piece)
        if ":" in piece:
            yield ",".join(begun)
            begun = []
    if begun:
        yield ",".join(begun)


def rates_text(rates: tuple[tuple[Queue, float], ...]) -> str:
    """Write rates in the form that `read_rates_of` reads."""
    return ",".join(f"{queue}:{as_text(rate)}" for queue, rate in rates)
