"""Versions of what computed a result."""

import platform
from functools import cache
from importlib import metadata

PACKAGES = ("utilitysched", "numpy", "numba", "deap", "pandas", "networkx")


def versions() -> dict[str, str]:
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
