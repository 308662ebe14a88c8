"""Rates as text: what options of mechanisms read and write."""

from __future__ import annotations

from swfx import InputError
from swfx.base.options import as_float, as_int, as_text

__all__ = ["rate_text", "rates_text", "read_rate", "read_rates"]


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
    """Write a rate so that `read_rate` reads it again."""
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
    rates: dict[int, float] = {}
    for pair in text.split(","):
        queue, colon, rate = pair.partition(":")
        if not colon:
            raise InputError(
                f"{pair!r} is not QUEUE:RATE",
                source="price mechanism",
                field="rates",
                remedy="write for instance rates=1:1.7,2:2",
            )
        number = as_int(queue, "price mechanism", "rates")
        if number in rates:
            raise InputError(
                f"queue {number} is given twice",
                source="price mechanism",
                field="rates",
                remedy="keep one of them",
            )
        rates[number] = read_rate(rate)
    return tuple(sorted(rates.items()))


def rates_text(rates: tuple[tuple[int, float], ...]) -> str:
    """Write rates so that `read_rates` reads them again."""
    return ",".join(f"{queue}:{as_text(rate)}" for queue, rate in rates)
