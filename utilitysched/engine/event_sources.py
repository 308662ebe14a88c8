"""Sources of events of the compiled loop beside the log, made and read back."""

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from checkpoint.failures import Outages
from swfx import MISSING
from utilitysched.engine import outages as limits
from utilitysched.engine.conditions import Failures, StopTerms
from utilitysched.engine.outages import DrawnOutages, refuse_endless, refuse_waiting
from utilitysched.engine.segments_log import NOBODY, by_start
from utilitysched.kernels.processors import texts
from utilitysched.kernels.progress import PASSES, Progress
from utilitysched.kernels.restarts import TakingBack
from utilitysched.kernels.sources import (
    COUNTS,
    ENDLESS,
    PENDING,
    RANGES,
    ROWS,
    TROUBLE,
    WHOSE,
    Dependents,
    DownProcessors,
    EventSources,
    is_full,
)
from utilitysched.kernels.stops import SegmentRows, StopColumns
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.restarts import RestartMemory, RestartTerms
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.segments import Segments
from utilitysched.model.state import Floats, Integers, JobTable

if TYPE_CHECKING:
    from swfx.dependencies import Dependencies


class Incidents:
    """Dependencies, stops and failures as the compiled loop takes them.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    dependencies : Dependencies or None
        Which jobs are submitted only once others have ended.
    terms : StopTerms or None
        What stopping means for each job; without them, none can be stopped.
    failures : Failures or None
        What fails; needs terms.

    Attributes
    ----------
    known : JobTable
        A copy of the columns, with a row behind all jobs for each processor that may fail.
    sources : EventSources
        What the loop takes.
    """

    def __init__(
        self,
        arrivals: Arrivals,
        dependencies: "Dependencies | None",
        terms: StopTerms | None,
        failures: Failures | None,
    ) -> None:
        self._arrivals, self._dependencies = arrivals, dependencies
        self._terms, known = terms, arrivals.known
        self._drawn = None if failures is None else DrawnOutages(failures, known.submit)
        jobs, size = len(arrivals.run), known.machine_size
        self.known = _with_rows(known, 0 if failures is None else size)
        self.sources = EventSources(
            _dependents(arrivals, dependencies),
            _stops(arrivals, terms),
            SegmentRows.blank(jobs + 2 * size, 2 * jobs + 4 * size),
            _downtime(arrivals, self._drawn),
            np.zeros(COUNTS, np.int64),
        )
        dependents = self.sources.dependents
        self.sources.counts[PENDING] = len(dependents.submit) - len(dependents.waiting)

    @property
    def until(self) -> float:
        """Time until which all outages are drawn (s)."""
        return np.inf if self._drawn is None else self._drawn.horizon

    def taking_back(self, terms: RestartTerms | None) -> TakingBack | None:
        """Return what the loop needs to take processors back, on these terms."""
        if terms is None or self._terms is None:
            return None
        requested = self.sources.stops.requested
        memory = RestartMemory.blank(len(requested))._replace(requested=requested)
        return TakingBack(terms, memory, self._terms.interval)

    def provide(self, progress: Progress) -> None:
        """Make room, or draw further outages, as the loop needs when it stopped early.

        Raises
        ------
        InputError
            Something fails again and again, longer than it is worth to wait.
        """
        sources = self.sources
        # the loop has stopped for one of three reasons
        if sources.counts[TROUBLE]:
            self._refuse(progress)
        if is_full(sources.counts, sources.rows, self.known.machine_size):
            self.sources = sources._replace(rows=sources.rows.longer())
        elif self._drawn is not None and not self._drawn.failures.all_known:
            self._drawn.draw_on()
            known = _read(self._drawn.outages)
            downtime = DownProcessors._make([*known, *sources.downtime[len(known) :]])
            self.sources = sources._replace(downtime=downtime)

    def outcome(self, progress: Progress) -> SimulationOutcome:
        """Return the result in the log's arrival order, the first start of each job."""
        outages, jobs, end = None, len(progress.end), progress.end
        if self._drawn is not None:
            outages = self._drawn.outages.before(float(end.max(initial=-np.inf)))
        return SimulationOutcome(
            self._first_starts(progress.start),
            end,
            progress.backfilled,
            int(progress.counts[PASSES]),
            None if self._dependencies is None else self.known.submit[:jobs],
            None if self._terms is None else self._segments(),
            outages,
        )

    def _first_starts(self, start: Floats) -> Floats:
        """Return when each job started first (s), given when each started last."""
        count = self.sources.counts[ROWS]
        job, begun = self.sources.rows.job[:count], self.sources.rows.start[:count]
        first = start.copy()
        first[job[::-1]] = begun[::-1]  # of several rows, the last one stays
        return first

    def _segments(self) -> Segments:
        rows, counts = self.sources.rows, self.sources.counts
        described = SegmentRows._fields.index("value_lost")
        columns = [column[: counts[ROWS]] for column in rows[:described]]
        held = [""] * int(counts[ROWS])
        if self._drawn is not None:
            first, last = rows.first[: counts[ROWS]], rows.last[: counts[ROWS]]
            low, high = rows.low[: counts[RANGES]], rows.high[: counts[RANGES]]
            held = texts(first, last, low, high)
        value_lost = rows.value_lost[: counts[ROWS]]
        return by_start(columns, self._arrivals.order, held, value_lost)

    def _refuse(self, progress: Progress) -> NoReturn:
        counts, job_id = self.sources.counts, self._arrivals.job_id
        job = int(counts[WHOSE])
        now = progress.wake_up.item()
        name = f"job {job_id[job]} (index {self.sources.dependents.number[job]})"
        if counts[TROUBLE] == ENDLESS:
            refuse_endless(name, now)
        refuse_waiting(name, self.known.size.item(job), self.known.machine_size, now)


def _with_rows(known: JobTable, rows: int) -> JobTable:
    """Return copies of the columns that may change, with more rows of zeros behind them."""
    none = np.zeros(rows)
    return known._replace(
        submit=np.concatenate([known.submit, none]),
        arrival=np.concatenate([known.arrival, none]),
        request=np.concatenate([known.request, none]),
        size=np.concatenate([known.size, np.zeros(rows, np.int64)]),
    )


def _dependents(arrivals: Arrivals, dependencies: "Dependencies | None") -> Dependents:
    submit, order = arrivals.known.submit, arrivals.order
    if dependencies is None:
        return Dependents.of(submit, np.full(len(submit), MISSING), np.zeros(len(submit)))
    before = dependencies.predecessor[order]
    place = np.append(order.argsort(), MISSING)  # behind all: that of no job
    return Dependents.of(submit, place[before], dependencies.think_time[order].astype(np.float64))


def _stops(arrivals: Arrivals, terms: StopTerms | None) -> StopColumns:
    jobs = len(arrivals.run)
    requested, work = arrivals.known.request, arrivals.run
    none = np.zeros(jobs)
    return StopColumns(
        none - 1.0 if terms is None else terms.periodic,
        none if terms is None else terms.overhead,
        1.0 if terms is None else float(terms.actual),
        terms is None or terms.kills,
        requested,
        requested.copy(),
        work.copy(),
        none.copy(),
        np.zeros(jobs, np.bool_),
        np.zeros(jobs, np.int64),
    )


def _downtime(arrivals: Arrivals, drawn: DrawnOutages | None) -> DownProcessors:
    size = arrivals.known.machine_size if drawn is not None else 0
    return DownProcessors(
        *_read(Outages.union([], ()) if drawn is None else drawn.outages),
        np.empty(size),
        np.empty(size, np.int64),
        np.full(size, NOBODY),
        np.zeros(len(arrivals.run), np.int64),
        limits.MOST_FAILURES,
    )


def _read(outages: Outages) -> tuple[Floats, Floats, Integers, Integers]:
    """Return copies: arrays that cannot be written would have the loop compiled once more."""
    return outages.start.copy(), outages.end.copy(), outages.low.copy(), outages.high.copy()
