"""Reader of the records of sacct, by columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import tzinfo
from operator import itemgetter, ne
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.accounting.annotations import COMMENTS, said_by_user
from swfx.accounting.dates import instant, instants, is_certain, ordered_instants
from swfx.accounting.fields import (
    Declaration,
    FieldReader,
    FieldsRead,
    Label,
    LogField,
    Reading,
)
from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.accounting.names import JobNames, Names, number_of
from swfx.accounting.quantities import duration, durations
from swfx.accounting.record_error import (
    NEVER_STARTED,
    NO_SUBMISSION,
    STILL_RUNNING,
    STILL_WAITING,
    UNREADABLE,
    RecordError,
)
from swfx.accounting.table import Columns, Table
from swfx.base.columns import Bools, Floats, Ints
from swfx.extension import extra_field
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.dependencies import allows_requeue, jobs_waited_for
from swfx.slurm.job_ids import NOT_A_JOB, parse_job_id
from swfx.slurm.resources import (
    LIMITS,
    NODES,
    allocated,
    amounts_allocated,
    cpu_time,
    energy,
    memory_used,
    requested,
    requested_memory,
    time_limit,
)
from swfx.slurm.runs import KEY, PENDING_TASKS, WHY_NO_RUN, Records, restarts_said
from swfx.slurm.states import MACHINE_FAULTS, parse_state, state_in_words
from swfx.slurm.steps import EXTERN, STEP

__all__ = ["RecordReader"]

ELAPSED_DIFFERS = Rule(
    "elapsed-differs", "noted", "the elapsed time is not the time from start to end"
)

LEAVES_THE_QUEUE = frozenset({"CANCELLED", "DEADLINE", "REVOKED"})
"""States of jobs that may never have started."""

_TIMES = ("Submit", "Start", "End")
_GOES_ON, _IS_OVER, _LEAVES, _FAULT = 0, 1, 2, 3
_MEMORY = tuple(LogField((name,), memory_used) for name in ("MaxRSS", "AveRSS"))
_ENERGY = LogField(("ConsumedEnergyRaw", "AllocTRES"), energy)
_STEP, _EXTERN = 1, 2


class _Times(NamedTuple):
    """Times of records of jobs (s), (n,) each, and errors where these cannot be read, by place.

    The start is infinite for a record without any, the run time NaN where it is unknown;
    `suspended` is the part of it without processors.
    """

    submit: Floats
    start: Floats
    run: Floats
    suspended: Floats
    refused: dict[int, RecordError]

    def known(self) -> dict[str, Floats]:
        """Columns of the workload, and `held`: the time for which processors were held (s)."""
        return {
            "submit": self.submit,
            "run": np.where(np.isnan(self.run), MISSING, self.run),
            "suspended": np.where(self.suspended != 0, self.suspended, MISSING),
            "held": self.run - self.suspended,
        }


class RecordReader:
    """Reads jobs and steps; `take` all tables of an export, whose columns may differ.

    Parameters
    ----------
    columns : Columns
        Of the first table.
    zone : tzinfo
        Of dates without offset.
    cores_per_node : int
        CPUs of a node, for exports without any column of CPUs; 0: nodes are counted then.
    limit : float
        Time limit (s) of jobs that have none of their own.
    listing : Listing
        For records that cannot be read, and steps.

    Attributes
    ----------
    records : Records
        Those of jobs.
    steps, energies : JobColumns
        Line, key and memory (KB) or energy (J) of steps whose jobs are found at the end.
    doubts : Listing
        What is unreadable in records, of which few may become jobs.
    fields : FieldReader
        Holds the names of the labels.
    limit : float
        As given.
    columns_differ : bool
        Whether tables had other columns than the first.
    """

    def __init__(
        self,
        columns: Columns,
        zone: tzinfo,
        cores_per_node: int,
        limit: float,
        listing: Listing,
    ) -> None:
        self.records = Records(listing)
        self.steps, self.energies = JobColumns(), JobColumns()
        self.doubts = Listing(listing.source)
        self._zone = zone
        self._cores_per_node = cores_per_node
        self._listing = listing
        self.limit = limit
        self._clusters, self._pending = Names("Cluster"), Names("Tasks")
        self._group = "account" if "Account" in columns else "group"
        self.columns_differ = False
        self._turn_to(columns, None)

    def _turn_to(self, columns: Columns, names: JobNames | None) -> None:
        """Read tables with these columns from here on; names of labels are shared with others."""
        self._columns = columns
        declaration = _declaration(columns, self._cores_per_node, self._group)
        self.fields = FieldReader(declaration, names)
        self._of_steps = FieldReader(Declaration({"amount": _MEMORY, "energy": _ENERGY}))
        self._cluster = Reading(LogField(("Cluster",), self._clusters.number))
        self._over = Reading(LogField(("State",), _is_over))
        self._restarts = Reading(LogField(("Restarts",), restarts_said))
        self._suspended = Reading(LogField(("Suspended",), duration))

    def take(self, table: Table) -> None:
        """Take in records, in their order."""
        if table.columns is not self._columns:
            self._turn_to(table.columns, self.fields.names)
            self.columns_differ = True
        *parts, step = self._ids(table)
        keys = np.array([self._cluster.numbers(table), *parts])
        listed = [(line, NOT_A_JOB) for line in table.line[np.isnan(step)].tolist()]
        jobs, steps = np.flatnonzero(step == 0), np.flatnonzero(step > 0)
        read = self._jobs(table.take(jobs), _by_key(keys[:, jobs]), listed)
        kept = jobs[read.kept]
        if len(steps):
            of_step = {**_by_key(keys[:, steps]), "extern": step[steps] == _EXTERN}
            above = np.searchsorted(kept, steps) - 1
            self._take_steps(table.take(steps), of_step, read.columns, above, listed)
        self._add_awaited(table, kept)
        self.records.jobs.extend(read.columns, read.curves)
        for line, rule in sorted(listed, key=itemgetter(0)):
            self._listing.add(line, rule)

    def _take_steps(
        self,
        table: Table,
        of_step: dict[str, npt.NDArray[Any]],
        jobs: dict[str, npt.NDArray[Any]],
        above: Ints,
        listed: list[tuple[int, Rule]],
    ) -> None:
        """Take in steps; the memory of a step counts for the job right above, if it is its own.

        Parameters
        ----------
        table : Table
            m records.
        of_step : dict of str to ndarray
            Columns of their keys, (m,), and whether each is the one called extern.
        jobs : dict of str to ndarray
            Columns of the jobs of the same part of the log.
        above : ndarray of int64, shape (m,)
            Place of the job above each step; -1 without any.
        listed : list of tuple
            Gets lines, and rules under which they are listed.
        """
        read = self._of_steps.read(table, {"line": table.line, **of_step})
        listed += [(int(table.line[place]), rule) for place, rule in read.doubts]
        own = above >= 0
        for name in KEY:
            own[own] &= jobs[name][above[own]] == of_step[name][own]
        np.maximum.at(jobs["memory"], above[own], read.columns["amount"][own])
        listed += [(line, STEP) for line in table.line[own].tolist()]
        self.steps.extend({name: column[~own] for name, column in read.columns.items()})
        joules = read.columns["energy"]
        energies = {**read.columns, "amount": joules}
        self.energies.extend({name: column[joules > 0] for name, column in energies.items()})

    def _ids(self, table: Table) -> Floats:
        """Return number, task, part and step of n records, (4, n); NaN for an unreadable number.

        Without a task or part these are -1; tasks that had not started are less. The step is 0
        for a job, 1 for a step, 2 for the step called extern.
        """
        texts = table[self._columns.first(("JobID", "JobIDRaw")) or ""]
        number = _numbers(texts)
        nothing = np.full(len(number), float(MISSING))
        ids = np.array([number, nothing, nothing, np.zeros(len(number))])
        for place in np.flatnonzero(number < 0).tolist():
            ids[:, place] = self._id(texts[place])
        return ids

    def _id(self, text: str) -> tuple[float, ...]:
        """Read the number of a record as `_ids` has it."""
        base, mark, of_array = text.partition("_")
        if mark and number_of(base) >= 0 and number_of(of_array) >= 0:  # the most frequent one
            return (int(base), int(of_array), MISSING, 0)
        try:
            job = parse_job_id(text)
        except RecordError:
            return (math.nan,) * 4
        task = -2 - self._pending.number(job.job) if job.pending_tasks else job.task
        step = (_EXTERN if job.step == EXTERN else _STEP) if job.step else 0
        return (job.base, task, job.component, step)

    def _jobs(
        self,
        table: Table,
        keys: dict[str, Floats],
        listed: list[tuple[int, Rule]],
    ) -> FieldsRead:
        """Read records of jobs; `listed` gets the lines that cannot be read."""
        times = self._times(table, listed)
        amounts, unreadable = self._amounts(table)
        held, undated = self._held_until_eligible(table, times.submit)
        state = self._over.numbers(table)
        known = {
            "line": table.line,
            "job_id": self._job_numbers(table, keys),
            **times.known(),
            "eligible": held,
            **amounts,
            **keys,
            "restarts": self._restarts.numbers(table),
            "fault": state == _FAULT,
            "why": _why_no_run(state, keys["task"] < MISSING, times),
        }
        read = self.fields.read(table, known, times.refused)
        columns = read.columns
        has_limit = columns["requested_time"] > 0
        columns["default_limit"] = np.where(has_limit, MISSING, self.limit)
        columns["start"], columns["ran"] = times.start[read.kept], times.run[read.kept]
        del columns["held"]
        listed += [(int(table.line[place]), rule) for place, rule in read.refused]
        unreadable |= undated
        amiss = [(place, UNREADABLE) for place in read.kept.tolist() if unreadable[place]]
        for place, rule in sorted([*read.doubts, *amiss], key=itemgetter(0)):
            self.doubts.add(int(table.line[place]), rule)
        return read

    def _job_numbers(self, table: Table, keys: dict[str, Floats]) -> Floats:
        """Return job numbers, -1 for a job without a plain one."""
        is_plain = (keys["task"] == MISSING) & (keys["part"] == MISSING)
        own = np.where(is_plain, keys["number"], MISSING)
        if "JobIDRaw" not in self._columns:
            return own
        raw = _numbers(table["JobIDRaw"])
        return np.where(raw < 0, own, raw)

    def _add_awaited(self, table: Table, kept: Ints) -> None:
        """Take in the predecessors of kept jobs, by the commands that submitted the jobs."""
        if "SubmitLine" in self._columns:
            lines = table["SubmitLine"]
            for position, place in enumerate(kept.tolist(), len(self.records)):
                if jobs := jobs_waited_for(lines[place]):
                    self.records.awaited[position] = jobs

    def _amounts(self, table: Table) -> tuple[dict[str, Floats], Bools]:
        """Return allocated resources by column, and which records have unreadable ones."""
        nodes = self._columns.first(("AllocNodes", "NNodes")) or "NNodes"
        keys = list(table.texts(("AllocTRES", nodes)))
        distinct = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        which = np.array([distinct[key] for key in keys], np.int64)
        amounts = [amounts_allocated(*key) for key in distinct]
        names = sorted(filter(extra_field, {name for each in amounts for name in each}))
        columns = {
            name: np.array([each.get(name, MISSING) for each in amounts], np.float64)[which]
            for name in names
        }
        known = sum(column >= 0 for column in columns.values())
        return columns, np.array([*map(len, amounts)], np.int64)[which] > known

    def _times(self, table: Table, listed: list[tuple[int, Rule]]) -> _Times:
        """Return the times of records: certain dates column by column, other dates one by one."""
        times = self._certain_times(table)
        for place in np.flatnonzero(np.isnan(times.submit)).tolist():
            try:
                submit, start, run, suspended, differs = self._uncertain_times(table, place)
            except RecordError as error:
                times.refused[place] = error
                continue
            times.submit[place], times.suspended[place] = submit, suspended
            times.start[place] = math.inf if start is None else start
            times.run[place] = math.nan if run is None else run
            if differs:
                listed.append((int(table.line[place]), ELAPSED_DIFFERS))
        return times

    def _certain_times(self, table: Table) -> _Times:
        """Return times of records with certain dates in order, which agree with the elapsed time.

        The submission of other records is NaN.
        """
        n = len(table)
        if not n or not all(name in self._columns for name in _TIMES):
            submit, start, run = np.full((3, n), np.nan)
            return _Times(submit, start, run, np.zeros(n), {})
        submit, start, end = (instants(table[name], self._zone) for name in _TIMES)
        elapsed = self._elapsed_column
        held = durations(table[elapsed]) if elapsed else np.full(n, float(MISSING))
        suspended = self._suspended.numbers(table)
        began = np.isfinite(start)
        ran = began & np.isfinite(end)
        ordered = (submit <= start) & (np.where(began, start, submit) <= end)
        with np.errstate(invalid="ignore"):
            run = np.where(ran, end - start, np.nan)
        off = np.where(ran, np.maximum(suspended, 0.0), 0.0)
        agrees = ~ran | (~np.isnan(off) & ((held < 0) | (held + off == run)))
        certain = ordered & agrees & np.isfinite(submit)
        return _Times(np.where(certain, submit, np.nan), start, run, off, {})

    def _held_until_eligible(self, table: Table, submit: Floats) -> tuple[Floats, Bools]:
        """Return the time (s) from submission to eligibility, and which dates are unreadable.

        -1 where the record does not say.
        """
        if "Eligible" not in self._columns or "Submit" not in self._columns:
            return np.full(len(table), float(MISSING)), np.zeros(len(table), np.bool_)
        dates, unreadable = table["Eligible"], np.zeros(len(table), np.bool_)
        # most jobs are eligible at once, which their texts tell
        differs = np.array([*map(ne, dates, table["Submit"])], np.bool_)
        held = np.where(differs, float(MISSING), 0.0)
        for place in np.flatnonzero(differs).tolist():
            try:
                time = _not_before(submit[place], dates[place], self._zone)
            except RecordError:
                unreadable[place] = True
                continue
            if time is not None:
                held[place] = max(time - submit[place], 0.0)
        return held, unreadable

    @property
    def _elapsed_column(self) -> str:
        return self._columns.first(("ElapsedRaw", "Elapsed")) or ""

    def _uncertain_times(
        self, table: Table, place: int
    ) -> tuple[float, float | None, float | None, float, bool]:
        """Submission and start (Unix times), run time (s), and the part of it without processors.

        The last says whether the elapsed time differs from the dates.

        Raises
        ------
        RecordError
            A time is unreadable, or the submission is unknown.
        """
        texts = tuple(str(table.cell(place, name)).strip() for name in _TIMES)
        submit, start, end = ordered_instants(texts, self._zone, _TIMES)
        if start is None or (end is None and "End" in self._columns):
            return _submitted(submit, texts[0]), start, None, 0.0, False
        elapsed = self._elapsed_column
        held = duration(str(table.cell(place, elapsed)), elapsed)
        suspended = duration(str(table.cell(place, "Suspended")), "Suspended") or 0.0
        if end is None or held is None:
            run = end - start if end is not None else held and held + suspended
            return _submitted(submit, texts[0]), start, run, suspended, False
        lasting = held + suspended
        if lasting != end - start:
            submit, start, end = ordered_instants(texts, self._zone, _TIMES, lasting)
        submit = _submitted(submit, texts[0])
        if start is None or end is None or lasting == end - start:
            return submit, start, lasting, suspended, False
        certain = all(is_certain(text, self._zone) for text in texts[1:])
        if certain and "Suspended" not in self._columns and end - start > held:
            return submit, start, end - start, end - start - held, True
        return submit, start, lasting, suspended, True


def _submitted(submit: float | None, text: str) -> float:
    if submit is None:
        raise RecordError(NO_SUBMISSION, text, "Submit")
    return submit


def _not_before(submit: float, text: str, zone: tzinfo) -> float | None:
    """Return the instant of a date, of two the first that is not before submission."""
    first = instant(text, zone, "Eligible")
    if first is None or first >= submit:
        return first
    return instant(text, zone, "Eligible", fold=1)


def _by_key(keys: Floats) -> dict[str, Floats]:
    return dict(zip(KEY, keys, strict=True))


def _numbers(texts: Sequence[str]) -> Floats:
    """Return job numbers, (n,); -1 for an array task, a part or a step."""
    return np.array([*map(number_of, map(str.strip, texts))], np.float64)


def _is_over(text: str) -> int:
    try:
        state = parse_state(text)
    except RecordError:
        return _IS_OVER
    if not state.over:
        return _GOES_ON
    if state.name in MACHINE_FAULTS:
        return _FAULT
    return _LEAVES if state.name in LEAVES_THE_QUEUE else _IS_OVER


def _why_no_run(state: Floats, pending_tasks: Bools, times: _Times) -> Ints:
    """Return places in `WHY_NO_RUN`."""
    over = state != _GOES_ON
    pending, never, waiting, running = map(
        WHY_NO_RUN.index, (PENDING_TASKS, NEVER_STARTED, STILL_WAITING, STILL_RUNNING)
    )
    # a job that leaves the queue without having run may have the time it left as its start
    left = (state == _LEAVES) & (times.run == 0)
    return np.select(
        [pending_tasks, np.isinf(times.start), np.isnan(times.run) | ~over, left],
        [pending, np.where(over, never, waiting), running, never],
        WHY_NO_RUN.index(None),
    )


def _state_said(text: str, *user: str) -> str:
    """Return the state in words."""
    return state_in_words(parse_state(text), text, set(user))


def _declaration(columns: Columns, cores_per_node: int, group: str) -> Declaration:
    """Return the meaning of columns, but for times and numbers; groups are `account` or `group`."""

    def first(*names: str) -> tuple[str, ...]:
        return (columns.first(names) or names[-1],)

    return Declaration(
        fields={
            "processors": allocated(columns, cores_per_node),
            "requested_processors": requested(cores_per_node),
            "requested_time": LogField(first(*LIMITS), time_limit),
            "cpu_time": LogField(("TotalCPU",), cpu_time, ("size",)),
            "memory": _MEMORY,
            "requested_memory": LogField(("ReqMem", *first(*NODES)), requested_memory, ("size",)),
            "tres/energy": _ENERGY,
            "rerunnable": LogField(("SubmitLine",), allows_requeue),
        },
        labels={
            "user": Label(first("User", "UID")),
            group: Label(("Account",) if group == "account" else first("Group", "GID")),
            "job_name": Label(("JobName",)),
            "qos": Label(("QOS",)),
            "partition": Label(("Partition",)),
            "cluster": Label(("Cluster",)),
            "project": Label(("WCKey",)),
            "comment": Label(("Comment",), said_by_user),
            "reference": Label(("Reference",)),
            "state": Label(("State", "User", "UID"), _state_said),
        },
        means={"group": group, "queue": "qos", "executable": "job_name"},
        comments=COMMENTS,
    )
