"""Members of families: the modules of a package, and entry points of other distributions."""

from __future__ import annotations

import hashlib
import pkgutil
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, distributions, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from swfx.base.errors import InputError
from swfx.base.options import nearest
from swfx.base.removed import replacement

__all__ = [
    "COMMANDS",
    "EXPLANATIONS",
    "OURS",
    "BrokenPlugin",
    "broken_plugin",
    "file_digest",
    "import_family",
    "installed_plugins",
    "load_entry_points",
    "loaded_entry_points",
    "plugin_packages",
    "unknown_name",
]

OURS = ("swfx", "checkpoint", "pricing", "utilitysched")
"""Packages whose groups of entry points are looked at."""

COMMANDS = "utilitysched.commands"
"""Group of entry points by which distributions add commands."""

EXPLANATIONS = "utilitysched.explanations"
"""Group of entry points by which distributions add to explanations of charges."""

CHANGE_NO_RESULT = (COMMANDS, EXPLANATIONS)
"""Groups whose code no result depends on."""


_LISTS = {
    "scheduler": "utilitysched list schedulers",
    "price mechanism": "utilitysched list mechanisms",
    "transformation": "utilitysched list transformations",
    "log format": "utilitysched list formats",
    "output format": "utilitysched list formats",
    "misreport": "utilitysched audit --help",
}
"""Commands that list the names of a kind with more than an error lists."""


class BrokenPlugin(UserWarning):
    """An entry point of another distribution cannot be loaded, and is left out."""


_BROKEN: dict[tuple[str, str], InputError] = {}
"""Why entry points cannot be loaded, by group and name."""


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
    """
    for module in sorted(m.name for m in pkgutil.iter_modules(import_module(package).__path__)):
        import_module(f"{package}.{module}")
    load_entry_points(group)


def load_entry_points(group: str) -> None:
    """Load every entry point of a group, by name: each enters itself where it belongs.

    One that cannot be loaded, for whatever reason, is left out with a warning.

    Parameters
    ----------
    group : str
        For instance ``utilitysched.orderings``.

    Warns
    -----
    BrokenPlugin
        Names the entry point and its distribution.
    """
    for _ in loaded_entry_points(group):
        pass


def loaded_entry_points(group: str) -> Iterator[tuple[EntryPoint, Any]]:
    """Yield the entry points of a group by name, each with the object that it names.

    Warns
    -----
    BrokenPlugin
        As `load_entry_points` does.
    """
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            loaded = point.load()
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            _BROKEN[group, point.name] = broken_plugin(point, error)
            warnings.warn(str(_BROKEN[group, point.name]), BrokenPlugin, stacklevel=3)
        else:
            yield point, loaded


def broken_plugin(point: EntryPoint, error: Exception) -> InputError:
    """Return the error of an entry point that cannot be loaded, and what to do about it."""
    owner = point.dist.name if point.dist else "the distribution it came with"
    return InputError(
        f"plug-in {point.name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}",
        source=point.group,
        remedy=f"update or uninstall {owner}",
    )


@cache
def installed_plugins() -> dict[str, str]:
    """Return the code of the distributions that have entry points in groups of ours.

    Commands and explanations do not count: what they add changes no result.

    Returns
    -------
    dict of str to str
        sha256 (hex) of all files of the packages and modules that the entry points name, by the
        name of the distribution: another one after an edit, be its version the same.
    """
    return {
        owner: file_digest(place for module in sorted(modules) for place in module_places(module))
        for owner, modules in sorted(plugin_packages().items())
    }


def plugin_packages() -> dict[str, set[str]]:
    """Return the packages and modules whose code `installed_plugins` digests, by distribution."""
    groups = tuple(f"{package}." for package in OURS)
    packages: dict[str, set[str]] = {}
    for owner in distributions():
        for point in owner.entry_points:
            if point.group.startswith(groups) and point.group not in CHANGE_NO_RESULT:
                packages.setdefault(owner.name, set()).add(point.module.partition(".")[0])
    return packages


def module_places(module: str) -> Iterator[Path]:
    """Yield the folders of a package, or the file of a module; nothing where there is none."""
    spec = find_spec(module)
    if spec and spec.submodule_search_locations:
        yield from map(Path, spec.submodule_search_locations)
    elif spec and spec.has_location and spec.origin:
        yield Path(spec.origin)


def file_digest(places: Iterable[Path], unrelated: Iterable[str] = ("__pycache__",)) -> str:
    """Return the sha256 (hex) of files, and of all below folders, names included.

    Parameters
    ----------
    places : iterable of Path
        Files and folders.
    unrelated : iterable of str
        Names of folders below them that do not count.
    """
    digest = hashlib.sha256()
    left_out = set(unrelated)
    for place in places:
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            name = path.relative_to(place.parent)
            if path.is_file() and left_out.isdisjoint(name.parts):
                digest.update(f"{name.as_posix()}\n".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def unknown_name(kind: str, name: str, known: Iterable[str], *groups: str) -> InputError:
    """Return the error for a name that no member of a family has.

    Parameters
    ----------
    kind : str
        What a member is, for the message.
    name : str
        The name.
    known : iterable of str
        Those that there are.
    *groups : str
        Entry points by which members come: one of that name that is broken is the reason.
    """
    broken = [_BROKEN[group, name] for group in groups if (group, name) in _BROKEN]
    if broken:
        return broken[0]
    if remedy := replacement(kind, name):
        return InputError(f"{kind} {name!r} was removed", remedy=remedy)
    return InputError(f"unknown {kind} {name!r}", remedy=nearest(name, known, _LISTS.get(kind, "")))
