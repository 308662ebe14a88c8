"""Plain records of an export, read by columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.accounting.annotations import COMMENTS, Annotations, read_comment, said_by_user
from swfx.accounting.dates import instants
from swfx.accounting.names import JobNames
from swfx.accounting.numbers import number_of
from swfx.accounting.quantities import duration, durations
from swfx.accounting.record_error import RecordError
from swfx.accounting.table import Columns
from swfx.base.columns import LIMIT, Bools, Floats, Ints
from swfx.fields import MISSING
from swfx.slurm.blocks import DistinctCells, RecordBlock
from swfx.slurm.dependencies import jobs_waited_for
from swfx.slurm.job_ids import parse_job_id
from swfx.slurm.limits import DefaultLimits
from swfx.slurm.record import (
    LEAVES_THE_QUEUE,
    NEVER_STARTED,
    STILL_RUNNING,
    STILL_WAITING,
    TIMES,
    WHY_NO_RUN,
    Rows,
)
from swfx.slurm.records import Records, restarts_said
from swfx.slurm.requeue import allows_requeue
from swfx.slurm.resources import (
    ALLOCATED,
    LIMITS,
    NODES,
    REQUESTED,
    allocated,
    amounts_allocated,
    cpu_time,
    energy,
    requested,
    requested_memory,
    time_limit,
)
from swfx.slurm.states import STATES, UNSAID, parse_state, state_in_words
from swfx.slurm.steps import EXTERN, MEMORY, memory_told

__all__ = ["PlainReader", "PlainRecords"]

_STATES = (*STATES, UNSAID)
_OVER = np.array([state.over for state in _STATES])
_STATUS = np.array([state.status for state in _STATES])
_LEAVES = np.array([state.name in LEAVES_THE_QUEUE for state in _STATES])

_PER_RUN = "CPUTimeRAW"
"""Column that tells processors only together with the run time."""


class PlainRecords(NamedTuple):
    """Records of a block as `Records` has them, (n,) each, of which only the plain ones count.

    Attributes
    ----------
    is_plain, is_step, is_extern : ndarray of bool
        Whether a record could be read by columns, is a step, and is the one called extern.
    line, keys, start, run, restarts, why
        As `Records` has them; of a key one row for each field.
    jobs : mapping of str to ndarray
        Columns of `LogJob`.
    """

    is_plain: Bools
    is_step: Bools
    is_extern: Bools
    line: Ints
    keys: Floats
    start: Floats
    run: Floats
    restarts: Floats
    why: Ints
    jobs: Mapping[str, npt.NDArray[Any]]

    def take(self, places: Ints) -> PlainRecords:
        """Give those in these places."""
        taken: Iterable[Any] = (column[..., places] for column in self[:-1])
        jobs = {name: column[places] for name, column in self.jobs.items()}
        return PlainRecords._make((*taken, jobs))


class _Ids(NamedTuple):
    """Numbers of jobs as `JobId` has them, (n,) each; NaN where one cannot be read."""

    base: Floats
    task: Floats
    component: Floats
    plain: Floats
    pending: Floats
    step: Floats


_EXTERN = 2
"""What `_Ids.step` is of the step called extern; 1 of others, 0 of jobs."""


class _Times(NamedTuple):
    """Times as `Record` has them, (n,) each: infinite start and NaN run where there is none."""

    submit: Floats
    start: Floats
    run: Floats
    suspended: Floats
    certain: Bools


class PlainReader:
    """Reads the records of blocks by columns, each distinct text once.

    A record is plain where all its cells can be read, its dates are certain, in order, and agree
    with the elapsed time, and neither comment nor command says anything about the job. Of others
    nothing is said here.

    Parameters
    ----------
    rows : Rows
        The export.
    names : JobNames
        For the names in it.
    records : Records
        To which records will be added.
    limits : DefaultLimits
        Of jobs that have none of their own.
    """

    def __init__(
        self, rows: Rows, names: JobNames, records: Records, limits: DefaultLimits
    ) -> None:
        self._rows = rows
        per_run = rows.columns.first([_PER_RUN]) is not None
        sizes = ALLOCATED[: ALLOCATED.index(_PER_RUN)] if per_run else ALLOCATED

        def processors(columns: Columns, cells: list[str]) -> int | None:
            told = allocated(columns, cells, rows.counting, None)
            return None if per_run and told == MISSING else told

        def asked(columns: Columns, cells: list[str]) -> int:
            return requested(columns, cells, rows.counting)

        self._told = {
            "cluster": self._text("Cluster", records.cluster),
            "size": self._row(sizes, processors),
            "asked": self._row(REQUESTED, asked),
            "limit": self._row(LIMITS, time_limit),
            "memory": self._row(MEMORY, memory_told),
            "energy": self._row(["ConsumedEnergyRaw", "AllocTRES"], energy),
            "default_limit": self._text("Partition", limits.of),
            "restarts": self._text("Restarts", restarts_said),
            "state": self._text("State", lambda text: _STATES.index(parse_state(text))),
            "silent": self._row([*COMMENTS, "SubmitLine"], _silent),
        }
        self._said = {
            "user": self._text(rows.user_column, names.user.number),
            "group": self._text(rows.group_column, names.group.number),
            "executable": self._text("JobName", names.executable.number),
            "queue": self._text("QOS", names.queue.number),
            "partition": self._text("Partition", names.partition.number),
            "cluster": self._text("Cluster", lambda text: names.label("cluster", text)),
            "comment": self._text(
                "Comment", lambda text: names.label("comment", said_by_user(text))
            ),
            "reference": self._text("Reference", lambda text: names.label("reference", text)),
            "rerunnable": self._text("SubmitLine", allows_requeue),
            "project": self._text("WCKey", lambda text: names.label("project", text)),
            "state": self._row(
                ["State", "User", "UID"], lambda *row: names.label("state", _state_said(*row))
            ),
        }
        self._suspended = self._text("Suspended", _length)
        self._cpu_time = self._row(["TotalCPU"], cpu_time)
        wanted = ["ReqMem", *NODES] if "ReqMem" in rows.columns else []
        self._wanted_memory = self._row(wanted, requested_memory)
        self._amounts = self._row(["AllocTRES", *NODES], amounts_allocated)

    def _row(self, names: Iterable[str], read: Callable[..., Any]) -> DistinctCells:
        columns = self._rows.columns
        return DistinctCells(columns, names, lambda *cells: read(columns, *cells))

    def _text(self, name: str, read: Callable[[str], Any]) -> DistinctCells:
        return self._row([name], lambda columns, cells: read(columns.cell(cells, name)))

    def read(self, block: RecordBlock) -> PlainRecords:
        """Read the records of a block."""
        told = {name: cells.numbers(block) for name, cells in self._told.items()}
        ids, times = self._ids(block), self._times(block)
        sizes = np.where(told["size"] > 0, told["size"], told["asked"])
        known = np.isfinite(sizes) & np.isfinite(told["state"])
        state = np.where(known, told["state"], 0).astype(np.int64)
        whole = np.where(known, sizes, MISSING).astype(np.int64).tolist()
        jobs = {
            "line": block.line,
            "job_id": self._job_numbers(block, ids),
            "submit": times.submit,
            "run": np.where(np.isnan(times.run), MISSING, times.run),
            "processors": told["size"],
            "cpu_time": self._cpu_time.numbers(block, whole),
            "memory": told["memory"],
            "requested_processors": told["asked"],
            "requested_time": told["limit"],
            "requested_memory": self._wanted_memory.numbers(block, whole),
            "status": _STATUS[state],
            **{name: cells.numbers(block) for name, cells in self._said.items()},
            "tres/energy": np.where(told["energy"] > 0, told["energy"], MISSING),
            "default_limit": np.where(told["limit"] <= 0, told["default_limit"], MISSING),
            "suspended": np.where(times.suspended != 0, times.suspended, MISSING),
        }
        amounts, readable = _by_name(self._amounts.told(block))
        jobs |= amounts
        readable &= (
            known & times.certain & ~np.isnan(told["silent"] + told["restarts"] + told["energy"])
        )
        for column in jobs.values():
            readable &= np.abs(column) <= LIMIT  # neither NaN nor infinite
        is_step = ids.step > 0
        keys = np.array([told["cluster"], *ids[:3]])
        named = np.isfinite(keys).all(axis=0) & (ids.pending == 0)
        return PlainRecords(
            named & np.where(is_step, np.isfinite(told["memory"] + told["energy"]), readable),
            is_step,
            ids.step == _EXTERN,
            block.line,
            keys,
            times.start,
            times.run,
            told["restarts"],
            _why_no_run(state, times),
            jobs,
        )

    def _ids(self, block: RecordBlock) -> _Ids:
        """Take the numbers of jobs apart."""
        texts = block.cells[self._rows.columns.position(self._rows.id_column)]
        base = _numbers(texts)
        nothing = np.zeros(len(base))
        found = _Ids(base, nothing + MISSING, nothing + MISSING, nothing + 1, nothing, nothing + 0)
        for place in np.flatnonzero(base < 0).tolist():
            for column, value in zip(found, _id(texts[place]), strict=True):
                column[place] = value
        return found

    def _job_numbers(self, block: RecordBlock, ids: _Ids) -> Ints:
        """Job numbers, of those that have a plain one."""
        columns = self._rows.columns
        own = np.where(ids.plain == 1, ids.base, MISSING)
        if "JobIDRaw" not in columns:
            return own
        raw = _numbers(block.cells[columns.position("JobIDRaw")])
        return np.where(raw < 0, own, raw)

    def _elapsed(self, block: RecordBlock) -> Floats:
        """Read for how long jobs ran (s); -1 unknown, NaN unreadable."""
        name = self._rows.elapsed_column
        if not name:
            return np.full(len(block.line), float(MISSING))
        return durations(block.cells[self._rows.columns.position(name)])

    def _times(self, block: RecordBlock) -> _Times:
        """Read times that are certain, as `Rows` finds them."""
        columns = self._rows.columns
        if not all(name in columns for name in TIMES):
            nowhere = np.full(len(block.line), np.nan)
            return _Times(nowhere, nowhere, nowhere, nowhere, np.zeros(len(nowhere), np.bool_))
        submit, start, end = (
            instants(block.cells[columns.position(name)], self._rows.zone) for name in TIMES
        )
        held, suspended = self._elapsed(block), self._suspended.numbers(block)
        began = np.isfinite(start)
        ran = began & np.isfinite(end)
        ordered = (submit <= start) & (np.where(began, start, submit) <= end)
        with np.errstate(invalid="ignore"):
            run = np.where(ran, end - start, np.nan)
        off = np.where(ran, np.maximum(suspended, 0.0), 0.0)
        agrees = ~ran | (~np.isnan(off) & ((held < 0) | (held + off == run)))
        return _Times(submit, start, run, off, ordered & agrees)


def _numbers(texts: Sequence[str]) -> Floats:
    """Read job numbers; -1 for those that are not plain."""
    return np.array([*map(number_of, map(str.strip, texts))], np.float64)


def _id(text: str) -> tuple[float, ...]:
    """Read the number of a job as `_Ids` has it."""
    try:
        job = parse_job_id(text)
    except RecordError:
        return (math.nan,) * len(_Ids._fields)
    step = _EXTERN if job.step == EXTERN else bool(job.step)
    return (job.base, job.task, job.component, job.plain, job.pending_tasks, step)


def _length(text: str) -> float:
    """Length of time (s); -1 for none."""
    seconds = duration(text)
    return MISSING if seconds is None else seconds


def _silent(columns: Columns, cells: list[str]) -> float | None:
    """Return 0 where comment and command say nothing that counts, else None."""
    said = [read_comment(columns.cell(cells, name)) for name in COMMENTS]
    waits = jobs_waited_for(columns.cell(cells, "SubmitLine"))
    return None if waits or any(each != (Annotations(), ()) for each in said) else 0.0


def _state_said(columns: Columns, cells: list[str]) -> str:
    """Return the state in words."""
    text = columns.cell(cells, "State")
    user = {columns.cell(cells, name) for name in ("User", "UID")}
    return state_in_words(parse_state(text), text, user)


def _why_no_run(state: Ints, times: _Times) -> Ints:
    """Give places in `WHY_NO_RUN`, as `Record.why_no_run` does."""
    over = _OVER[state]
    never, waiting, running = map(WHY_NO_RUN.index, (NEVER_STARTED, STILL_WAITING, STILL_RUNNING))
    return np.select(
        [~np.isfinite(times.start), np.isnan(times.run) | ~over, _LEAVES[state] & (times.run == 0)],
        [np.where(over, never, waiting), running, never],
        WHY_NO_RUN.index(None),
    )


def _by_name(
    amounts: Sequence[Mapping[str, float] | None],
) -> tuple[dict[str, Floats], Bools]:
    """Give amounts of each name, (n,), -1 where there are none, and which could be read."""
    kinds = {id(each): each for each in amounts}
    places = {key: place for place, key in enumerate(kinds)}
    which = np.array([places[id(each)] for each in amounts])
    read = np.array([each is not None for each in kinds.values()])
    found = [each or {} for each in kinds.values()]
    return {
        name: np.array([each.get(name, MISSING) for each in found], np.float64)[which]
        for name in sorted({name for each in found for name in each})
    }, read[which]
