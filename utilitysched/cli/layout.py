"""Layout of `--help`: commands in sections, options in groups."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from utilitysched.cli.derived import DerivedCommand

Function = TypeVar("Function", bound=Callable[..., Any])

SECTIONS = {
    "Start": "demo simulate report list",
    "Workloads": "check describe fetch generate augment convert",
    "Schedulers": "decision ceiling advise-checkpoint learn",
    "Market": "quote audit",
    "Money": "bill explain-charge",
    "Studies": "compare experiment",
}
"""Commands by what they are for, in the order of the help."""

_IN_WORDS = re.compile(r"\s+\[default: \((.*)\)\]$", re.DOTALL)
"""Defaults that typer puts into parentheses."""

_TOGETHER = re.compile("'[^']*'|(?<= )--?[a-z-]+ (?![-|])")
"""A quotation; an option before its value."""


class _Conversion:
    """Conversion of texts by the parser of a parameter, for which typer would load pydantic."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 - typer's signature
        """Return the value of a text, or of each text of a parameter that takes several."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        read = param.type_descriptor.parameter_info.parser or str
        return [read(text) for text in value] if many else read(value)


def _convert_without_pydantic(parameters: list[Any]) -> None:
    for each in parameters:
        each._runtime_param = _Conversion()


class _Epilog:
    """Notes and examples that fit the lines of the terminal; commands go on behind a backslash."""

    epilog: str | None

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Write notes and examples."""
        formatter.write_paragraph()
        with formatter.indentation():
            margin = " " * formatter.current_indent
            for line in inspect.cleandoc(self.epilog or "").replace("\b\n", "").splitlines():
                for part in _broken(line, formatter.width - len(margin)):
                    formatter.write(f"{margin}{part}".rstrip() + "\n")


def _broken(line: str, room: int) -> list[str]:
    """Return a line in parts; those of a command, which begins with blanks, end in a backslash."""
    if len(line) <= room:
        return [line]
    is_command = line.startswith("  ")
    whole = _TOGETHER.sub(lambda words: words[0].replace(" ", "\0"), line) if is_command else line
    *parts, last = textwrap.wrap(
        whole,
        room - 2 * is_command,
        subsequent_indent="      " if is_command else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
    end = " \\" if is_command else ""
    return [part.replace("\0", " ") for part in (*(part + end for part in parts), last)]


class Command(_Epilog, TyperCommand):
    """A command with a help page that lists options by group."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse options; refuse removed ones with the remedy."""
        _convert_without_pydantic(self.get_params(ctx))
        known = {name for each in self.params for name in (*each.opts, *each.secondary_opts)}
        for text in args:
            name = text.partition("=")[0]
            if name.startswith("-") and name not in known:
                from swfx.base.removed import replacement  # brings numpy

                if remedy := replacement(f"option of {self.name}", name):
                    ctx.fail(f"{name} was removed; {remedy}")
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the command's name."""
        arguments = [each for each in self.get_params(ctx) if each.param_type_name == "argument"]
        return ["[OPTIONS]", *map(_usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                argument = each.param_type_name == "argument"
                own = getattr(each, "rich_help_panel", None) or "Options"
                rows = groups.setdefault("Arguments" if argument else own, [])
                name, text = str(each.metavar) if argument else record[0], record[1]
                text = text.removesuffix("[required]").rstrip() if argument else text
                rows.append((name, _IN_WORDS.sub(r"  [default: \1]", text)))
        formatter.write_paragraph()
        for title, rows in groups.items():
            if rows:
                formatter.write_text(f"{title}:")
                with formatter.indentation():
                    formatter.write_dl(rows)


def _usage(argument: Any) -> str:
    text = f"{argument.metavar.rstrip('.')}{'...' * (argument.nargs == -1)}"
    return text if argument.required else f"[{text}]"


class Commands(typer.Typer):
    """Commands of a command, with this layout."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"rich_markup_mode": None} | options)

    def command(
        self,
        name: str | None = None,
        *,
        plugins: bool = True,
        tables: bool = False,
        **options: Any,
    ) -> Callable[[Function], Function]:
        """Register a function as a command with options derived from its parameters."""
        register = super().command(name, cls=Command, **options)

        def enter(function: Function) -> Function:
            register(DerivedCommand(function, plugins=plugins, tables=tables))
            return function

        return enter


class CommandFamily(_Epilog, TyperGroup):
    """A command with subcommands; typed alone it shows its help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse options; without a subcommand show the help."""
        if not args:
            typer.echo(self.get_help(ctx))
            raise typer.Exit
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
        """Write the commands, each with the whole first paragraph of its help."""
        formatter.write_paragraph()
        formatter.write_text("Commands:")
        with formatter.indentation():
            formatter.write_dl(
                [
                    (name, " ".join(str(each.help).partition("\n\n")[0].split()))
                    for name, each in self.commands.items()
                ]
            )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that was typed; a removed one says what to type in its place."""
        if args[0] not in self.commands:
            from swfx.base.removed import replacement  # brings numpy

            if remedy := replacement(f"command of {ctx.info_name}", args[0]):
                ctx.fail(f"the command {ctx.info_name} {args[0]} was removed; {remedy}")
        return super().resolve_command(ctx, args)


class Sections(TyperGroup):
    """The program; its help lists the commands by section on one screen."""

    commands: Any  # a `utilitysched.cli.command_table.CommandTable`

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse options before the command."""
        _convert_without_pydantic(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return what follows the program's name."""
        return ["[--version] [--debug] COMMAND [--help] ..."]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a name; refuse removed names and those of other distributions."""
        name = args[0]
        if name not in self.commands:
            from swfx.base.removed import replacement  # brings numpy
            from utilitysched.cli.installed import missing_distribution

            if remedy := replacement("command", name):
                ctx.fail(f"the command {name} was removed; {remedy}")
            if remedy := missing_distribution(name):
                ctx.fail(f"the command {name} is not installed; {remedy}")
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the commands; the options are in the line of usage."""
        titles = [(title, name) for title, names in SECTIONS.items() for name in names.split()]
        widest = max(len(name) for _, name in titles)
        formatter.write_paragraph()
        for title, named in groupby(titles, itemgetter(0)):
            formatter.write_text(f"{title}:")
            rows = [(name.ljust(widest), self.commands.summary(name)) for _, name in named]
            with formatter.indentation():
                formatter.write_dl(rows)
