"""Members of families: the modules of a package, and entry points of other distributions."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from swfx.base.errors import InputError


@cache
def import_family(package: str, group: str) -> None:
    """Import every module of a package, then every entry point of a group.

    A module enters itself into the registry of its family when it is imported.

    Parameters
    ----------
    package : str
        For instance ``utilitysched.schedulers.orderings``.
    group : str
        As `load_entry_points` takes it.

    Raises
    ------
    InputError
        An entry point cannot be loaded.
    """
    for module in sorted(m.name for m in pkgutil.iter_modules(import_module(package).__path__)):
        import_module(f"{package}.{module}")
    load_entry_points(group)


def load_entry_points(group: str) -> None:
    """Load every entry point of a group, by name: each enters itself where it belongs.

    Parameters
    ----------
    group : str
        For instance ``utilitysched.orderings``.

    Raises
    ------
    InputError
        One cannot be loaded, for whatever reason; names it and its distribution.
    """
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            point.load()
        except Exception as error:  # other people's code may raise anything
            raise _broken(point, error) from error


def _broken(point: EntryPoint, error: Exception) -> InputError:
    owner = point.dist.name if point.dist else "the distribution it came with"
    return InputError(
        f"plug-in {point.name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}",
        source=point.group,
        remedy=f"update or uninstall {owner}",
    )
