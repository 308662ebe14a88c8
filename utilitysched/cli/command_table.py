"""Commands by name; each is put together when somebody types it."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import typer
from typer.main import get_command_from_info, get_group
from typer.models import CommandInfo

from utilitysched.cli.derived import DerivedCommand
from utilitysched.cli.layout import SECTIONS, Command
from utilitysched.cli.notifier import notifier

GROUP = "utilitysched.commands"
"""Entry points of commands. The name is the command's; the object is a function with parameters
annotated by `swfx.base.typed.Typed`, its examples in the `EPILOG` of its module, or a `typer.Typer`
with commands of its own."""

WITHOUT_PLUGINS = ("demo", "fetch")
"""Commands that take no plug-ins of the user."""

WITH_TABLES = [
    "advise-checkpoint",
    "audit",
    "ceiling",
    "compare",
    "demo",
    "describe",
    "explain-charge",
    "quote",
    "simulate",
]
"""Commands that print tables of metrics, and take the decimals of their numbers."""

Entry = Callable[..., None] | typer.Typer
"""A command as a function, or commands of a command."""


class CommandTable(Mapping[str, Any]):
    """Commands by name, in the order of the help: those of this package, then installed ones."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._made: dict[str, Any] = {}

    def add(self, name: str, entry: Entry, owner: str) -> None:
        """Add a command of another distribution, which is a section of the help."""
        self._entries[name] = entry
        SECTIONS[owner] = f"{SECTIONS.get(owner, '')} {name}".strip()

    def summary(self, name: str) -> str:
        """First paragraph of the help of a command."""
        entry = self._entry(name)
        text = entry.info.help if isinstance(entry, typer.Typer) else inspect.getdoc(entry)
        return " ".join(str(text).partition("\n\n")[0].split())

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._put_together(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return (name for names in SECTIONS.values() for name in names.split())

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _put_together(self, name: str) -> Any:
        entry = self._entry(name)
        if isinstance(entry, typer.Typer):
            return get_group(entry)
        epilog = getattr(sys.modules[entry.__module__], "EPILOG", None)
        plugins, tables = name not in WITHOUT_PLUGINS, name in WITH_TABLES
        callback = DerivedCommand(entry, plugins=plugins, tables=tables)
        info = CommandInfo(name, cls=Command, callback=callback, epilog=epilog)
        return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)

    def _entry(self, name: str) -> Entry:
        if name in self._entries:
            return self._entries[name]
        if name not in set(self):
            raise KeyError(name)
        stem = name.replace("-", "_")
        module = import_module(f"utilitysched.cli.{stem}")
        entry: Entry = getattr(module, "app", None) or getattr(module, stem)
        return entry


def add_installed(commands: CommandTable) -> None:
    """Add the commands of installed distributions, each distribution a section of the help."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            command = point.load()
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            from swfx.base.plugins import broken_plugin  # brings numpy

            notifier(quiet=False)(f"left out: {broken_plugin(point, error)}")
        else:
            commands.add(point.name, command, point.dist.name if point.dist else "Others")
