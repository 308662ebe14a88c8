"""Listings of what there is by name: schedulers, models, transformations, formats, logs."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from checkpoint import ANNOTATIONS
from swfx.archive import catalogue as archive
from swfx.archive.catalogue import ARCHIVE, ArchiveCache, ArchiveLog
from swfx.base.numbers import UNKNOWN, whole
from swfx.base.options import bracketed
from swfx.base.registry import Registry
from swfx.families.annotators import ANNOTATORS
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from swfx.families.generators import MODELS
from swfx.families.utilities.registry import UTILITY_MODELS
from swfx.reading.sources import DEFAULT_JOBS
from utilitysched.analysis.documents import Column, ResultTable, plain_table
from utilitysched.report.terminal import (
    BOLD,
    WIDTH,
    console,
    filled,
    paragraphs,
    print_json,
    print_table,
    width,
)
from utilitysched.schedulers.list_options import CLASSICS, list_options
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.placements import placements
from utilitysched.schedulers.registry import families
from utilitysched.schedulers.restarts import RestartOptions

COMBINATION, SEARCH, PREEMPTION, ORDERING = "combination", "search", "preemption", "ordering"
SELECTION, RECORD, HINDSIGHT, SHARING = "selection", "record", "hindsight", "sharing"

SECTIONS = {
    COMBINATION: "Combinations",
    SEARCH: "Searching for the best order",
    SELECTION: "Choosing an ordering as time goes on",
    PREEMPTION: "Preempting running jobs",
    SHARING: "Sharing nodes",
    RECORD: "What happened",
    HINDSIGHT: "What could have been, all jobs known in advance",
    ORDERING: "Orderings, with easy placement unless placement= says otherwise (* reads utilities)",
}

OPTIONS_NOTE = "Options (an empty default is off, ... must be given)"

MODEL_TITLES = {
    "workloads": "Workloads: model:NAME,key=value,... or generate NAME key=value ...",
    "users": "Who submits the jobs: --users",
    "estimates": "Requested times: --estimates",
    "priorities": "Queues: --priorities",
    "utilities": "Utility functions: --utilities",
    "checkpoints": "Which jobs take checkpoints: --checkpoints",
}

CITE = """\
jobs: job lines; MB: unpacked; a log with these is checked against the SHA-256 of its content.
The archive asks to be named as the source, to cite Feitelson, Tsafrir and Krakov, "Experience \
with using the Parallel Workloads Archive", J. Parallel Distrib. Comput. 74(10), 2014, and to \
thank those who gave the log: its header says who."""

MEGABYTE = 1e6


class SchedulerEntry(NamedTuple):
    """A scheduler of the listing.

    Attributes
    ----------
    name : str
        As on the command line.
    kind : str
        ``combination``, ``search``, ``selection``, ``preemption``, ``record``, ``hindsight`` or
        ``ordering``.
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


def catalogue() -> list[SchedulerEntry]:
    """Return every scheduler name, from the registries."""
    combined = [
        SchedulerEntry(name, COMBINATION, classic.summary, list_options(name).defaults(), False)
        for name, classic in CLASSICS.items()
    ]
    others = [
        SchedulerEntry(
            family.name,
            family.kind,
            family.summary,
            {name: bracketed(text) for name, text in family.defaults.items()},
            family.kind == SEARCH,
        )
        for family in families().values()
    ]
    ordered = [
        SchedulerEntry(
            rule.name, ORDERING, rule.summary, list_options(rule.name).defaults(), rule.value_aware
        )
        for rule in orderings().values()
        if rule.name not in CLASSICS
    ]
    return combined + others + ordered


def print_schedulers(entries: Sequence[SchedulerEntry]) -> None:
    """Print names and summaries by kind, then what the options are."""
    for kind, title in SECTIONS.items():
        rows = [
            (f"  {entry.name}", "*" if entry.value_aware else "", entry.summary)
            for entry in entries
            if entry.kind == kind
        ]
        _print_named(title, rows)
    shared = next(entry.options for entry in entries if entry.name == "easy")
    _heading("Options, written NAME:key=value,key=value (an empty default is off)")
    _print_option("combinations and orderings", _written(shared))
    _print_option("placement", ", ".join(placements()))
    _print_option("backfill", "any ordering, for the jobs behind the first that waits")
    _print_option("threshold", "s; or 3x, times the longest request: who waited longer goes first")
    _print_option("any without preemption", _written(RestartOptions.defaults()))
    groups: dict[str, list[str]] = {}
    for entry in entries:
        own = {key: each for key, each in entry.options.items() if shared.get(key) != each}
        if own:
            groups.setdefault(_written(own), []).append(entry.name)
    for options, names in groups.items():
        _print_option(", ".join(names), options)


class Member(NamedTuple):
    """A name of a family, a line on it, its options with defaults: empty is off, ... is needed."""

    name: str
    summary: str
    options: dict[str, str]


def members(registry: Registry[Any]) -> list[Member]:
    """Return every member of a family, by name."""
    return [
        Member(name, registry.summary(name), kind.defaults())
        for name, kind in sorted(registry.members().items())
    ]


class ModelFamily(NamedTuple):
    """Models for one purpose: name, heading, members."""

    name: str
    title: str
    members: list[Member]


def model_families() -> list[ModelFamily]:
    """Return every family of models with its members, from the registries."""
    families = {"workloads": [_workload_model(name) for name in sorted(MODELS)]}
    families |= {name: members(registry) for name, registry in ANNOTATORS.items()}
    families |= {"utilities": members(UTILITY_MODELS), "checkpoints": members(ANNOTATIONS)}
    return [ModelFamily(name, title, families[name]) for name, title in MODEL_TITLES.items()]


def _workload_model(name: str) -> Member:
    kind = MODELS[name]
    options = {"jobs": str(DEFAULT_JOBS), "seed": "0", **kind.from_options({}).to_options()}
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    return Member(name, summary, options)


def print_families(families: Sequence[ModelFamily]) -> None:
    """Print names and summaries by family, then what the options are."""
    for family in families:
        _print_summaries(family.title, family.members)
    _print_options(OPTIONS_NOTE, [member for family in families for member in family.members])


def formats() -> dict[str, list[Member]]:
    """Return the formats that workloads are read from (``read``) and ``written`` in."""
    return {"read": members(IMPORTERS), "written": members(EXPORTERS)}


def print_formats() -> None:
    """Print the formats that workloads are read from and written in."""
    read, written = formats().values()
    _print_summaries(
        "Read, beside SWF and extended SWF: FORMAT:FILE or FORMAT,key=value,...:FILE", read
    )
    _print_summaries(
        "Written: --to FORMAT or FORMAT:key=value,..., else by the suffix of the file", written
    )
    _print_options(OPTIONS_NOTE, (*read, *written))


def print_members(members: Sequence[Member]) -> None:
    """Print names and summaries, then what the options are."""
    _print_named("", [(f"  {member.name}", member.summary) for member in members])
    note = "Options, written NAME:key=value,key=value (an empty default is off, ... must be given)"
    _print_options(note, members)


def print_logs(cache: ArchiveCache, *, json: bool = False) -> None:
    """Print the logs known, and which of them are in the cache."""
    if json:
        logs = [_log_document(log, cache) for log in archive.LOGS]
        print_json({"archive": ARCHIVE, "logs": logs})
        return
    to = console()
    rows = [
        (
            log.name,
            log.file,
            whole(log.content.jobs if log.content else None),
            f"{log.content.size / MEGABYTE:.1f}" if log.content else UNKNOWN,
            "yes" if cache.holds(log) else "",
        )
        for log in archive.LOGS
    ]
    print_table(plain_table(["name", "file", "jobs", "MB", "here"], rows, left=2))
    to.print()
    to.print(f"archive: {ARCHIVE}", soft_wrap=True)
    to.print(f"kept in: {cache.folder}", soft_wrap=True)
    to.print()
    paragraphs(CITE)


def _log_document(log: ArchiveLog, cache: ArchiveCache) -> dict[str, object]:
    return {
        "name": log.name,
        "file": log.file,
        "url": log.url(ARCHIVE),
        "jobs": log.content.jobs if log.content else None,
        "size": log.content.size if log.content else None,
        "sha256": log.content.sha256 if log.content else None,
        "path": str(cache.path(log)) if cache.holds(log) else None,
    }


def _print_summaries(title: str, members: Iterable[Member]) -> None:
    _print_named(title, [(f"  {member.name}", member.summary) for member in members])


def _print_named(title: str, rows: Sequence[Sequence[str]]) -> None:
    """Print names with what they stand for, the last of each row."""
    if title:
        _heading(title)
    *names, _ = rows[0]
    columns = [*(Column("", left=True) for _ in names), Column("", left=True, fold=True)]
    print_table(ResultTable(columns, rows), headed=False)
    print()


def _print_options(note: str, members: Iterable[Member]) -> None:
    """Print the options of all members, with defaults."""
    _heading(note)
    for member in members:
        if member.options:
            _print_option(member.name, _written(member.options))


def _heading(text: str) -> None:
    console().print(filled(text), style=BOLD)


def _written(options: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items())


def _print_option(name: str, text: str) -> None:
    print(filled(f"{name}: {text}", min(width(), WIDTH), "  ", "    "))
