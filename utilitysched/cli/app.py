"""The typer application and its commands.

Nothing here, nor at the top of a command's file, imports numba or pandas: `--help` answers at once.
"""

from importlib import import_module

import typer

from utilitysched.cli import experiment, ledger, listings
from utilitysched.cli.options import option

PROGRAM = "utilitysched"

app = typer.Typer(
    name=PROGRAM,
    help="A market for supercomputer time: simulate schedulers on a workload, give its jobs "
    "utility functions, bill what ran.",
    epilog="Start with: utilitysched demo",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
NAMES = [
    "demo",
    "simulate",
    "augment",
    "convert",
    "fetch",
    "generate",
    "check",
    "describe",
    "estimates",
    "bill",
    "billing-run",
    "tariff-study",
    "explain-charge",
    "explain-decision",
    "snapshot",
    "quote",
    "bound",
    "ceiling",
    "audit",
    "market",
    "advise-checkpoint",
    "ledger",
    "compare",
    "experiment",
    "learn",
    "report",
    "figures",
    "curves",
]
COMMANDS = {
    **{name: import_module(f"utilitysched.cli.{name.replace('-', '_')}") for name in NAMES},
    **dict.fromkeys(("models", "schedulers", "transformations"), listings),
}
"""Module of every command, in the order of the help."""

for name, module in COMMANDS.items():
    if module in {experiment, ledger}:  # have commands of their own
        app.add_typer(module.app, name=name)
    else:
        epilog = listings.EPILOGS[name] if module is listings else module.EPILOG
        app.command(name, epilog=epilog)(getattr(module, name.replace("-", "_")))


def _print_version(wanted: bool) -> None:
    if wanted:
        from utilitysched.model.versions import versions

        typer.echo(f"{PROGRAM} {versions()[PROGRAM]}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: bool = option(  # noqa: ARG001 - its callback has printed it
        "--version", "Print the version and exit.", False, callback=_print_version, is_eager=True
    ),
    debug: bool = option(  # noqa: ARG001 - `utilitysched.cli.entry` looks for it
        "--debug", "Show the traceback of an unexpected error.", False
    ),
) -> None:
    """Handle what comes before the command's name."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
