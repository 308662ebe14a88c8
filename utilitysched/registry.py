"""Schedulers by text: ``NAME[:key=value,...]``.

A name is a family of its own (``ga``), one of the classic combinations (``fcfs``, ``easy``,
``conservative``), or an ordering, which then gets easy placement.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from swfx import InputError
from swfx.options import nearest, split_options
from swfx.plugins import load_entry_points
from utilitysched.list_options import CLASSICS, list_scheduler
from utilitysched.orderings import orderings
from utilitysched.scheduler import Scheduler

FromOptions = Callable[[str, dict[str, str]], Scheduler]


@dataclass(frozen=True)
class Family:
    """A kind of scheduler that is more than ordering x placement.

    Attributes
    ----------
    name : str
        Name on the command line.
    from_options : callable
        ``from_options(label, options)`` makes the scheduler from option texts.
    defaults : mapping of str to str
        Every option and its default, for listings.
    summary : str
        One line for people.
    """

    name: str
    from_options: FromOptions
    defaults: dict[str, str]
    summary: str


_FAMILIES: dict[str, Family] = {}


def scheduler(
    name: str, *, defaults: dict[str, str], summary: str
) -> Callable[[FromOptions], FromOptions]:
    """Enter the decorated ``from_options(label, options)`` as the family `name`."""

    def enter(function: FromOptions) -> FromOptions:
        _FAMILIES[name] = Family(name, function, defaults, summary)
        return function

    return enter


def families() -> dict[str, Family]:
    """Return all families by name, other distributions' included.

    Those enter themselves when a module named in their entry point group
    ``utilitysched.schedulers`` is imported.
    """
    _import_families()
    return dict(sorted(_FAMILIES.items()))


@cache
def _import_families() -> None:
    import_module("utilitysched.genetic")
    load_entry_points("utilitysched.schedulers")


def scheduler_names() -> list[str]:
    """Return every name that `make_scheduler` knows, without options."""
    return sorted({*families(), *CLASSICS, *orderings()})


def make_scheduler(text: str) -> Scheduler:
    """Make a scheduler from its text.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME:key=value,...``, for instance ``saf:placement=conservative``.

    Raises
    ------
    InputError
        Unknown name, unknown option or a value out of range; the remedy names the nearest.
    """
    name, _, rest = text.strip().partition(":")
    options = split_options(rest, name)
    label = ":".join(_parts(name, options))
    if name not in scheduler_names():
        raise InputError(f"unknown scheduler {name!r}", remedy=nearest(name, scheduler_names()))
    family = families().get(name)
    if family:
        return family.from_options(label, options)
    return list_scheduler(label, name, options)


def _parts(name: str, options: dict[str, str]) -> Iterator[str]:
    yield name
    if options:
        yield ",".join(f"{key}={value}" for key, value in options.items())
