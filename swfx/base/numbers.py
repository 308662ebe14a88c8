"""Numbers and counts as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

UNKNOWN = "-"

FINEST = 6
"""Decimals at most."""

CENT = 0.01

CENTS = 2
"""Decimals of a bill, unless others are chosen."""

MOST_DECIMALS = 9
"""Decimals of a bill at most: 64 bits then still hold 9.2e9 SU."""

TABLE_DECIMALS = 2

_DIGITS: ContextVar[int] = ContextVar("_DIGITS", default=TABLE_DECIMALS)
"""Decimals at most of numbers in the terminal's tables."""

_IN_TABLE: ContextVar[bool] = ContextVar("_IN_TABLE", default=False)


@contextmanager
def table_digits(count: int | None) -> Iterator[None]:
    """Have the terminal's tables show at most `count` decimals, two if it is None."""
    token = _DIGITS.set(_DIGITS.get() if count is None else count)
    try:
        yield
    finally:
        _DIGITS.reset(token)


@contextmanager
def in_table() -> Iterator[None]:
    """Write numbers of the block as those of a table of the terminal."""
    token = _IN_TABLE.set(True)
    try:
        yield
    finally:
        _IN_TABLE.reset(token)


def most_decimals() -> int | None:
    """Return the decimals that a number in a table of the terminal has at most, else None."""
    return _DIGITS.get() if _IN_TABLE.get() else None


def fixed(value: float) -> str:
    """Return an amount for a table of the terminal, to two decimals unless others are asked for.

    Examples
    --------
    >>> fixed(1013.7625), fixed(0), fixed(1.4e-05)
    ('1,013.76', '0.00', '<0.01')
    """
    decimals = _DIGITS.get()
    if value and round(value, decimals) == 0:
        return _below(value, decimals)
    return f"{value:,.{decimals}f}"


def _below(value: float, decimals: int) -> str:
    """Return that a value which is rounded to 0 is not 0."""
    least = f"{10.0**-decimals:.{decimals}f}"
    return f"<{least}" if value > 0 else f">-{least}"


_LONG = re.compile(r"(?<==)\d+\.\d{7,}")


def whole(value: float | None) -> str:
    """Return a number without decimals, thousands separated.

    Examples
    --------
    >>> whole(1355885.4)
    '1,355,885'
    """
    return UNKNOWN if _missing(value) else f"{value:,.0f}"


def significant(value: float | None, digits: int = 3) -> str:
    """Return a number to so many significant digits, never in powers of ten.

    In tables of the terminal it has at most two decimals; see `table_digits`.

    Examples
    --------
    >>> [significant(each) for each in (1.0, 33.94, 2260.7, 0.0553, -1e-9)]
    ['1.00', '33.9', '2,261', '0.0553', '>-0.000001']
    """
    if value is None or _missing(value):
        return UNKNOWN
    if value == 0:
        return "0"
    most = most_decimals()
    finest = FINEST if most is None else most
    digits += 0 if most is None else max(most - TABLE_DECIMALS, 0)
    if round(value, finest) == 0:
        return _below(value, finest)
    rounded = float(f"{value:.{digits - 1}e}")
    magnitude = math.floor(math.log10(abs(rounded)))
    return f"{value:,.{min(max(digits - 1 - magnitude, 0), finest)}f}"


def money(amount: float | Fraction | Decimal) -> str:
    """Return an amount to the cent; one below a cent by its first digits, not as nothing.

    Examples
    --------
    >>> money(1013.7625000000003), money(0), money(0.0027777778)
    ('1,013.76', '0.00', '0.00278')
    """
    value = float(amount)
    return significant(value) if 0 < abs(value) < CENT else f"{value:,.2f}"


def shortened(text: str) -> str:
    """Return a text for people: values of options by their first four digits.

    Examples
    --------
    >>> shortened("globmax=0.03333333333333333,epsilon=0.001")
    'globmax=0.03333,epsilon=0.001'
    """
    return _LONG.sub(lambda number: f"{float(number[0]):.4g}", text)


def percent(share: float | None) -> str:
    """Return a share of 1 in percent, one decimal, two below one percent.

    Examples
    --------
    >>> percent(0.904), percent(0.00055), percent(1e-9), percent(0.0)
    ('90.4', '0.06', '<0.01', '0')
    """
    if share is None or _missing(share):
        return UNKNOWN
    if share == 0:
        return "0"
    most = most_decimals()
    finest = TABLE_DECIMALS if most is None else most
    if round(100 * share, finest) == 0:
        return _below(share, finest)
    return f"{100 * share:.{max(finest - 1, 0) if abs(share) >= 0.01 else finest}f}"


def span(seconds: float) -> str:
    """Return a time as people say it, to two units.

    Examples
    --------
    >>> span(45), span(3600), span(11500), span(200000)
    ('45 s', '1 h', '3 h 12 min', '2 d 8 h')
    """
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return _two(minutes // 60, "h", minutes % 60, "min")
    return _two(hours // 24, "d", hours % 24, "h")


def plural(count: int, thing: str, things: str = "") -> str:
    """Return a count with its noun; `things` where an s does not make its plural.

    Examples
    --------
    >>> plural(1, "job"), plural(4985, "job"), plural(2, "entry", "entries")
    ('1 job', '4,985 jobs', '2 entries')
    """
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def _two(large: int, unit: str, small: int, part: str) -> str:
    return f"{large} {unit} {small} {part}" if small else f"{large} {unit}"


def _missing(value: float | None) -> bool:
    return value is None or not math.isfinite(value)


def jobs_of(count: int, total: int) -> str:
    """Return a count of jobs with the share of the total.

    Examples
    --------
    >>> jobs_of(1500, 6000)
    '1,500 of 6,000 jobs (25.0%)'
    """
    return f"{count:,} of {total:,} jobs ({count / max(total, 1):.1%})"


FIRST_LINES = 5
"""How many lines are named."""


def lines_of(lines: Iterable[int]) -> str:
    """Return the numbers of the first lines as text.

    Examples
    --------
    >>> lines_of([7, 3]), lines_of(range(1, 9))
    ('lines 3, 7', 'lines 1, 2, 3, 4, 5, ...')
    """
    numbers = sorted(map(int, lines))
    more = ["..."] if len(numbers) > FIRST_LINES else []
    named = ", ".join([*map(str, numbers[:FIRST_LINES]), *more])
    return f"{'lines' if len(numbers) > 1 else 'line'} {named}"
