"""Schedulers by text: ``NAME[:key=value,...]``.

A name is a family of its own (``ga``), one of the classic combinations (``fcfs``, ``easy``,
``conservative``), or an ordering, which then gets easy placement.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib import import_module
from typing import TypeVar

from swfx import InputError
from swfx.base.configured import Configured
from swfx.base.options import as_text, check_keys, split_options
from swfx.base.plugins import load_entry_points, unknown_name
from swfx.base.registry import check_free
from swfx.base.removed import replacement
from utilitysched.model.scheduler import Decider, Scheduler, scheduler_of
from utilitysched.schedulers.list_options import CLASSICS, list_options, list_scheduler
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.restarts import RestartOptions


def canonical(options: Mapping[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the options that differ from the defaults, in the order of the listing.

    Numbers are written in one way, where the default is a number or off.

    Parameters
    ----------
    options : mapping of str to str
        As given; keys of `defaults`.
    defaults : mapping of str to str
        Every option and its default; empty is off.

    Examples
    --------
    >>> canonical({"b": "2.0", "a": "1"}, {"a": "1", "b": "", "c": "x"})
    {'b': '2'}
    """
    written = {
        key: _number(options[key], default) for key, default in defaults.items() if key in options
    }
    return {key: text for key, text in written.items() if text != _number(defaults[key], "")}


def label_of(name: str, options: Mapping[str, str]) -> str:
    """Return ``NAME:key=value,...``, or the name alone; values with commas stand in brackets."""
    texts = (f"{key}=[{text}]" if "," in text else f"{key}={text}" for key, text in options.items())
    return f"{name}:{','.join(texts)}" if options else name


def _number(text: str, default: str) -> str:
    """Return the shortest text of a number; other texts, and all for which no number stands."""
    try:
        float(default or "0")
        return str(int(text)) if text.lstrip("+-").isdecimal() else as_text(float(text))
    except (ValueError, OverflowError):
        return text


FromOptions = Callable[[str, dict[str, str]], Decider]


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
    presets : mapping of str to (mapping of str to str)
        Other defaults by value of the option ``preset``, where there is one.
    kind : str
        For listings: ``search`` for the order worth most, ``selection`` of orderings,
        ``preemption`` by a rule that reads no utility functions, ``sharing`` of nodes,
        ``record`` of what happened, or ``hindsight``.
    """

    name: str
    from_options: FromOptions
    defaults: dict[str, str]
    summary: str
    presets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    kind: str = "search"

    def defaults_under(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the defaults of the options that are not given."""
        return self.defaults | dict(self.presets.get(options.get("preset", ""), {}))


_FAMILIES: dict[str, Family] = {}

Entered = TypeVar("Entered", bound=FromOptions | type[Decider])


def scheduler(
    name: str,
    *,
    options: type[Configured] | None = None,
    defaults: dict[str, str] | None = None,
    summary: str = "",
    presets: Mapping[str, Mapping[str, str]] | None = None,
    kind: str = "search",
) -> Callable[[Entered], Entered]:
    """Enter the decorated class or function as the family `name`; see `Family`.

    A class with `options` is made as ``Class(options, label)``, a class without as ``Class()``; the
    first line of its docstring is the summary, if none is given. A function is called as
    ``from_options(label, texts)``, and `defaults` lists its options.
    """

    def enter(made: Entered) -> Entered:
        earlier = _FAMILIES.get(name)
        check_free("scheduler", name, earlier and earlier.from_options, made)
        function = _from_texts(name, made, options) if isinstance(made, type) else made
        listed = options.defaults() if options else defaults or {}
        line = summary or (made.__doc__ or "").strip().partition("\n")[0]
        _FAMILIES[name] = Family(name, function, listed, line, presets or {}, kind)
        return made

    return enter


def _from_texts(
    name: str, made: Callable[..., Decider], options: type[Configured] | None
) -> FromOptions:
    """Return the function that makes schedulers of a class from option texts."""

    @wraps(made, updated=())
    def from_options(label: str, texts: dict[str, str]) -> Decider:
        if options is None:
            check_keys(texts, (), name)
            return made()
        return made(options.from_texts(texts), label)

    return from_options


def families() -> dict[str, Family]:
    """Return all families by name, other distributions' included.

    Those enter themselves when a module named in their entry point group
    ``utilitysched.schedulers`` is imported.
    """
    _import_families()
    return dict(sorted(_FAMILIES.items()))


@cache
def _import_families() -> None:
    import_module("utilitysched.schedulers.coscheduling")
    import_module("utilitysched.schedulers.genetic")
    import_module("utilitysched.schedulers.offline")
    import_module("utilitysched.schedulers.priority_preemption")
    import_module("utilitysched.schedulers.recorded")
    import_module("utilitysched.schedulers.selection")
    load_entry_points("utilitysched.schedulers")
    for name in sorted({*CLASSICS, *orderings()} & set(_FAMILIES)):
        raise InputError(
            f"there is a scheduler named {name!r} already",
            source=_FAMILIES[name].from_options.__module__,
            remedy="choose another name",
        )


def scheduler_names() -> list[str]:
    """Return every name that `make_scheduler` knows, without options."""
    return sorted({*families(), *CLASSICS, *orderings()})


def make_scheduler(text: str) -> Scheduler:
    """Make a scheduler from its text.

    Parameters
    ----------
    text : str
        ``NAME`` or ``NAME:key=value,...``, for instance ``saf:placement=conservative``.

    Returns
    -------
    Scheduler
        Its label is the same for every text that asks for the same: options in the order of the
        listing, without those that have their default.

    Raises
    ------
    InputError
        Unknown name, unknown option or a value out of range; the remedy names the nearest.

    Examples
    --------
    >>> make_scheduler("saf:threshold=9.0,placement=none").label
    'saf:placement=none,threshold=9'
    >>> make_scheduler("saf:placement=easy").label
    'saf'
    """
    name, _, rest = text.strip().partition(":")
    options = split_options(rest, name)
    if not _is_classic(name) and name not in scheduler_names():
        groups = ("utilitysched.schedulers", "utilitysched.orderings")
        raise unknown_name("scheduler", name, scheduler_names(), *groups)
    for option in options:
        if remedy := replacement("option of schedulers", option):
            raise InputError("was removed", source=name, field=option, remedy=remedy)
    # make it twice: the second has the canonical texts of all options
    _make(name, options)  # what is refused is refused with the texts that were given
    family = _family(name)
    if family:
        defaults = family.defaults_under(options)
    else:
        defaults = list_options(name, options.get("backfill", "")).defaults()
    return _make(name, canonical(options, defaults | RestartOptions.defaults()))


def _make(name: str, options: dict[str, str]) -> Scheduler:
    label = label_of(name, options)
    restarts, own = RestartOptions.split(options, name)
    return restarts.around(_without_restarts(name, own), label)


def _without_restarts(name: str, options: dict[str, str]) -> Scheduler:
    label = label_of(name, options)
    family = _family(name)
    if family:
        return scheduler_of(family.from_options(label, options), label)
    return list_scheduler(label, name, options)


def _family(name: str) -> Family | None:
    return None if _is_classic(name) else families().get(name)


def _is_classic(name: str) -> bool:
    """Return whether a name is a classic combination, which needs no family to be imported.

    That would take a tenth of the time of ``simulate sample:``. A family that has taken the name in
    a plug-in's file is refused all the same.
    """
    return name in CLASSICS and name not in _FAMILIES
