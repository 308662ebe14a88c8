"""The typer application and its commands.

Nothing here, nor at the top of a command's file, imports numba or pandas: `--help` answers at once.
"""

from importlib import import_module

import typer

from utilitysched.cli import decision, experiment, learn, listings
from utilitysched.cli.derived import derived
from utilitysched.cli.installed import add_installed
from utilitysched.cli.layout import SECTIONS, Commands, Sections
from utilitysched.cli.options import option
from utilitysched.cli.plugins import takes_plugins

PROGRAM = "utilitysched"

LISTS = ("schedulers", "mechanisms", "models", "transformations", "formats")
"""Commands that list what there is."""


app = Commands(
    cls=Sections,
    name=PROGRAM,
    help="A market for supercomputer time: simulate schedulers, and bill what ran.",
    epilog=f"""\b
Lists of names: {", ".join(LISTS)}.
Tables too wide go on below, from left to right; --json has all.
--install-completion completes names.""",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
NAMES = [name for names in SECTIONS.values() for name in names.split()]
WITHOUT_PLUGINS = {"demo", "fetch"}
OWN = {"decision": decision, "experiment": experiment, "learn": learn}
"""Those that have commands of their own."""

DERIVED = {"utilitysched.cli.quote", "utilitysched.cli.simulate"}

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
        plugins = name not in WITHOUT_PLUGINS
        if module.__name__ in DERIVED:
            command = derived(command, plugins=plugins)
        elif plugins:
            command = takes_plugins(command)
        app.command(name, epilog=epilog)(command)
add_installed(app)


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
