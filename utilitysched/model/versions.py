"""Versions of what computed a result."""

import platform
from functools import cache
from importlib import metadata

from swfx.base.plugin_file import loaded_plugins
from swfx.base.plugins import installed_plugins

PACKAGES = ("utilitysched", "numpy", "numba", "deap", "pandas")


def versions() -> dict[str, str]:
    """Return the versions of all that decides results: of packages, and of plug-ins."""
    digests = installed_plugins() | {each.path: each.digest for each in loaded_plugins()}
    return package_versions() | {f"plugin {name}": f"sha256 {d}" for name, d in digests.items()}


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that decide results.

    A package run from its source folder without being installed has no version to tell.
    """
    return {"python": platform.python_version()} | {name: _version(name) for name in PACKAGES}


@cache  # a millisecond each, and an experiment asks for every cell
def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


SEMANTICS = 6
"""Part of every cell's key. Raised by hand whenever the same cell would give other figures.

A test holds it to the golden results: where those change, it has to.
"""
