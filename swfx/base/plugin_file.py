"""Plug-ins that are one file of Python each, and need not be installed."""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from textwrap import shorten
from types import ModuleType
from typing import NamedTuple

from swfx.base.errors import InputError, failed
from swfx.base.plugins import installed_plugins, plugin_packages

__all__ = [
    "PluginFile",
    "blamed",
    "is_digested",
    "is_outdated",
    "load_plugins",
    "loaded_plugins",
    "plugin_digests",
    "plugin_path",
    "read_plugins",
]

LONGEST = 200
"""Characters of a message of Python's that are told."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class PluginFile(NamedTuple):
    """A Python file of plug-ins, which enter the registries when it is run.

    Attributes
    ----------
    path : str
        As the user names it.
    source : bytes
        What it holds; sent to other processes, which need not see the file.
    """

    path: str
    source: bytes

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the content."""
        return hashlib.sha256(self.source).hexdigest()

    @property
    def module(self) -> str:
        """Name of the module of the file, which changes with its content."""
        stem = re.sub(r"\W", "_", Path(self.path).stem)
        return f"plugin_{stem}_{self.digest[:16]}"

    @property
    def name(self) -> str:
        """Name of the file for Python: no path, where numba would keep stale code."""
        return f"<{self.path}>"

    def line_of(self, error: BaseException) -> int | None:
        """Return the line at which an error came up, None if it did not come from here."""
        if isinstance(error, SyntaxError) and error.filename == self.name:
            return error.lineno
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == self.name]
        # what numba cannot compile has no frame, but a text
        places = re.findall(rf'File "[^"]*{re.escape(self.name)}", line (\d+)', str(error))
        return lines[-1] if lines else int(places[-1]) if places else None

    def told(self, error: BaseException) -> InputError:
        """Return what to tell the user of an error that came from here."""
        text = error.msg if isinstance(error, SyntaxError) else _COLOUR.sub("", str(error))
        # the first line of numba's says that it failed, the second why
        reason = [part for part in text.splitlines() if part and not part.startswith("Failed in")]
        message = shorten(
            ": ".join([type(error).__name__, *reason[:1]]), LONGEST, placeholder="..."
        )
        return InputError(message, source=self.path, line=self.line_of(error))

    def run(self) -> None:
        """Run the file.

        Raises
        ------
        InputError
            Whatever it raises, with its line.
        """
        module = sys.modules[self.module] = _PluginModule(self.module)
        module.__file__ = self.path
        lines = self.source.decode(errors="replace").splitlines(keepends=True)
        linecache.cache[self.name] = (len(self.source), None, lines, self.name)
        try:
            exec(compile(self.source, self.name, "exec"), module.__dict__)
        except Exception as error:  # whatever a user's file may raise
            reason = self.told(error)
            if isinstance(error, InputError):
                reason = InputError(
                    error.message, source=self.path, line=reason.line, remedy=error.remedy
                )
            raise reason from error


class _PluginModule(ModuleType):
    """What a plug-in becomes."""


_LOADED: dict[str, PluginFile] = {}
"""Those in force, by module."""


def loaded_plugins() -> tuple[PluginFile, ...]:
    """Return those in force, in the order in which they were loaded."""
    return tuple(_LOADED.values())


def plugin_digests() -> tuple[str, ...]:
    """Return the sha256 (hex) of each in force, and of the code of each that is installed."""
    loaded = [plugin.digest for plugin in loaded_plugins()]
    return tuple(sorted([*loaded, *installed_plugins().values()]))


def is_digested(module: str) -> bool:
    """Whether `plugin_digests` are others after an edit of a module."""
    package = module.partition(".")[0]
    return module in _LOADED or any(package in each for each in plugin_packages().values())


def read_plugins(paths: Iterable[str | Path]) -> None:
    """Load files beside those in force, each once.

    Raises
    ------
    InputError
        One cannot be read, or raises something.
    """
    for path in paths:
        try:
            plugin = PluginFile(str(path), Path(path).read_bytes())
        except OSError as error:
            raise failed("cannot be read", error, path, "give the path of a plug-in") from error
        load_plugins([*loaded_plugins(), plugin])


def load_plugins(wanted: Iterable[PluginFile]) -> None:
    """Put a list of plug-in files in force, and all others out of force.

    Raises
    ------
    InputError
        One raises something.
    """
    before = dict(_LOADED)
    _LOADED.clear()
    for plugin in wanted:
        new = plugin.module not in before and plugin.module not in _LOADED
        _LOADED[plugin.module] = plugin
        try:
            if new:
                plugin.run()
        except InputError:
            del _LOADED[plugin.module]
            raise


def plugin_path(module: str) -> str | None:
    """Return the path of the file of plug-ins that a module is; None for any other module."""
    return _LOADED[module].path if module in _LOADED else None


def is_outdated(module: str) -> bool:
    """Whether a module was a plug-in that is no longer in force."""
    return isinstance(sys.modules.get(module), _PluginModule) and module not in _LOADED


def blamed(error: BaseException) -> InputError | None:
    """Return what to tell the user whose plug-in has raised an error; None if none has."""
    plugins = (each for each in _LOADED.values() if each.line_of(error) is not None)
    plugin = next(plugins, None)
    return plugin and plugin.told(error)
