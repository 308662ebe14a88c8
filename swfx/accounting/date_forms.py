"""Forms of dates other than ISO 8601, as spreadsheets write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain

from swfx.accounting.dates import is_local, is_no_time
from swfx.accounting.quantities import DURATION_UNITS, MEMOISED
from swfx.base.errors import InputError

__all__ = ["any_local", "begin_at_0", "date_of", "forms_of"]

_ISO = "%Y-%m-%d"
_ORDERS = tuple(
    order.replace("-", between)
    for order in ("%d-%m-%Y", "%m-%d-%Y", "%d-%m-%y", "%m-%d-%y", "%Y-%m-%d", "%y-%m-%d")
    for between in "./-"
    if order[:2] != "%m" or between != "."
)
_TIMES = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
_NUMBER = re.compile(r"\d+(\.\d*)?", re.ASCII)
_SPREADSHEET_DAYS = (20_000, 80_000)
"""Numbers that spreadsheets have for the days from 1954 to 2119."""

_EARLIEST = 100_000_000
"""Unix time (s) in 1973, before any log."""

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
    dates: Mapping[str, Sequence[str]],
    stated: Callable[[Mapping[str, tuple[str, ...]]], str],
) -> tuple[str, ...]:
    """Return the forms of dates whose day, month and year have one order alone.

    Parameters
    ----------
    dates : mapping of str to sequence of str
        First texts of each column of dates.
    stated : callable
        Makes the command with forms stated by column, for the message.

    Returns
    -------
    tuple of str
        Forms of strptime, none for ISO 8601 and Unix times.

    Raises
    ------
    InputError
        The dates have several orders, or one that is not known, or may be a spreadsheet's days.
    """
    days = {name: ("spreadsheet",) for name, texts in dates.items() if _are_days(texts)}
    if days:
        text = next(text for text in dates[next(iter(days))] if _NUMBER.fullmatch(text))
        raise InputError(
            f"times such as {text!r} may be days of a spreadsheet, or seconds",
            remedy=f"state the unit: {stated(days)}, or @s",
        )
    shown: dict[frozenset[str], str] = {}
    for text in chain(*dates.values()):
        if orders := _orders(text.partition(" ")[0]):
            shown.setdefault(orders, text)
    common = frozenset.intersection(*shown) if shown else frozenset()
    if shown and len(common) != 1:
        raise _unclear(shown, common, {*dates}, stated)
    order = "".join(common - {_ISO})
    return (*(f"{order} {time}" for time in _TIMES), order) if order else ()


def begin_at_0(texts: Iterable[str], unit: str = "") -> bool:
    """Whether numbers are times since the begin of a log: one is 0, and none a Unix time.

    >>> begin_at_0(["0", "3600"]), begin_at_0(["0", "1600000000"]), begin_at_0(["3600"])
    (True, False, False)
    """
    times = _numbers(texts)
    length = DURATION_UNITS.get(unit or "s")
    return length is not None and 0 in times and max(times) * length < _EARLIEST


def any_local(texts: Iterable[str], forms: Sequence[str] = ()) -> bool:
    """Whether any date is read in the time zone of the log."""
    if not DURATION_UNITS.keys().isdisjoint(forms):
        return False
    if forms:
        return not all("%z" in form for form in forms) and not all(map(is_no_time, texts))
    return any(map(is_local, texts))


def _numbers(texts: Iterable[str]) -> list[float]:
    return [float(text) for text in texts if _NUMBER.fullmatch(text)]


def _are_days(texts: Sequence[str]) -> bool:
    """Whether all numbers, of which there are some, may be a spreadsheet's days."""
    days = _numbers(text for text in texts if not is_no_time(text))
    first, last = _SPREADSHEET_DAYS
    return bool(days) and first <= min(days) and max(days) <= last


@lru_cache(MEMOISED)
def _orders(day: str) -> frozenset[str]:
    """Return the orders that the parts of a day may have; none for no day."""
    return frozenset(order for order in _ORDERS if date_of(day, order))


def _unclear(
    shown: Mapping[frozenset[str], str],
    common: frozenset[str],
    names: Iterable[str],
    stated: Callable[[Mapping[str, tuple[str, ...]]], str],
) -> InputError:
    """Return the refusal of dates by one text of each kind; several orders may fit all of them."""
    if common:
        kinds = {common: shown[min(shown, key=len)]}
        problem = "the order of day, month and year is not certain in dates such as"
    else:
        kinds = {each: text for each, text in shown.items() if not any(o < each for o in shown)}
        problem = "dates have several forms:"
    times = ("", " %R", " %T")
    ends = {orders: times[min(text.count(":"), 2)] for orders, text in kinds.items()}
    forms = tuple(f"{min(orders)}{ends[orders]}" for orders in kinds if orders != {_ISO})
    texts = ", ".join(f"{text!r} ({' or '.join(sorted(orders))})" for orders, text in kinds.items())
    command = stated(dict.fromkeys(names, tuple(dict.fromkeys(forms))))
    is_certain = all(len(orders) == 1 for orders in kinds)
    form = "form" if is_certain else "form that is meant, which the table does not tell"
    return InputError(f"{problem} {texts}", remedy=f"state the {form}: for instance {command}")
