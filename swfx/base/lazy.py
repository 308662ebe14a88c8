"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["imported_on_use"]


def imported_on_use(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names are imported when they are first used.

    Parameters
    ----------
    package : str
        Name of the package.
    names : mapping of str to str
        Public names, separated by spaces, by the module that holds them, or the package whose
        modules they are.

    Examples
    --------
    >>> find = imported_on_use("swfx", {"swfx.base.errors": "InputError failed"})
    >>> find("InputError").__module__
    'swfx.base.errors'
    """
    home = {name: module for module, held in names.items() for name in held.split()}

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        holder = import_module(home[name])
        value = getattr(holder, name, None) or import_module(f"{home[name]}.{name}")
        setattr(sys.modules[package], name, value)
        return value

    return find
