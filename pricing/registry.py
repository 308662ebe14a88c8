"""Price mechanisms by name.

A mechanism is a frozen dataclass with a method ``price(outcome) -> Prices``; its fields are its
options, made with `option`. Names and options are written ``NAME[:key=value,...]``. A piece without
``=`` belongs to the value before it: ``multi-queue:rates=1:1.7,2:2,other=1`` has two options.
Other packages enter theirs through the entry-point group `ENTRY_POINTS`: the entry's name is the
mechanism's, and loading it runs `register`.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pricing.outcome import Outcome
from swfx import InputError
from swfx.options import check_keys, nearest, split_options
from swfx.plugins import load_entry_points

ENTRY_POINTS = "pricing.mechanisms"

Floats = npt.NDArray[np.float64]


class Prices(NamedTuple):
    """What each job is charged, and the rate that led to it.

    Attributes
    ----------
    charge : ndarray of float64, shape (n,)
        SU.
    rate : ndarray of float64, shape (n,)
        SU per processor-hour; NaN where the charge does not come from a rate.
    """

    charge: Floats
    rate: Floats


class Mechanism(Protocol):
    """Anything with a label and a price for every job of an outcome."""

    @property
    def label(self) -> str:
        """Name and options that differ from their defaults, as typed on the command line."""

    def price(self, outcome: Outcome) -> Prices:
        """Charge of every job."""


class Configured(ABC):
    """Base of the mechanisms that have a name, and options that are dataclass fields."""

    name: ClassVar[str]

    @property
    def label(self) -> str:
        """Text that makes this mechanism again; options at their defaults are left out."""
        given = [
            f"{field.name}={field.metadata['text'](getattr(self, field.name))}"
            for field in _fields(type(self))
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name

    @abstractmethod
    def price(self, outcome: Outcome) -> Prices:
        """Charge of every job of `outcome`."""


M = TypeVar("M", bound=Configured)
_KNOWN: dict[str, type[Configured]] = {}


def register(name: str) -> Callable[[type[M]], type[M]]:
    """Class decorator that enters a frozen dataclass as the mechanism `name`."""

    def enter(cls: type[M]) -> type[M]:
        cls.name = name
        _KNOWN[name] = cls
        return cls

    return enter


def option(default: Any, parse: Callable[[str], Any], text: Callable[[Any], str] = str) -> Any:
    """Field of a mechanism that can be set by name: its default, reader and writer."""
    return dataclasses.field(default=default, metadata={"parse": parse, "text": text})


def mechanism_names() -> tuple[str, ...]:
    """Names of all known mechanisms, sorted."""
    return tuple(sorted(_known()))


def make_mechanism(text: str) -> Mechanism:
    """Mechanism from its name and options.

    Parameters
    ----------
    text : str
        For instance ``first-price`` or ``single-price:rate=0.5``.

    Raises
    ------
    InputError
        If name or option is unknown (the nearest names are suggested), or a value is unusable.

    Examples
    --------
    >>> make_mechanism("single-price:rate=0.5").label
    'single-price:rate=0.5'
    """
    name, _, tail = text.strip().partition(":")
    known = _known()
    if name not in known:
        raise InputError(f"unknown price mechanism {name!r}", remedy=nearest(name, known))
    cls = known[name]
    readers = {field.name: field.metadata["parse"] for field in _fields(cls)}
    options = _options(tail, name)
    if options and not readers:
        raise InputError(f"{name} takes no options", remedy=f"write {name} alone")
    check_keys(options, readers, name)
    return cls(**{key: readers[key](value) for key, value in options.items()})


def summary(name: str) -> str:
    """Say in one line what the mechanism `name` does: its docstring's first."""
    return (_known()[name].__doc__ or "").strip().partition("\n")[0]


def _options(tail: str, source: str) -> dict[str, str]:
    if not tail:
        return {}
    pieces: list[str] = []
    for piece in tail.split(","):
        if "=" in piece or not pieces:
            pieces.append(piece)
        else:
            pieces[-1] += f";{piece}"
    return {
        key: value.replace(";", ",")
        for key, value in split_options(",".join(pieces), source).items()
    }


def _fields(cls: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(cls)


def _known() -> dict[str, type[Configured]]:
    package = importlib.import_module("pricing.mechanisms")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")
    load_entry_points(ENTRY_POINTS)
    return _KNOWN
