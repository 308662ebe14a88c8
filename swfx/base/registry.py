"""Families of things that are made from text by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from swfx.base.configured import Configured
from swfx.base.errors import InputError
from swfx.base.plugin_file import is_outdated, plugin_path
from swfx.base.plugins import import_family, unknown_name

__all__ = ["Registry", "check_free"]

Member = TypeVar("Member", bound=Configured)
New = TypeVar("New", bound=Configured)


def check_free(kind: str, name: str, earlier: Any, new: Any) -> None:
    """Refuse a name that stands for something else already; a module may be loaded again.

    Parameters
    ----------
    kind : str
        What the name is of, for the message.
    name : str
        The name.
    earlier, new : class or function, or None
        What it stands for, and what is entered now.

    Raises
    ------
    InputError
        They are not the same.
    """
    if earlier is None:
        return
    if is_outdated(earlier.__module__):
        return
    before, now = ((entry.__module__, entry.__qualname__) for entry in (earlier, new))
    if before != now:
        owner, taker = before[0], now[0]
        if plugin_path(owner) and not plugin_path(taker):  # ours are entered when looked up
            owner, taker = taker, owner
        raise InputError(
            f"the {kind} {name!r} is in {plugin_path(owner) or owner} already",
            source=plugin_path(taker) or taker,
            remedy="choose another name",
        )


class Registry(Generic[Member]):
    """A family: one member per module of a package, others by entry points.

    Parameters
    ----------
    kind : str
        What a member is, for messages: ``price mechanism``.
    group : str
        Entry-point group by which other distributions add theirs.
    package : str, optional
        Package whose modules each register a member when imported; by default the one called like
        the group.

    Examples
    --------
    >>> from pricing.registry import MECHANISMS
    >>> MECHANISMS.make("single-price:rate=0.5").label
    'single-price:rate=0.5'
    """

    def __init__(self, kind: str, group: str, package: str = "") -> None:
        self.kind = kind
        self.group = group
        self.package = package or group
        self._known: dict[str, type[Member]] = {}

    def register(self, name: str) -> Callable[[type[New]], type[New]]:
        """Class decorator that enters a frozen dataclass under a name."""

        def enter(cls: type[New]) -> type[New]:
            check_free(self.kind, name, self._known.get(name), cls)
            cls.name = name
            self._known[name] = cls  # type: ignore[assignment]
            return cls

        return enter

    def names(self) -> tuple[str, ...]:
        """All known names, sorted."""
        return tuple(sorted(self.members()))

    def members(self) -> dict[str, type[Member]]:
        """All members by name, those of other distributions included."""
        import_family(self.package, self.group)
        return self._known

    def make(self, text: str) -> Member:
        """Make a member from ``NAME[:key=value,...]``.

        Raises
        ------
        InputError
            Unknown name or option (the nearest names are suggested), or an unusable value.
        """
        name, _, options = text.strip().partition(":")
        known = self.members()
        if name not in known:
            raise unknown_name(self.kind, name, known, self.group)
        return known[name].from_text(options)

    def summary(self, name: str) -> str:
        """Return the first line of a member's docstring."""
        return (self.members()[name].__doc__ or "").strip().partition("\n")[0]
