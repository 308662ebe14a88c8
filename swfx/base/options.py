"""Texts of the form `key=value,key=value`, and the messages for what is wrong in them."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from swfx.base.errors import InputError
from swfx.base.removed import replacement
from swfx.base.synonyms import meant


def split_options(text: str, source: str) -> dict[str, str]:
    """Split `key=value,key=value` into a dictionary of texts.

    Parameters
    ----------
    text : str
        Options; spaces around keys and values do not count, an empty text has none. A value that
        has commas of its own stands in brackets: ``log=[model:lublin,jobs=9],users=same``.
    source : str
        What the options belong to, for messages.

    Raises
    ------
    InputError
        An option without `=`, without a key or value, or given twice.

    Examples
    --------
    >>> split_options("factor=2, base=wait", "utilities")
    {'factor': '2', 'base': 'wait'}
    """
    return _pairs(_parts(text) if text.strip() else (), source)


def bracketed(value: str) -> str:
    """Put brackets around a value of which `split_lists` would read a part as another option.

    Examples
    --------
    >>> bracketed("model:lublin,jobs=9"), bracketed("mon,tue")
    ('[model:lublin,jobs=9]', 'mon,tue')
    """
    taken_apart = any("=" in part for part in value.split(",")[1:])
    return f"[{value}]" if taken_apart or _without_brackets(value) != value else value


def _parts(text: str) -> list[str]:
    """Split at commas that do not stand in brackets; if those do not match they mean nothing."""
    parts = [""]
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
        if depth < 0:
            break
    return text.split(",") if depth else parts


def _without_brackets(value: str) -> str:
    depths = list(accumulate((c == "[") - (c == "]") for c in value))
    enclosed = value.startswith("[") and 0 not in depths[:-1] and depths[-1] == 0
    return value[1:-1] if enclosed else value


def _pairs(parts: Iterable[str], source: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise InputError(
                f"{part.strip()!r} is not of the form key=value",
                source=source,
                remedy="separate options by commas, as in a=1,b=2",
            )
        if key in options:
            raise InputError("is given twice", source=source, field=key, remedy="keep one of them")
        options[key] = _without_brackets(value)
    return options


def split_lists(text: str, source: str) -> dict[str, str]:
    """Split as `split_options` does, where values may be lists.

    A piece without `=` belongs to the value before it.

    Raises
    ------
    InputError
        As `split_options`.

    Examples
    --------
    >>> split_lists("rates=1:2,3:4,other=1", "prices")
    {'rates': '1:2,3:4', 'other': '1'}
    """
    pieces: list[str] = []
    for piece in _parts(text) if text else ():
        if "=" in piece or not pieces:
            pieces.append(piece)
        else:
            pieces[-1] += f",{piece}"
    return _pairs(pieces, source)


MOST_LISTED = 8
"""Names that an error lists."""


def nearest(name: str, known: Iterable[str], place: str = "") -> str:
    """Return a remedy for an unknown name: the known name that is meant, and the nearest names.

    A word of the field for something known comes before the nearest spelling. Names with a point
    (`batch.serial`) are counted, not listed.

    Parameters
    ----------
    name : str
        The unknown name.
    known : iterable of str
        The known names, of which at most `MOST_LISTED` are listed.
    place : str
        Where all of them are listed: a command or a page.

    Examples
    --------
    >>> nearest("facter", ["base", "factor"])
    "did you mean 'factor'? known: base, factor"
    >>> nearest("sjf", ["srf", "spf"])
    "did you mean 'spf'? known: spf, srf"
    """
    names = sorted(known)
    folded = {known_name.casefold(): known_name for known_name in names}
    close = meant(name, set(names)) or tuple(
        folded[each] for each in difflib.get_close_matches(name.casefold(), folded, 1, 0.6)
    )
    dotted = [known_name for known_name in names if "." in known_name]
    plain = [known_name for known_name in names if known_name not in dotted]
    near = sorted(plain, key=lambda each: (each not in close, -_likeness(name, each)))
    many = f"{'and ' if plain else ''}{len(dotted)} such as {dotted[0]}" if dotted else ""
    shown = sorted(near[: MOST_LISTED - bool(dotted)])
    shown_names = listing(shown, len(plain), place=place, also=many)
    question = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return f"{question}known: {shown_names}"


def _likeness(name: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other.casefold(), name.casefold()).ratio()


def listing(
    names: Sequence[str], count: int, separator: str = ", ", *, place: str = "", also: str = ""
) -> str:
    """Return the first `MOST_LISTED` of `count` names, `also`, and how many more `place` has.

    Examples
    --------
    >>> listing("abc", 3), listing("abc", 12, place="docs/metrics.md")
    ('a, b, c', 'a, b, c, ... and 9 more: docs/metrics.md')
    """
    shown = names[:MOST_LISTED]
    more = f"... and {count - len(shown):,} more{place and f': {place}'}"
    parts = [*shown, also, more if count > len(shown) else ""]
    return separator.join(filter(None, parts))


def check_keys(options: Iterable[str], known: Iterable[str], source: str, place: str = "") -> None:
    """Refuse the first option that is not known; `place` says where all are listed.

    Raises
    ------
    InputError
        Naming the key, the nearest known key, and all of them; or that there are none.
    """
    known = set(known)
    for key in options:
        if key not in known:
            remedy = replacement(f"option of {source}", key)
            if not known and not remedy:
                raise InputError("takes no options", source=source, remedy=f"write {source} alone")
            raise InputError(
                "was removed" if remedy else "is not a known key",
                source=source,
                field=key,
                remedy=remedy or nearest(key, known, place),
            )


def as_float(text: str, source: str, field: str) -> float:
    """Read a finite number.

    Raises
    ------
    InputError
        Not a number, infinite, or NaN.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        remedy = replacement(f"{field} of {source}", text)
        raise InputError(
            f"{text!r} was removed" if remedy else f"{text!r} is not a finite number",
            source=source,
            field=field,
            remedy=remedy or "give a number",
        )
    return value


def as_int(text: str, source: str, field: str) -> int:
    """Read a whole number.

    Raises
    ------
    InputError
        Not a whole number.
    """
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f"{text!r} is not a whole number",
            source=source,
            field=field,
            remedy="give a whole number",
        ) from None


def as_text(value: float | str) -> str:
    """Write a value so that reading it gives the same value, whole numbers without a point.

    Examples
    --------
    >>> as_text(2.0), as_text(0.1), as_text("wait")
    ('2', '0.1', 'wait')
    """
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


SECONDS_IN = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}
"""Units of time, in s."""

_SPELT = {
    **dict.fromkeys(("sec", "second", "seconds"), "s"),
    **dict.fromkeys(("mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
    **dict.fromkeys(("week", "weeks"), "w"),
    **dict.fromkeys(("year", "years"), "y"),
}
"""Other ways to write units."""


def as_seconds(
    text: str, source: str, field: str, units: Mapping[str, float] = SECONDS_IN
) -> float:
    """Read a time in seconds, or in one of `units` (of so many s) that follows the number.

    The unit may be spelt out, and stand apart.

    Raises
    ------
    InputError
        Not a number, or an unknown unit.

    Examples
    --------
    >>> [as_seconds(text, "x", "max") for text in ("90", "1.5h", "90 min", "2 days")]
    [90.0, 5400.0, 5400.0, 172800.0]
    """
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = text[len(number) :] or "s"
    unit = _SPELT.get(unit, unit)
    if unit not in units:
        raise InputError(
            f"unknown unit of time: {unit!r}",
            source=source,
            field=field,
            remedy=nearest(unit, units),
        )
    return as_float(number, source, field) * units[unit]


def as_whole_seconds(text: str, source: str, field: str) -> int:
    """Read a time as `as_seconds` does, a whole number of seconds.

    Raises
    ------
    InputError
        As `as_seconds`, or a fraction of a second.
    """
    seconds = as_seconds(text, source, field)
    if not seconds.is_integer():
        raise InputError(
            f"{seconds:g} s are not whole seconds",
            source=source,
            field=field,
            remedy="give whole seconds",
        )
    return int(seconds)


def as_choice(text: str, known: Iterable[str], source: str, field: str) -> str:
    """Read one of the known texts.

    Raises
    ------
    InputError
        Anything else; the nearest is suggested.
    """
    names = tuple(known)
    if text not in names:
        remedy = replacement(f"{field} of {source}", text)
        raise InputError(
            f"{text!r} was removed" if remedy else f"{text!r} is not a choice",
            source=source,
            field=field,
            remedy=remedy or nearest(text, names),
        )
    return text


def as_bool(text: str, source: str, field: str) -> bool:
    """Read `true` or `false`.

    Raises
    ------
    InputError
        Anything else.
    """
    if text not in ("true", "false"):
        raise InputError(
            f"{text!r} is not a choice", source=source, field=field, remedy="give true or false"
        )
    return text == "true"


def bool_text(value: bool) -> str:
    """Write a truth value for `as_bool`."""
    return str(value).lower()


def slice_of(text: str) -> slice:
    """Read `A:B`, positions from 0, B excluded, either side may be empty.

    Raises
    ------
    InputError
        Anything else, or a slice without jobs.

    Examples
    --------
    >>> slice_of("5000:10000")
    slice(5000, 10000, None)
    """
    parts = re.fullmatch("([0-9]{0,18}):([0-9]{0,18})", text)
    if not parts:
        raise InputError(
            f"{text!r} is not A:B with whole numbers from 0", remedy="write it as in 5000:10000"
        )
    chosen = slice(*(int(part) if part else None for part in parts.groups()))
    if chosen.stop is not None and chosen.stop <= (chosen.start or 0):
        raise InputError(f"{text!r} is empty", remedy="A must be below B")
    return chosen


def slice_text(jobs: slice) -> str:
    """Return the text that `slice_of` reads.

    Examples
    --------
    >>> slice_text(slice(None, 500))
    ':500'
    """
    return ":".join("" if end is None else str(end) for end in (jobs.start, jobs.stop))
