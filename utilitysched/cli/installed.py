"""Commands of other distributions, and the answer to those that are not installed."""

from importlib.metadata import entry_points

from utilitysched.cli.command_table import CommandTable
from utilitysched.cli.notifier import notifier

GROUP = "utilitysched.commands"
"""Entry points of commands. The name is the command's; the object is a function with parameters
annotated by `swfx.base.typed.Typed`, its examples in the `EPILOG` of its module, or a `typer.Typer`
with commands of its own."""

DISTRIBUTIONS = {
    "utilitysched-centre": "invoice billing-run ledger",
    "utilitysched-slurm": "slurm",
    "utilitysched-web": "serve token",
}
"""Commands of the distributions that are made beside this one."""


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


def missing_distribution(command: str) -> str | None:
    """Return the installation command of the distribution with a command; None if unknown."""
    for distribution, commands in DISTRIBUTIONS.items():
        if command in commands.split():
            return f"pip install {distribution}"
    return None
