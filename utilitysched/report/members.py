"""The members of a family of things that are made from text, and their options."""

import textwrap
from collections.abc import Iterable
from typing import Any, NamedTuple

from swfx.base.registry import Registry
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from utilitysched.report.console import WIDTH, console, grid, show

BOLD = "bold"


class Member(NamedTuple):
    """One name of a family.

    Attributes
    ----------
    name : str
        As on the command line.
    summary : str
        One line.
    options : dict of str to str
        Every option with its default: empty is off, ... must be given.
    """

    name: str
    summary: str
    options: dict[str, str]


def members(registry: Registry[Any]) -> list[Member]:
    """Return every member of a family, by name."""
    return [
        Member(name, registry.summary(name), kind.defaults())
        for name, kind in sorted(registry.members().items())
    ]


def print_formats() -> None:
    """Print the formats that workloads are read from and written in."""
    to = console()
    read, written = members(IMPORTERS), members(EXPORTERS)
    to.print(
        "Read, beside SWF and extended SWF: FORMAT:FILE or FORMAT,key=value,...:FILE", style=BOLD
    )
    print_summaries(read)
    to.print(
        "Written: --to FORMAT or FORMAT:key=value,..., else by the suffix of the file", style=BOLD
    )
    print_summaries(written)
    to.print("Options (an empty default is off, ... must be given)", style=BOLD)
    print_options((*read, *written))


def print_members(found: list[Member]) -> None:
    """Print names and summaries, then what the options are."""
    to = console()
    print_summaries(found)
    to.print(
        "Options, written NAME:key=value,key=value (an empty default is off, ... must be given)",
        style=BOLD,
    )
    print_options(found)


def print_summaries(found: list[Member]) -> None:
    """Print names and what they stand for."""
    table = grid(["", ""], left=2)
    table.show_header = False
    for member in found:
        table.add_row(f"  {member.name}", member.summary)
    show(console(), table)
    print()


def print_options(found: Iterable[Member]) -> None:
    """Print the options of those that have any, with their defaults."""
    for member in found:
        _listed(member)


def _listed(member: Member) -> None:
    if not member.options:
        return
    written = " ".join(f"{key}={value}" for key, value in member.options.items())
    print(
        textwrap.fill(
            f"{member.name}: {written}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
