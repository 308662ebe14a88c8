"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

__all__ = ["imported_on_use"]

_SYNTAX_TREE = 0x400
"""Flag of `compile`, ``ast.PyCF_ONLY_AST``, without the milliseconds that `ast` takes to import."""

_MAGIC = re.compile("__.*__").fullmatch
"""Names that Python gives every module, which `dir` lists beside the public ones."""


def imported_on_use(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that imports names when they are used.

    The names are those that the package imports for type checkers, below ``if TYPE_CHECKING:``.

    Parameters
    ----------
    package : str
        Name of the package.

    Examples
    --------
    >>> find, listed = imported_on_use("swfx")
    >>> find("InputError").__module__, "InputError" in listed()
    ('swfx.base.errors', True)
    """
    home = _declared(package)

    def find(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        holder = import_module(home[name])
        value = getattr(holder, name, None) or import_module(f"{home[name]}.{name}")
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*home, *filter(_MAGIC, vars(sys.modules[package]))})

    return find, listed


def _declared(package: str) -> dict[str, str]:
    """Return the module of each name that a package imports for type checkers."""
    spec = find_spec(package)
    source: Any = spec.loader.get_source(package)  # type: ignore[union-attr]
    if source is None:
        raise ImportError(f"{package} is installed without its sources; install it with them")
    statements = compile(source, package, "exec", _SYNTAX_TREE).body
    tests = ((each, getattr(each, "test", None)) for each in statements)
    blocks = (each for each, test in tests if getattr(test, "id", None) == "TYPE_CHECKING")
    imports = (each for block in blocks for each in block.body)
    return {alias.name: each.module for each in imports for alias in each.names}
