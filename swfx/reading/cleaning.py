"""Standard cleaning: which jobs of a log can be simulated (GAUSSIER 6.1.1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Ints
from swfx.base.errors import InputError
from swfx.base.number_set import NumberSet
from swfx.base.numbers import plural, span
from swfx.clock import has_relative_times, unknown_zone
from swfx.eligibility import time_held
from swfx.fields import FIELD_NAMES, MISSING, field_label
from swfx.header import Header
from swfx.links import on_cycles
from swfx.reading.report import RULES, LoadReport, Rule
from swfx.workload import Workload

__all__ = [
    "OVER_REQUEST",
    "RELATIVE",
    "Cleaner",
    "Cleaning",
    "Findings",
    "clean",
    "examine",
    "no_job_left",
    "partition_note",
]

_MOST_NAMES = 5
"""Names of partitions that a note shows."""

Cleaning: TypeAlias = Literal["standard", "strict", "lenient", "none"]


NOT_ENDED = frozenset({"still-running", "still-waiting", "pending-tasks"})
"""Rules of importers for jobs that have not ended."""


_REMEDIES = {
    "not-a-date": "export ISO dates or Unix times; in tables state the form behind the column:"
    " submit=COLUMN@ms",
    "no-submission": "name the column of submissions; if times count from the begin of the log, so"
    " that 0 is a time, in tables give relative=true",
    "too-wide": "check the size of the machine (MaxProcs, `machine_size`)",
}
"""What helps if no job is left, by the rule that drops most."""


class Findings(NamedTuple):
    """Rules that apply to jobs: positions and codes into `RULES`, by position; whom to keep."""

    job: Ints
    rule: npt.NDArray[np.int8]
    keep: Bools


def clean(
    workload: Workload, report: LoadReport, line: Ints, cleaning: Cleaning
) -> tuple[Workload, LoadReport]:
    """Drop the jobs that cannot be simulated, and list them in the report.

    Parameters
    ----------
    workload : Workload
        All jobs that were read.
    report : LoadReport
        What happened so far; `kept` is their number.
    line : ndarray of int64, shape (n,)
        Line of each job.
    cleaning : {"standard", "strict", "lenient", "none"}
        As in `swfx.read`; malformed lines are not seen here.

    Raises
    ------
    InputError
        A case of cleaning if it is strict, or no job is left.
    """
    cleaner = Cleaner(cleaning)
    kept, findings = cleaner.clean(workload, line)
    report = report.listing(line[findings.job], findings.rule, len(kept))
    if not len(kept):
        raise no_job_left(report)
    return kept, replace(report, notes=(*report.notes, *cleaner.notes(kept.header)))


class Cleaner:
    """Cleaning of a log that may come in parts; knows what its notes are to say of the whole."""

    def __init__(self, cleaning: Cleaning) -> None:
        self._cleaning = cleaning
        self._latest = -math.inf
        self._backward = 0
        self._numbers: list[Ints] = []
        self._taken = NumberSet()
        self._links = Links()
        self._waits = Waits()
        self._requests = Requests()
        self._partitions: set[int] = set()

    def clean(self, workload: Workload, line: Ints) -> tuple[Workload, Findings]:
        """Return the kept jobs of the next part, and the rules that apply to jobs of the part.

        Parameters
        ----------
        workload : Workload
            Jobs as they were read.
        line : ndarray of int64, shape (n,)
            Line of each.

        Raises
        ------
        InputError
            If cleaning is strict and finds a case.
        """
        findings = _findings(workload, self._cleaning)
        if self._cleaning == "strict":
            self._refuse_first(workload, findings, line)
        kept = workload if findings.keep.all() else workload[findings.keep]
        self._remember(kept)
        return kept, findings

    def _refuse_first(self, workload: Workload, findings: Findings, line: Ints) -> None:
        """Raise the first case or repeated job number of a part."""
        numbers = workload.job_id
        fresh = np.zeros(len(numbers), np.bool_)
        fresh[np.unique(numbers, return_index=True)[1]] = True
        repeated = np.flatnonzero((numbers >= 0) & (~fresh | self._taken.has(numbers)))[:1]
        _refuse_case(workload, findings, line, repeated[0] if len(repeated) else len(numbers))
        if len(repeated):
            raise InputError(
                f"is the number of a job above, too: {numbers[repeated[0]]}",
                line=int(line[repeated[0]]),
                field=field_label(FIELD_NAMES.index("job_id")),
                remedy="give each job its own, or use standard cleaning",
            )
        self._taken.add(numbers)

    def _remember(self, kept: Workload) -> None:
        if len(kept):
            before = np.concatenate([[self._latest], kept.submit[:-1]])
            self._backward += int((kept.submit < before).sum())
            self._latest = float(kept.submit[-1])
            self._numbers.append(kept.job_id.copy())  # a copy: a view would hold all columns
            self._links.add(kept)
            self._waits.add(kept)
            self._requests.add(kept)
            self._partitions.update(np.unique(kept.partition).tolist())

    def notes(self, header: Header) -> tuple[str, ...]:
        """Say what is odd about the jobs kept so far, and the header of their log."""
        notes = [
            _machine_note(header),
            _zone_note(header),
            _date_note(header),
            self._requests.note(),
            self._partition_note(header),
            self._order_note(),
            self._number_note(),
        ]
        links, waits = self._links.notes(self._numbers[0]), self._waits.notes()
        return tuple(filter(None, [*notes, *links, *waits]))

    def _partition_note(self, header: Header) -> str:
        return partition_note(self._partitions, header)

    def _order_note(self) -> str:
        if not self._backward:
            return ""
        jobs, were = plural(self._backward, "job"), "was" if self._backward == 1 else "were"
        return f"{jobs} {were} submitted before the job of the line above"

    def _number_note(self) -> str:
        numbers = np.concatenate([np.empty(0, np.int64), *self._numbers])
        self._numbers = [numbers]
        numbers.sort()
        repeated = int((numbers[1:] == numbers[:-1]).sum())
        repeats = "repeats" if repeated == 1 else "repeat"
        return f"{plural(repeated, 'job')} {repeats} the number of another job" if repeated else ""


RELATIVE = "the log begins in 1970"
"""Beginning of the note on a log whose times are relative."""

OVER_REQUEST = "most jobs ran longer than they requested"
"""Beginning of the note on requested times in another unit than seconds."""


class Requests:
    """Requested times of jobs, in a log that comes in parts."""

    def __init__(self) -> None:
        self._stated = self._over = self._over_minutes = 0

    def add(self, part: Workload) -> None:
        """Count the jobs of a part."""
        run, request = part.run, part.requested_time
        self._stated += int((request > 0).sum())
        self._over += int(((request > 0) & (run > request)).sum())
        self._over_minutes += int(((request > 0) & (run > 60 * request)).sum())

    def note(self) -> str:
        """Warn where most jobs ran over their requests."""
        if 2 * self._over <= self._stated:
            return ""
        fits = 2 * self._over_minutes <= self._stated
        question = ": are requested times in minutes, not seconds?" if fits else ""
        return f"{OVER_REQUEST} ({self._over:,} of {self._stated:,}){question}"


def partition_note(partitions: Iterable[int], header: Header) -> str:
    """Warn where jobs of several partitions share one machine; nothing for one partition.

    Parameters
    ----------
    partitions : iterable of int
        Partition numbers of jobs; -1 is unknown.
    header : Header
        Names of the partitions.

    Examples
    --------
    >>> print(partition_note([1, 2], Header((" Partition: 1 cpu", " Partition: 2 gpu"))))
    2 partitions (cpu, gpu) are one machine in simulations: if their nodes differ, give --machine \
FILE, of which describe writes a draft, or take one: --apply filter:partition=cpu --machine-size N
    """
    names = header.names("Partition")
    known = [names.get(number, str(number)) for number in sorted(partitions) if number != MISSING]
    known = [name for name in known if "," not in name]  # a job's choice of several
    if len(known) < 2:
        return ""
    shown = ", ".join(known[:_MOST_NAMES]) + ", ..." * (len(known) > _MOST_NAMES)
    return (
        f"{len(known)} partitions ({shown}) are one machine in simulations: if their nodes differ,"
        " give --machine FILE, of which describe writes a draft, or take one:"
        f" --apply filter:partition={known[0]} --machine-size N"
    )


class Links:
    """Jobs that name a preceding job (SWF field 17), in a log that comes in parts."""

    def __init__(self) -> None:
        self._parts: list[Ints] = []

    def add(self, part: Workload) -> None:
        """Add the jobs of a part."""
        named = part.preceding_job > 0
        if named.any():
            self._parts.append(np.stack([part.job_id[named], part.preceding_job[named]]))

    def notes(self, numbers: Ints) -> Iterator[str]:
        """Yield how many preceding jobs are missing, and how many jobs wait for themselves.

        Parameters
        ----------
        numbers : ndarray of int64, shape (n,)
            Numbers of all jobs, ascending.
        """
        if not self._parts:
            return
        job, preceding = np.concatenate(self._parts, axis=1)
        at = np.minimum(np.searchsorted(numbers, preceding), len(numbers) - 1)
        if missing := int((numbers[at] != preceding).sum()):
            yield (
                f"{missing:,} {'jobs name' if missing > 1 else 'job names'} a preceding job that is"
                " not in the log (field 17)"
            )
        number, first = np.unique(job, return_index=True)  # of jobs with one number the first
        wanted = preceding[first]
        at = np.minimum(np.searchsorted(number, wanted), len(number) - 1)
        if cyclic := int(on_cycles(np.where(number[at] == wanted, at, MISSING)).sum()):
            who = "jobs wait for themselves" if cyclic > 1 else "job waits for itself"
            yield f"{cyclic:,} {who}, directly or through others (field 17)"


class Waits:
    """Jobs that were held until they became eligible, in a log that comes in parts."""

    def __init__(self) -> None:
        self._held = 0
        self._sums = np.zeros(2)

    def add(self, part: Workload) -> None:
        """Add the jobs of a part."""
        held = time_held(part)
        late = (held > 0) & (part.wait >= 0)
        self._held += int(np.count_nonzero(late))
        self._sums += part.wait[late].sum(), held[late].sum()

    def notes(self) -> Iterator[str]:
        """Yield how many jobs were held, and how long they waited from when."""
        if self._held:
            waited, held = self._sums / self._held
            were = "jobs were" if self._held > 1 else "job was"
            yield (
                f"{self._held:,} {were} held (begin times, holds, dependencies, array limits):"
                f" mean wait {span(waited)} from submission, {span(waited - held)} from eligibility"
            )


def no_job_left(report: LoadReport) -> InputError:
    """Error of a log of which no job is kept."""
    if not report.job_lines:
        return InputError("holds no jobs", source=report.source, remedy="give a log that has some")
    dropped = report.counts("dropped")
    counts = ", ".join(f"{rule} {n}" for rule, n in dropped.items())
    most = max(dropped, key=lambda rule: dropped[rule], default="")
    remedy = _REMEDIES.get(most, "check that the file is of this format")
    if dropped and dropped.keys() <= NOT_ENDED:
        remedy = "give a listing of jobs that have ended, as of sacct or squeue --states=all"
    return InputError(
        f"no job is left of {plural(report.job_lines, 'line')}"
        + (f" ({counts})" if counts else ""),
        source=report.source,
        remedy=remedy,
    )


def examine(workload: Workload) -> Findings:
    """Find the cases of standard cleaning.

    A job falls under one rule that drops it, the first in the order of `RULES`, or under any number
    of rules that repair or note. The chosen processors (allocated where positive, else requested)
    over the machine's are too wide; that rule needs a known machine size.

    Examples
    --------
    >>> found = examine(Workload.from_columns(submit=[0, 1], run=[5, -1], processors=[1, 1]))
    >>> found.keep.tolist()
    [True, False]
    """
    cases = _cases(workload)
    keep = np.ones(len(workload), np.bool_)
    jobs: list[Ints] = []
    codes: list[npt.NDArray[np.int8]] = []
    for code, rule in enumerate(RULES):
        if rule.name in cases:
            positions = np.flatnonzero(cases[rule.name] & keep)
            jobs.append(positions)
            codes.append(np.full(len(positions), code, np.int8))
            if rule.action == "dropped":
                keep[positions] = False
    job, rules = np.concatenate(jobs), np.concatenate(codes)
    order = np.argsort(job, kind="stable")
    return Findings(job[order], rules[order], keep)


def _cases(w: Workload) -> dict[str, Bools]:
    widest = w.machine_size
    allocated, requested = w.processors > 0, w.requested_processors > 0
    return {
        "negative-submit": w.submit < 0,
        "negative-run": w.run < 0,
        "no-processors": w.size <= 0,
        "too-wide": np.zeros(len(w), np.bool_) if widest is None else w.size > widest,
        "processors-missing": ~allocated & requested,
        "requested-processors-missing": allocated & ~requested,
        "requested-time-missing": (w.requested_time <= 0) & (w.default_limit <= 0),
        "run-over-request": w.run > w.request,
    }


def _findings(workload: Workload, cleaning: Cleaning) -> Findings:
    if cleaning != "none":
        return examine(workload)
    keep = np.ones(len(workload), np.bool_)
    return Findings(np.empty(0, np.int64), np.empty(0, np.int8), keep)


def _refuse_case(workload: Workload, findings: Findings, line: Ints, last: int) -> None:
    """Raise the first case among the jobs up to position `last`."""
    for job, code in zip(findings.job.tolist(), findings.rule.tolist(), strict=True):
        rule = RULES[code]
        if job <= last and rule.action != "noted" and rule.field is not None:
            raise InputError(
                f"{rule.meaning.partition(':')[0]}: {_shown(workload, job, rule)}",
                line=int(line[job]),
                field=field_label(FIELD_NAMES.index(rule.field)),
                remedy="correct the line, or use standard cleaning",
            )


def _shown(workload: Workload, job: int, rule: Rule) -> str:
    if rule.name == "too-wide":
        return f"{workload.size[job]} of {workload.machine_size} processors"
    value = float(getattr(workload, str(rule.field))[job])
    return str(int(value)) if value.is_integer() else repr(value)


def _machine_note(header: Header) -> str:
    if header.machine_size is None:
        return "the machine size is unknown: no job could be checked against it"
    if header.max_procs is None:
        return f"the machine size {header.machine_size} is MaxNodes: the header has no MaxProcs"
    return ""


def _date_note(header: Header) -> str:
    if not has_relative_times(header):
        return ""
    return (
        f"{RELATIVE} (UnixStartTime: {header.unix_start_time}): its times are shown as days since"
        " it began, not as dates"
    )


def _zone_note(header: Header) -> str:
    name = unknown_zone(header)
    return f"no time zone is named {name!r} (TimeZoneString): UTC is taken" if name else ""
