"""The typer application and its commands.

Nothing here, nor at the top of a command's file, imports numba or pandas: `--help` answers at once.
"""

from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from utilitysched.cli.command_table import CommandTable, add_installed
from utilitysched.cli.layout import Commands, Sections

PROGRAM = "utilitysched"

app = Commands(
    cls=Sections,
    name=PROGRAM,
    help="A market for supercomputer time: simulate schedulers, and bill what ran.",
    epilog="""\b
Tables too wide go on below, from left to right; --json has all.
--install-completion completes names.""",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from utilitysched.model.versions import versions

        typer.echo(f"{PROGRAM} {versions()[PROGRAM]}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback has printed it
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
    debug: Annotated[  # noqa: ARG001 - `utilitysched.cli.entry` looks for it
        bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
    ] = False,
) -> None:
    """Handle what comes before the command's name."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@cache
def program() -> Any:
    """Return the program with all its commands."""
    made = get_command(app)
    made.commands = COMMANDS  # type: ignore[attr-defined]
    return made


COMMANDS = CommandTable()
"""Commands by name, in the order of the help."""

add_installed(COMMANDS)
