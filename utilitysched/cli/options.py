"""Declarations of options and arguments, and readers of their texts.

A reader raises `typer.BadParameter` for any other text than it says.
"""

import math
import re
from collections.abc import Callable, Collection
from datetime import date
from pathlib import Path
from typing import Any

import typer

from utilitysched.cli.completion import COMPLETERS

PORTS = 2**16
DIGITS = "(?:[0-9]{1,18})"
"""A whole number that fits in 64 bits."""


def option(
    spec: str, text: str, default: Any = None, *, shown: Any = True, group: str = "", **more: Any
) -> Any:
    """Declare an option as `--help` shows it.

    Parameters
    ----------
    spec : str
        Names, then what stands for the value: ``--jobs A:B``; of a flag only names.
    text : str
        What it means.
    default : object
        Value where it is not typed, ``...`` if it must be.
    shown : str or bool
        What `--help` says of the default in place of itself; False for nothing.
    group : str
        Heading under which `--help` shows it, below options without one.
    **more
        As `typer.Option` takes it: a parser, a callback.
    """
    words = spec.split()
    names = [word for word in words if word.startswith("-")]
    metavar = words[-1] if len(words) > len(names) else None
    more = _completed([f"{name} {metavar}" for name in names], more)
    more |= {"rich_help_panel": group or None, "show_default": shown}
    return typer.Option(default, *names, metavar=metavar, help=text, **more)


def argument(metavar: str, text: str, default: Any = ..., **more: Any) -> Any:
    """Declare an argument; see `option`. Its default is never shown."""
    more = _completed([metavar], more)
    return typer.Argument(default, metavar=metavar, help=text, show_default=False, **more)


def _completed(names: Collection[str], more: dict[str, Any]) -> dict[str, Any]:
    """Add what completes the value, if anything does."""
    found = [COMPLETERS[name] for name in names if name in COMPLETERS]
    return more | {"autocompletion": found[0]} if found else more


def slice_of(text: str) -> slice:
    """Read `A:B`, positions from 0, B excluded, either side may be empty."""
    parts = re.fullmatch(f"({DIGITS}?):({DIGITS}?)", text)
    if not parts:
        raise typer.BadParameter(
            f"{text!r} is not A:B with whole numbers from 0, such as 5000:10000"
        )
    found = slice(*(int(part) if part else None for part in parts.groups()))
    if found.stop is not None and found.stop <= (found.start or 0):
        raise typer.BadParameter(f"{text!r} is empty: A must be below B")
    return found


def from_zero(text: str) -> int:
    """Read a whole number, 0 or more."""
    return _whole(text, 0)


def from_one(text: str) -> int:
    """Read a whole number, 1 or more."""
    return _whole(text, 1)


def port_of(text: str) -> int:
    """Read the number of a port; 0 is any that is free."""
    number = _whole(text, 0)
    if number >= PORTS:
        raise typer.BadParameter(f"{text!r} is not a port: they end at {PORTS - 1}")
    return number


def _whole(given: object, least: int) -> int:
    text = str(given)  # typer parses defaults, too
    if re.fullmatch("[0-9]+", text) and not re.fullmatch(DIGITS, text):
        raise typer.BadParameter(f"{text!r} is not a whole number of at most 18 digits")
    if not re.fullmatch(DIGITS, text) or int(text) < least:
        raise typer.BadParameter(f"{text!r} is not a whole number from {least}")
    return int(text)


def day_of(text: str) -> str:
    """Read YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not YYYY-MM-DD, such as 2026-11-02") from None


def directory_of(text: str) -> Path:
    """Read the path of a directory; an empty text, as an unset variable leaves it, is none."""
    if not str(text):
        raise typer.BadParameter("the path is empty; . is the current directory")
    return Path(text)


def positive(text: str) -> float:
    """Read a finite number above 0."""
    return _number(text, lambda value: 0 < value < math.inf, "a number above 0")


def duration(text: str) -> float:
    """Read a time from 0 s: seconds, or a number with its unit, such as 20min or 2h."""
    return _seconds(text, lambda value: 0 <= value < math.inf, "a time from 0")


def positive_duration(text: str) -> float:
    """Read a time above 0 s, as `duration` does."""
    return _seconds(text, lambda value: 0 < value < math.inf, "a time above 0")


def _seconds(text: object, accepts: Callable[[float], bool], wanted: str) -> float:
    from swfx import InputError
    from swfx.base.options import as_seconds

    try:
        value = as_seconds(str(text), "", "time")  # typer parses defaults, too
    except InputError:
        value = math.nan
    if not accepts(value):
        raise typer.BadParameter(f"{str(text)!r} is not {wanted}, such as 90 (s), 20min or 2h")
    return value


def below_half(text: str) -> float:
    """Read a number from 0 to below one half."""
    return _number(text, lambda value: 0 <= value < 0.5, "a share from 0 to below 0.5")


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    return _number(text, lambda value: 0 <= value <= 1, "a share from 0 to 1")


def _number(text: str, accepts: Callable[[float], bool], wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not accepts(value):
        raise typer.BadParameter(f"{text!r} is not {wanted}")
    return value


def classes_of(text: str) -> dict[int, int]:
    """Read `queue=class,...`, each queue once."""
    classes: dict[int, int] = {}
    for part in text.split(","):
        pair = re.fullmatch(f" *(-?{DIGITS}) *= *({DIGITS}) *", part)
        if not pair:
            raise typer.BadParameter(f"{part!r} is not queue=class with whole numbers, such as 7=0")
        queue, rank = map(int, pair.groups())
        if queue in classes:
            raise typer.BadParameter(f"queue {queue} is named twice")
        classes[queue] = rank
    return classes


def refuse_without(needed: str, context: typer.Context, names: Collection[str]) -> None:
    """Refuse options that were typed although the one that they need was not.

    Parameters
    ----------
    needed : str
        The other option, as it is typed.
    context : typer.Context
        Of the command.
    names : collection of str
        Their names as parameters.
    """
    from swfx import InputError

    for typed in _typed(context, names):
        raise InputError(f"{typed} needs {needed}")


def refuse_with(other: str, context: typer.Context, names: Collection[str]) -> None:
    """Refuse options that were typed beside one that excludes them; see `refuse_without`."""
    from swfx import InputError

    for typed in _typed(context, names):
        raise InputError(f"{typed} and {other} exclude each other")


def _typed(context: typer.Context, names: Collection[str]) -> list[str]:
    """Return which of some options were typed, as they are."""
    found = []
    for parameter in context.command.params:
        source = context.get_parameter_source(str(parameter.name))
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            found.append(parameter.opts[0])
    return found
