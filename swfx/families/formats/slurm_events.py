"""Events of the Slurm simulator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from swfx.accounting.job_columns import JobColumns, within_limit
from swfx.accounting.jobs import LogJob
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import numbered
from swfx.accounting.quantities import duration, memory, number, read_cores, whole
from swfx.accounting.record_error import TOO_FEW_FIELDS, RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter, imported
from swfx.fields import MISSING
from swfx.reading.report import Rule

__all__ = ["SlurmEvents"]

SUBMISSION = "submit_batch_job"

OTHER_EVENT = Rule("other-event", "dropped", "the event is no submission: it changes nothing here")
WHOLE_NODES = Rule(
    "whole-nodes", "noted", "the job asks for whole nodes, of unknown size: its tasks are counted"
)

SHARED_BY = frozenset({"user", "mcs"})
"""Values of `--exclusive` with which a node is shared by all jobs of a user, or of a label."""

_LONG = {
    "-A": "--account",
    "-J": "--job-name",
    "-N": "--nodes",
    "-c": "--cpus-per-task",
    "-n": "--ntasks",
    "-p": "--partition",
    "-q": "--qos",
    "-t": "--time",
}
_FLAGS = frozenset({"--exclusive"})
_EVENT = re.compile(r"\s*-dt\s+\S+\s+-e\s+\w+")
_TRAILING_NUMBER = re.compile(r"(\d{1,15})$")


class Event(NamedTuple):
    """An event: the line, its kind, its time (s), and the options of `sbatch`."""

    line: int
    kind: str
    when: float
    options: dict[str, str]

    def integer(self, option: str, otherwise: int) -> int:
        """Give a whole number; the smaller end of a range such as 2-4."""
        text = self.options.get(option, "")
        return whole(text.partition("-")[0], option) if text else otherwise


@IMPORTERS.register("slurm-events")
@dataclass(frozen=True)
class SlurmEvents(LineImporter):
    """Events file of the Slurm simulator (University at Buffalo): one submission a line.

    Such a file says how long jobs would run, not when they ran: there are no waits.

    Parameters
    ----------
    cores_per_node : int
        CPUs of a node, for jobs that ask for whole nodes; 0: unknown.

    References
    ----------
    N. A. Simakov et al., "A Slurm Simulator", PMBS 2017; its micro cluster tutorial describes the
    events.
    """

    cores_per_node: int = option(read_cores, 0)

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first line that is no comment is an event."""
        return any(_EVENT.match(line) for line in lines[:2])

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an events file."""
        listing = Listing(text.name)
        maker = _JobMaker(self.cores_per_node, listing)
        written = ((n, line) for n, line in enumerate(text, 1) if _is_event(line))
        jobs = JobColumns(job for n, line in written if (job := maker.job_or_none(n, line)))
        if not maker.submissions:
            raise InputError(
                f"holds no {SUBMISSION} events",
                source=text.name,
                remedy="give an events file of the Slurm simulator",
            )
        listing.count(text.lines, maker.events)
        return imported(numbered(jobs, listing), listing, header_lines=maker.header_lines())


def _is_event(line: str) -> bool:
    return bool(line.strip()) and line.lstrip()[0] != "#"


class _JobMaker:
    """Makes jobs of submissions, and lists other lines."""

    def __init__(self, cores_per_node: int, listing: Listing) -> None:
        self._cores_per_node = cores_per_node
        self._listing = listing
        self._names = JobNames(group="account", queue="qos")
        self.events = self.submissions = 0

    def header_lines(self) -> tuple[str, ...]:
        """Header lines that say what the numbers mean."""
        return (" Conversion: from events of the Slurm simulator", *self._names.header_lines())

    def job_or_none(self, line: int, text: str) -> LogJob | None:
        """Job that a line submits, if it does."""
        self.events += 1
        self.submissions += SUBMISSION in text
        try:
            event = _event(line, text)
            if event.kind == SUBMISSION:
                job = self._job(event)
                return job if within_limit(job, self._listing) else None
            self._listing.add(line, OTHER_EVENT)
        except RecordError as error:
            self._listing.refuse(line, error)
        return None

    def _job(self, event: Event) -> LogJob:
        said = event.options
        processors = self._processors(event)
        limit = duration(said.get("--time", ""), "--time", alone=60.0) or MISSING
        run = number(said.get("-sim-walltime", ""), "-sim-walltime")
        match = _TRAILING_NUMBER.search(said.get("--job-name", ""))
        return LogJob(
            line=event.line,
            job_id=int(match[1]) if match else MISSING,
            submit=event.when,
            run=limit if run < 0 else run,  # the simulator runs these until their limit
            processors=processors,
            requested_processors=processors,
            requested_time=limit,
            requested_memory=_memory_per_processor(event, processors),
            user=self._names.user.number(said.get("--uid", "")),
            group=self._names.group.number(said.get("--account", "")),
            queue=self._names.queue.number(said.get("--qos", "")),
            partition=self._names.partition.number(said.get("--partition", "")),
        )

    def _processors(self, event: Event) -> int:
        nodes = event.integer("--nodes", 1)
        tasks = event.integer("--ntasks", nodes * event.integer("--ntasks-per-node", 1))
        processors = tasks * event.integer("--cpus-per-task", 1)
        if event.options.get("--exclusive", "user") in SHARED_BY:
            return processors
        if not self._cores_per_node:
            self._listing.add(event.line, WHOLE_NODES)
        return max(processors, nodes * self._cores_per_node)


def _event(line: int, text: str) -> Event:
    head, bar, job = text.partition("|")
    about = _options(head)
    if "-dt" not in about or "-e" not in about or not bar:
        raise RecordError(TOO_FEW_FIELDS, text)
    return Event(line, about["-e"], number(about["-dt"], "-dt"), _options(job))


def _options(text: str) -> dict[str, str]:
    """Options by their long names, written ``-n 4`` or ``--ntasks=4``; empty without a value."""
    options: dict[str, str] = {}
    words = text.split()
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if not word.startswith("-") or word.lstrip("-")[:1].isdigit():
            continue
        key, equals, value = word.partition("=")
        if not equals and key not in _FLAGS and _is_value(following):
            value = following
        options[_LONG.get(key, key)] = value
    return options


def _is_value(word: str) -> bool:
    return not word.startswith("-") or word[1:2].isdigit()


def _memory_per_processor(event: Event, processors: int) -> float:
    per_cpu = memory(event.options.get("--mem-per-cpu", ""), "--mem-per-cpu", unit="M")
    if per_cpu is not None:
        return per_cpu.kilobytes or MISSING
    per_node = memory(event.options.get("--mem", ""), "--mem", unit="M")
    if per_node is None or processors <= 0:
        return MISSING
    return per_node.kilobytes * event.integer("--nodes", 1) / processors or MISSING
