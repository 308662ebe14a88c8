"""Things made from text, ``NAME[:key=value,...]``, whose options are dataclass fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from swfx.base.errors import InputError
from swfx.base.options import bracketed, check_keys, split_lists

__all__ = ["Configured", "option"]

REQUIRED = dataclasses.MISSING
MUST_BE_GIVEN = "..."


def option(parse: Callable[[str], Any], default: Any = REQUIRED, text: Any = str) -> Any:
    """Field of a `Configured` thing that can be set by name.

    Parameters
    ----------
    parse : callable
        Makes the value from its text, or raises `InputError`.
    default : object
        Value when it is not given; without a default it must be given.
    text : callable
        Makes text from the value, such that `parse` gives the value again.
    """
    return dataclasses.field(default=default, metadata={"parse": parse, "text": text})


class Configured:
    """Base of frozen dataclasses that have a name, and options made with `option`.

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
        {'rate': '1', 'lost': 'bumped'}
        """
        return {field.name: _default(field) for field in _fields(cls)}

    @classmethod
    def from_text(cls, options: str) -> Self:
        """Make one from ``key=value,...``; a piece without ``=`` belongs to the value before it.

        Raises
        ------
        InputError
            An unknown key, an unusable value, or one that is missing.
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
        return dataclasses.replace(self, **self._read(options))  # type: ignore[type-var]

    @classmethod
    def _read(cls, options: str) -> dict[str, Any]:
        given = split_lists(options, cls.name)
        readers = {field.name: field.metadata["parse"] for field in _fields(cls)}
        if given and not readers:
            raise InputError(f"{cls.name} takes no options", remedy=f"write {cls.name} alone")
        check_keys(given, readers, cls.name)
        return {key: readers[key](value) for key, value in given.items()}

    @classmethod
    def _require(cls, given: Mapping[str, Any]) -> None:
        for field in _fields(cls):
            if field.default is REQUIRED and field.name not in given:
                raise InputError(
                    "must be given",
                    source=cls.name,
                    field=field.name,
                    remedy=f"write {cls.name}:{field.name}=...",
                )


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is REQUIRED:
        return MUST_BE_GIVEN
    return "" if field.default is None else str(field.metadata["text"](field.default))


def _fields(cls: Any) -> list[dataclasses.Field[Any]]:
    """Return the options, those that its whole family has (keyword-only in a base) last."""
    return sorted(dataclasses.fields(cls), key=lambda field: field.kw_only is True)
