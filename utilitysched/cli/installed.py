"""Commands of other distributions, and the answer to those that are not installed."""

import sys
from importlib.metadata import entry_points

import typer

from utilitysched.cli.layout import SECTIONS, Commands
from utilitysched.cli.plugins import takes_plugins, telling_of_broken

GROUP = "utilitysched.commands"
"""Entry points of commands. The name is the command's; the object is a function declared like the
commands of this package, its examples in the `EPILOG` of its module, or a `typer.Typer` with
commands of its own."""

DISTRIBUTIONS = {
    "utilitysched-centre": "billing-run ledger",
    "utilitysched-slurm": "slurm",
    "utilitysched-web": "serve token",
}
"""Commands of the distributions that are made beside this one."""


def add_installed(app: Commands) -> None:
    """Add the commands of installed distributions, each distribution a section of the help."""
    if not entry_points(group=GROUP):
        return
    from swfx.base.plugins import loaded_entry_points  # brings numpy

    with telling_of_broken():
        for point, command in loaded_entry_points(GROUP):
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
