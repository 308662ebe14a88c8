"""The schedulers there are."""

import textwrap
from typing import NamedTuple

from rich.console import Console

from utilitysched.report.console import WIDTH, console, grid, show
from utilitysched.schedulers.list_options import CLASSICS, list_defaults
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.placements import placements
from utilitysched.schedulers.registry import families

COMBINATION, SEARCH, PREEMPTION, ORDERING = "combination", "search", "preemption", "ordering"


class Entry(NamedTuple):
    """One scheduler name.

    Attributes
    ----------
    name : str
        As on the command line.
    kind : str
        ``combination``, ``search``, ``preemption`` or ``ordering``.
    summary : str
        One line.
    options : dict of str to str
        Every option with its default; an empty default is off.
    value_aware : bool
        Reads utility functions.
    """

    name: str
    kind: str
    summary: str
    options: dict[str, str]
    value_aware: bool


def catalogue() -> list[Entry]:
    """Return every scheduler name, from the registries."""
    rules = orderings()
    combined = [
        Entry(
            name,
            COMBINATION,
            classic.summary,
            list_defaults(rules[classic.ordering]) | {"placement": classic.placement},
            False,
        )
        for name, classic in CLASSICS.items()
    ]
    others = [
        Entry(family.name, family.kind, family.summary, family.defaults, family.kind == SEARCH)
        for family in families().values()
    ]
    ordered = [
        Entry(rule.name, ORDERING, rule.summary, list_defaults(rule), rule.value_aware)
        for rule in rules.values()
        if rule.name not in CLASSICS
    ]
    return combined + others + ordered


def print_schedulers(entries: list[Entry]) -> None:
    """Print names and summaries by kind, then what the options are."""
    to = console()
    _section(to, "Combinations", [e for e in entries if e.kind == COMBINATION])
    _section(to, "Searching for the best order", [e for e in entries if e.kind == SEARCH])
    _section(to, "Bumping running jobs", [e for e in entries if e.kind == PREEMPTION])
    _section(
        to,
        "Orderings, with easy placement unless placement= says otherwise (* reads utilities)",
        [e for e in entries if e.kind == ORDERING],
    )
    _options(to, entries)


def _section(to: Console, title: str, entries: list[Entry]) -> None:
    to.print(title, style="bold")
    table = grid(["", "", ""], left=3)
    table.show_header = False
    for entry in entries:
        table.add_row(f"  {entry.name}", "*" if entry.value_aware else "", entry.summary)
    show(to, table)
    to.print()


def _options(to: Console, entries: list[Entry]) -> None:
    """Print options with defaults, those that several names share once."""
    shared = next(entry.options for entry in entries if entry.name == "easy")
    to.print("Options, written NAME:key=value,key=value (an empty default is off)", style="bold")
    _listed("combinations and orderings", _written(shared))
    _listed("placement", ", ".join(placements()))
    _listed("backfill", "any ordering, for the jobs behind the first that waits")
    _listed("threshold", "s; or 3x, times the longest request: who waited longer goes first")
    groups: dict[str, list[str]] = {}
    for entry in entries:
        own = {key: value for key, value in entry.options.items() if key not in shared}
        if own:
            groups.setdefault(_written(own), []).append(entry.name)
    for options, names in groups.items():
        _listed(", ".join(names), options)


def _written(options: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items())


def _listed(name: str, text: str) -> None:
    print(
        textwrap.fill(
            f"{name}: {text}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    )
