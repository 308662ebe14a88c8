"""Commands of other distributions, and the answer to those that are not installed."""

import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer

from utilitysched.cli.layout import SECTIONS, Commands
from utilitysched.cli.notifier import notifier
from utilitysched.cli.plugins import takes_plugins

GROUP = "utilitysched.commands"
"""Entry points of commands. The name is the command's; the object is a function declared like the
commands of this package, its examples in the `EPILOG` of its module, or a `typer.Typer` with
commands of its own."""

DISTRIBUTIONS = {
    "utilitysched-centre": "invoice billing-run ledger",
    "utilitysched-slurm": "slurm",
    "utilitysched-web": "serve token",
}
"""Commands of the distributions that are made beside this one."""


def add_installed(app: Commands) -> None:
    """Add the commands of installed distributions, each distribution a section of the help."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            command = point.load()
        except Exception as error:  # noqa: BLE001 - other people's code may raise anything
            from swfx.base.plugins import broken_plugin  # brings numpy

            notifier(quiet=False)(f"left out: {broken_plugin(point, error)}")
        else:
            _add(app, point, command)


def _add(app: Commands, point: EntryPoint, command: Any) -> None:
    """Add a command, or a group of them, to the section of its distribution."""
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=point.name)
    else:
        epilog = getattr(sys.modules[command.__module__], "EPILOG", None)
        app.command(point.name, epilog=epilog)(takes_plugins(command))
    owner = point.dist.name if point.dist else "Others"
    SECTIONS[owner] = f"{SECTIONS.get(owner, '')} {point.name}".strip()


def missing_distribution(command: str) -> str | None:
    """Return what to install for a command of another distribution, None where none has it."""
    for distribution, commands in DISTRIBUTIONS.items():
        if command in commands.split():
            return f"pip install {distribution}"
    return None
