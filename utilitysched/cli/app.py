"""The typer application and its commands.

Nothing here, nor at the top of a command's file, imports numba or pandas: `--help` answers at once.
"""

from importlib import import_module
from itertools import groupby
from operator import itemgetter
from typing import Any

import typer
from typer.core import TyperGroup

from utilitysched.cli import experiment, learn, ledger, listings
from utilitysched.cli.options import option
from utilitysched.cli.plugins import takes_plugins

PROGRAM = "utilitysched"

SECTIONS = {
    "Start": "demo simulate report figures",
    "Workloads": "check describe estimates fetch generate augment convert curves",
    "Schedulers": "explain-decision snapshot bound ceiling advise-checkpoint learn",
    "Market": "quote audit market",
    "Money": "bill billing-run explain-charge ledger",
    "Studies": "compare experiment tariff-study",
}
"""Commands by what they are for, in the order of the help."""

LISTS = ("schedulers", "mechanisms", "models", "transformations", "formats")
"""Commands that list what there is."""


class Sections(TyperGroup):
    """The program, whose help shows its commands by section, in one screen."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return what follows the program's name."""
        return ["[--version] [--debug] COMMAND [--help] ..."]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands; the options are in the line of usage."""
        titles = [(title, name) for title, names in SECTIONS.items() for name in names.split()]
        widest = max(len(name) for _, name in titles)
        formatter.write_paragraph()
        for title, named in groupby(titles, itemgetter(0)):
            formatter.write_text(f"{title}:")
            rows = [
                (name.ljust(widest), self.commands[name].get_short_help_str(formatter.width))
                for _, name in named
            ]
            with formatter.indentation():
                formatter.write_dl(rows)


app = typer.Typer(
    cls=Sections,
    name=PROGRAM,
    help="A market for supercomputer time: simulate schedulers, and bill what ran.",
    epilog=f"""\b
Lists of names: {", ".join(LISTS)}.
Completion of names in this shell: {PROGRAM} --install-completion
Traceback of an unexpected error: {PROGRAM} --debug ...""",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
NAMES = [name for names in SECTIONS.values() for name in names.split()]
WITHOUT_PLUGINS = {"demo", "fetch"}
OWN = {"experiment": experiment, "learn": learn, "ledger": ledger}
"""Those that have commands of their own."""

COMMANDS = {
    **{name: import_module(f"utilitysched.cli.{name.replace('-', '_')}") for name in NAMES},
    **dict.fromkeys(LISTS, listings),
}
"""Module of every command, in the order of the help."""

for name, module in COMMANDS.items():
    if name in OWN:
        app.add_typer(OWN[name].app, name=name)
    else:
        epilog = listings.EPILOGS[name] if module is listings else module.EPILOG
        command = getattr(module, name.replace("-", "_"))
        app.command(name, epilog=epilog)(
            command if name in WITHOUT_PLUGINS else takes_plugins(command)
        )


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
