"""Description of a workload, made part by part."""

import math
import re
from collections.abc import Callable, Iterable, Iterator

from swfx import Header, InputError, LoadReport, Workload
from swfx.clock import Clock
from swfx.offered_load import load_over, processor_seconds
from utilitysched.analysis.description.disclosed import DisclosedRunTimes
from utilitysched.analysis.description.extras import (
    Checkpoints,
    Followers,
    RerunnableJobs,
    SoftEstimates,
)
from utilitysched.analysis.description.jobs import Jobs
from utilitysched.analysis.description.load import Load
from utilitysched.analysis.description.owners import Owners
from utilitysched.analysis.description.tally import SECONDS_PER_HOUR, Section
from utilitysched.analysis.description.value import ValuePart
from utilitysched.analysis.documents import Description, Fact, Facts, Panel, column, panel

DAY = 86_400.0


class Overview:
    """Section on the whole log: jobs, days, processor-hours, load."""

    def __init__(self, header: Header, machine_size: int | None) -> None:
        self._header = header
        self._machine_size = machine_size
        self._jobs = 0
        self._area = 0.0
        self._first, self._last, self._end = math.inf, -math.inf, -math.inf

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        self._jobs += len(part)
        self._area += float(processor_seconds(part).sum())
        self._first = min(self._first, float(part.submit.min()))
        self._last = max(self._last, float(part.submit.max()))
        ran = part.wait >= 0
        if ran.any():
            ends = part.submit[ran] + part.wait[ran] + part.effective_run[ran]
            self._end = max(self._end, float(ends.max()))

    def panels(self) -> Iterator[Panel]:
        """Yield the numbers."""
        yield Facts("overview", "Overview", list(self._facts()))

    def _facts(self) -> Iterator[Fact]:
        for key in ("Computer", "Installation"):
            text = self._header.get(key)
            yield Fact(key.lower(), key.lower(), text, text or "")
        size = self._machine_size
        processors = "of unknown size" if size is None else f"{size:,} processors"
        yield Fact("machine_size", "machine", size, processors)
        yield Fact("jobs", "jobs", self._jobs, f"{self._jobs:,}")
        days = (self._last - self._first) / DAY
        yield Fact("days", "submitted", days, f"{self._dates()}{days:,.1f} days")
        hours = self._area / SECONDS_PER_HOUR
        yield Fact("processor_hours", "work", hours, f"{hours:,.0f} processor-hours")
        yield self._load("offered_load", "offered load, by submissions", self._last)
        yield self._load("utilisation", "utilisation, by the log's waits", self._end)
        model = self._header.get("UtilityModel")
        spaced = re.sub(",(?=[^ ])", ", ", model or "")  # so that the line can be broken
        yield Fact("utility_model", "utilities", model, spaced)

    def _dates(self) -> str:
        try:
            clock = Clock.of(self._header)
            ends = [clock.date(time).date().isoformat() for time in (self._first, self._last)]
        except (InputError, OverflowError, ValueError):
            return ""
        return f"{ends[0]} to {ends[1]}, "

    def _load(self, key: str, name: str, until: float) -> Fact:
        load = load_over(self._area, self._machine_size, until - self._first)
        return Fact(key, name, load, "" if load is None else f"{load:.1%}")


def reading(report: LoadReport) -> Iterator[Panel]:
    """Yield a table of what was dropped, repaired or noted while the log was read."""
    counts = report.counts()
    rows = [
        (rule.name, rule.action, rule.meaning, counts[rule.name])
        for rule in report.rules
        if rule.name in counts
    ]
    folded = f"{report.folded:,} part of another line's job, " if report.folded else ""
    caption = (
        f"{report.job_lines:,} job lines: {report.kept:,} kept, {report.dropped:,} dropped, "
        f"{folded}{report.repaired:,} of the kept repaired. utilitysched check has their numbers."
    )
    columns = [
        column("rule", "text", "rule"),
        column("jobs are", "text", "action"),
        column("meaning", "text", "meaning"),
        column("lines", "count", "lines"),
    ]
    yield panel("reading", "Reading the log", caption, columns, rows)


def describe(
    parts: Iterable[Workload], header: Header, report: Callable[[], LoadReport]
) -> Description:
    """Describe a workload that need not fit into memory.

    Parameters
    ----------
    parts : iterable of Workload
        Its jobs in any number of parts, seen once; the result does not depend on the division.
    header : Header
        Its header: machine size, queues' names, clock.
    report : callable
        Gives the account of reading once all parts have been seen.
    """
    machine_size = header.max_procs or header.max_nodes
    sections: list[Section] = [
        Overview(header, machine_size),
        Jobs(),
        Load(header, machine_size),
        Owners(header),
        ValuePart(),
        DisclosedRunTimes(),
        Checkpoints(),
        RerunnableJobs(),
        SoftEstimates(),
        Followers(),
    ]
    for part in parts:
        for section in sections if len(part) else ():
            section.add(part)
    panels = [panel for section in sections for panel in section.panels()]
    account = report()
    return Description(account.source, [*panels, *reading(account)])
