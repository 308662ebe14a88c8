"""Forms of dates other than ISO 8601, as spreadsheets write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain

from swfx.accounting.quantities import MEMOISED
from swfx.accounting.table import LARGEST, Row
from swfx.base.errors import InputError

__all__ = ["date_of", "forms_of"]

_ISO = "%Y-%m-%d"
_ORDERS = tuple(
    order.replace("-", between)
    for order in ("%d-%m-%Y", "%m-%d-%Y", "%d-%m-%y", "%m-%d-%y", "%Y-%m-%d")
    for between in "./-"
    if order[:2] != "%m" or between != "."
)
_TIMES = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
_IN_FULL = {"%R": "%H:%M", "%T": "%H:%M:%S", "%r": "%I:%M:%S %p", "%F": _ISO}


def date_of(text: str, form: str) -> datetime | None:
    """Read a date in a form of strptime, or with %R, %T, %r and %F for times and days.

    >>> date_of("07.03.2026 09:30", "%d.%m.%Y %R"), date_of("2026-03-07", "%d.%m.%Y")
    (datetime.datetime(2026, 3, 7, 9, 30), None)
    """
    try:
        return datetime.strptime(text, re.sub("%[RTrF]", lambda each: _IN_FULL[each[0]], form))
    except ValueError:
        return None


def forms_of(
    rows: Iterator[Row], places: Sequence[int], stated: Callable[[tuple[str, ...]], str]
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the forms of the dates of a table whose day, month and year have one order alone.

    Rows are read until that order is without doubt.

    Parameters
    ----------
    rows : iterator of Row
        Rows of the table.
    places : sequence of int
        Positions of the columns of dates.
    stated : callable
        Makes the command with these forms stated, for the message.

    Returns
    -------
    tuple of (tuple of str, iterator of Row)
        Forms of strptime, none for ISO 8601 and Unix times, and the same rows.

    Raises
    ------
    InputError
        The dates have several orders, or one that is not known.
    """
    held: list[Row] = []
    shown: dict[frozenset[str], str] = {}
    common: frozenset[str] = frozenset()
    for row in rows:
        held.append(row)
        for text in (str(row.cells[place]) for place in places if place < len(row.cells)):
            if (orders := _orders(text.partition(" ")[0])) and orders not in shown:
                common = common & orders if shown else orders
                shown[orders] = text
        if len(held) >= LARGEST and len(common) < 2:
            break
    if shown and len(common) != 1:
        raise _unclear(shown, stated)
    order = "".join(common - {_ISO})
    forms = (*(f"{order} {time}" for time in _TIMES), order) if order else ()
    return forms, chain(held, rows)


@lru_cache(MEMOISED)
def _orders(day: str) -> frozenset[str]:
    """Return the orders that the parts of a day may have; none for no day."""
    return frozenset(order for order in _ORDERS if date_of(day, order))


def _unclear(
    shown: Mapping[frozenset[str], str], stated: Callable[[tuple[str, ...]], str]
) -> InputError:
    """Return the refusal of dates by one text of each kind."""
    times = ("", " %R", " %T")
    forms = {
        f"{min(orders)}{times[min(text.count(':'), 2)]}": text
        for orders, text in shown.items()
        if orders != {_ISO}
    }
    texts = " and ".join(map(repr, shown.values()))
    message = (
        f"dates have several forms: {texts}"
        if len(shown) > 1
        else f"either day or month comes first in dates such as {texts}"
    )
    return InputError(message, remedy=f"state the form, for instance {stated((*forms,))}")
