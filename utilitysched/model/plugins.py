"""Finding the modules of a family, ours and other people's."""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType

from swfx.base.plugins import load_entry_points


@cache
def import_family(package: ModuleType, group: str) -> None:
    """Import every module of `package`, then every entry point of `group`.

    A module enters itself into its family's registry when it is imported. Other distributions name
    theirs in the entry-point group, for instance ``utilitysched.orderings``.
    """
    for module in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
        import_module(f"{package.__name__}.{module}")
    load_entry_points(group)
