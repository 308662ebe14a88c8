"""Things made from text, ``NAME[:key=value,...]``, whose options are dataclass fields."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

from swfx.base.bounds import require_between
from swfx.base.errors import InputError
from swfx.base.options import (
    as_bool,
    as_choice,
    as_float,
    as_int,
    as_seconds,
    as_text,
    bool_text,
    bracketed,
    check_keys,
    split_lists,
)

__all__ = [
    "ANY",
    "SHARE",
    "Configured",
    "OptionField",
    "choice",
    "flag",
    "named",
    "number",
    "option",
    "seconds",
    "whole",
    "within",
]

REQUIRED = dataclasses.MISSING
MUST_BE_GIVEN = "..."


Bounds = tuple[float, float] | None

ANY = (0.0, math.inf)
SHARE = (0.0, 1.0)

OptionKind = Literal["text", "number", "whole", "seconds", "flag", "choice"]


class OptionField(NamedTuple):
    """Declaration of an option: what a form needs to ask for it.

    Attributes
    ----------
    name : str
        Name of the option.
    kind : {"text", "number", "whole", "seconds", "flag", "choice"}
        Of its value.
    default : str
        Text of the default: empty is off, ``...`` must be given.
    bounds : tuple of float or None
        Least and largest value of a number.
    choices : tuple of str
        Texts of which it is one.
    """

    name: str
    kind: OptionKind
    default: str
    bounds: Bounds = None
    choices: tuple[str, ...] = ()


def option(
    parse: Callable[[str], Any], default: Any = REQUIRED, text: Any = str, bounds: Bounds = None
) -> Any:
    """Field of a `Configured` thing that can be set by name.

    Parameters
    ----------
    parse : callable
        Makes the value from its text, or raises `InputError`.
    default : object
        Value when it is not given; without a default it must be given.
    text : callable
        Makes text from the value, such that `parse` gives the value again.
    bounds : tuple of float, optional
        Least and largest number that `parse` takes; without them the value is a text.
    """
    kind: OptionKind = "text" if bounds is None else "number"
    return _field(lambda value, *_: parse(value), default, text, kind=kind, bounds=bounds)


def named(
    read: Callable[[str, str, str], Any],
    default: Any = REQUIRED,
    text: Any = str,
    check: Callable[[Any, str, str], object] | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """Field as of `option`, whose messages name the thing and the option.

    Parameters
    ----------
    read : callable
        Makes the value from its text, the name of the thing and that of the option.
    default, text
        As of `option`.
    check : callable, optional
        Called with the value, if it is not None, and both names, however the thing is made; raises
        `InputError`.
    choices : sequence of str
        Texts that `read` takes, if they are few.
    """
    kind: OptionKind = "choice" if choices else "text"
    return _field(read, default, text, check, kind=kind, choices=tuple(choices))


def _field(
    read: Callable[[str, str, str], Any],
    default: Any,
    text: Any,
    check: Callable[[Any, str, str], object] | None = None,
    **declared: Any,
) -> Any:
    metadata = {"read": read, "text": text, "check": check, **declared}
    return dataclasses.field(default=default, metadata=metadata)


def number(default: Any = REQUIRED, bounds: Bounds = None) -> Any:
    """Field that is a finite number, within bounds if there are any."""
    return _field(as_float, default, as_text, within(bounds), kind="number", bounds=bounds)


def seconds(default: Any = REQUIRED, bounds: Bounds = None) -> Any:
    """Field that is a time in seconds, read with units such as ``2h``."""
    return _field(as_seconds, default, as_text, within(bounds), kind="seconds", bounds=bounds)


def whole(default: Any = REQUIRED, bounds: Bounds = None) -> Any:
    """Field that is a whole number."""
    return _field(as_int, default, str, within(bounds), kind="whole", bounds=bounds)


def flag(default: bool = False) -> Any:
    """Field that is ``true`` or ``false``."""
    return _field(as_bool, default, bool_text, kind="flag")


def choice(known: Sequence[str], default: Any = REQUIRED) -> Any:
    """Field that is one of the known texts."""

    def check(value: str, source: str, field: str) -> object:
        return as_choice(value, known, source, field)

    return named(check, default, str, check, known)


def within(bounds: Bounds) -> Callable[[float, str, str], None] | None:
    """Return the check of a field for bounds, None if there are none."""
    return bounds and partial(_require, bounds)


def _require(bounds: tuple[float, float], value: float, source: str, field: str) -> None:
    require_between(source, field, value, *bounds)


class Configured:
    """Base of frozen dataclasses that have a name, and options made with `option`.

    Attributes
    ----------
    name : str
        Name of the thing, in its text and in messages.
    EXAMPLE : str
        What to write where an option is missing, for things whose text has no name before it.
    LISTED : str
        Command that lists the options, where an error cannot.

    Examples
    --------
    >>> @dataclasses.dataclass(frozen=True)
    ... class Rate(Configured):
    ...     name = "rate"
    ...     unit: float = option(float, 1.0)
    >>> Rate.from_text("unit=2").label
    'rate:unit=2.0'
    """

    name: ClassVar[str]
    EXAMPLE: ClassVar[str] = ""
    LISTED: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for field in _fields(type(self)):
            check, value = field.metadata.get("check"), getattr(self, field.name)
            if check and value is not None:
                check(value, self.name, field.name)

    @property
    def label(self) -> str:
        """Text that makes this thing again; options at their defaults are left out."""
        given = [
            f"{field.name}={bracketed(field.metadata['text'](getattr(self, field.name)))}"
            for field in _fields(type(self))
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name

    @classmethod
    def defaults(cls) -> dict[str, str]:
        """Every option with the text of its default: empty is off, ``...`` must be given.

        Examples
        --------
        >>> from pricing.registry import MECHANISMS
        >>> MECHANISMS.members()["single-price"].defaults()
        {'rate': '1', 'displaced': 'owners', 'lost': 'preempted', 'of': 'cpu'}
        """
        return {field.name: _default(field) for field in _fields(cls)}

    @classmethod
    def option_fields(cls) -> tuple[OptionField, ...]:
        """Return the declaration of every option.

        Examples
        --------
        >>> from pricing.registry import MECHANISMS
        >>> MECHANISMS.members()["single-price"].option_fields()[0]
        OptionField(name='rate', kind='number', default='1', bounds=(0.0, inf), choices=())
        """
        declared = ("bounds", "choices")
        return tuple(
            OptionField(
                field.name,
                field.metadata["kind"],
                _default(field),
                **{name: field.metadata[name] for name in declared if name in field.metadata},
            )
            for field in _fields(cls)
        )

    @classmethod
    def from_text(cls, options: str) -> Self:
        """Make one from ``key=value,...``; a piece without ``=`` belongs to the value before it.

        Raises
        ------
        InputError
            An unknown key, an unusable value, or one that is missing.
        """
        return cls.from_texts(split_lists(options, cls.name))

    @classmethod
    def from_texts(cls, options: Mapping[str, str]) -> Self:
        """Make one from the text of each option.

        Raises
        ------
        InputError
            As `from_text`.
        """
        given = cls._read(options)
        cls._require(given)
        return cls(**given)

    def changed(self, options: str) -> Self:
        """Make the same thing with the options named in ``key=value,...`` changed.

        Raises
        ------
        InputError
            An unknown key, or an unusable value.
        """
        given = self._read(split_lists(options, self.name))
        return dataclasses.replace(self, **given)  # type: ignore[type-var]

    @classmethod
    def _read(cls, given: Mapping[str, str]) -> dict[str, Any]:
        readers = {field.name: field.metadata["read"] for field in _fields(cls)}
        if given and not readers:
            raise InputError(f"{cls.name} takes no options", remedy=f"write {cls.name} alone")
        check_keys(given, readers, cls.name, cls.LISTED)
        return {key: readers[key](value, cls.name, key) for key, value in given.items()}

    @classmethod
    def _require(cls, given: Mapping[str, Any]) -> None:
        for field in _fields(cls):
            if field.default is REQUIRED and field.name not in given:
                raise InputError(
                    "must be given",
                    source=cls.name,
                    field=field.name,
                    remedy=cls.EXAMPLE or f"write {cls.name}:{field.name}=...",
                )


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is REQUIRED:
        return MUST_BE_GIVEN
    return "" if field.default is None else str(field.metadata["text"](field.default))


def _fields(cls: Any) -> list[dataclasses.Field[Any]]:
    """Return the options, those that its whole family has (keyword-only in a base) last."""
    return sorted(dataclasses.fields(cls), key=lambda field: field.kw_only is True)
