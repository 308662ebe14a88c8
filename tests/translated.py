"""Schedulers of the engine, asked by its readable twin."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from checkpoint.failures import Outages
from tests.preempting import Case
from tests.reference.preemptive import Choice, State
from utilitysched import QueueState, make_scheduler
from utilitysched.engine.preemptive import Terms
from utilitysched.engine.preemptive.rows import Rows
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats, Integers, JobTable, Preemption


class Translated:
    """Shows a scheduler what the engine would show it: jobs and outages numbered as they come.

    Parameters
    ----------
    case : Case
        What is scheduled.
    outages : Outages
        Those of the case.
    scheduler : str
        Its text.
    seed : int
        Of its draws.
    """

    def __init__(self, case: Case, outages: Outages, scheduler: str, seed: int) -> None:
        arrivals = Arrivals.of(case.workload, case.processors)
        terms = Terms.of(case.workload, arrivals.order, case.rules)
        rows = Rows.of(arrivals, terms, outages)
        self.known, self.terms, self.outages = rows.arrivals.known, rows.terms, outages
        self.row = rows.of_jobs
        self.down = np.flatnonzero(rows.outage >= 0)
        self.number = {row: number for number, row in enumerate(self.row.tolist())}
        self.scheduler = make_scheduler(scheduler)
        self.scheduler.prepare(Setting(case.processors, arrivals.longest_request, seed))

    def choose(self, state: State) -> Choice:
        """Return what it decides."""
        seen = self._state(state)
        decision = self.scheduler.decide(seen)
        order = seen.queued if decision.order is None else decision.order
        columns = decision.preempts, decision.starts, order
        return Choice(*([self.number[row] for row in column.tolist()] for column in columns))

    def _state(self, state: State) -> QueueState:
        end, running = self._running(state)
        ended = list(zip(*state.ended, strict=True)) or [(), (), ()]
        return QueueState(
            state.now,
            state.free,
            self._rows([seen.number for seen in state.queued]),
            running,
            end,
            self._rows(ended[0]),
            np.array(ended[1], dtype=np.float64),
            self._known(state),
            self._preemption(state),
        )

    def _rows(self, numbers: Sequence[int]) -> Integers:
        return self.row[np.array(numbers, dtype=np.int64)]

    def _running(self, state: State) -> tuple[Floats, Integers]:
        """Return the jobs in the order of the twin, outages between them."""
        now = (self.outages.start <= state.now) & (self.outages.end > state.now)
        soon = math.nextafter(state.now, math.inf)
        jobs = [(end, int(self.row[seen.number])) for end, seen in state.running]
        down = list(zip(self.outages.end[now].tolist(), self.down[now].tolist(), strict=True))
        assert sorted(end for end, _ in down) == state.repairs
        late = [pair for pair in jobs if pair[0] <= soon]  # in the order of their limits
        pairs = late + sorted([pair for pair in jobs if pair[0] > soon] + down)
        end, rows = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(end, dtype=np.float64), np.array(rows, dtype=np.int64)

    def _known(self, state: State) -> JobTable:
        request = self.known.request.copy()
        for seen in [*state.queued, *(seen for _, seen in state.running)]:
            request[self.row[seen.number]] = seen.request
        return self.known._replace(request=request).first(self._come(state))

    def _preemption(self, state: State) -> Preemption:
        told = self.terms.at_first()
        started = np.array(state.last_start, dtype=np.float64)  # None is not a number
        told.last_start[self.row[: len(started)]] = started
        told.last_start[self.down] = self.outages.start
        for seen in [*state.queued, *(seen for _, seen in state.running)]:
            told.bumps[self.row[seen.number]] = seen.bumps
            told.paid[self.row[seen.number]] = seen.paid
        return told.first(self._come(state))

    def _come(self, state: State) -> int:
        return int(np.searchsorted(self.known.submit, state.now, side="right"))
