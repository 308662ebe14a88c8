"""Schedulers of the engine, asked by its readable twin."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from checkpoint.failures import Outages
from tests.preempting import Case
from tests.reference.protocol import Choice, State
from utilitysched import QueueState, make_scheduler
from utilitysched.engine.conditions import StopTerms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Floats, Integers, JobTable, Preemption

Bools = NDArray[np.bool_]


class Translated:
    """Shows a scheduler what the engine would show it: jobs, behind them what is down.

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
        self.known, self.outages = arrivals.known, outages
        self.terms = StopTerms.of(case.workload, arrivals.order, case.rules)
        self.scheduler = make_scheduler(scheduler)
        self.scheduler.prepare(Setting(case.processors, arrivals.longest_request, seed))

    def choose(self, state: State) -> Choice:
        """Return what it decides."""
        seen = self._state(state)
        decision = self.scheduler.decide(seen)
        order = seen.queued if decision.order is None else decision.order
        columns = decision.preempts, decision.starts, order
        return Choice(*(column.tolist() for column in columns))

    def _state(self, state: State) -> QueueState:
        come = len(state.places)
        down = (self.outages.start <= state.now) & (self.outages.end > state.now)
        end, running = self._running(state, self.outages.end[down], come)
        ended = list(zip(*state.ended, strict=True)) or [(), (), ()]
        return QueueState(
            state.now,
            state.free,
            np.array([seen.number for seen in state.queued], dtype=np.int64),
            running,
            end,
            np.array(ended[0], dtype=np.int64),
            np.array(ended[1], dtype=np.float64),
            self._known(state, down),
            self._preemption(state, down),
            state.disrupted,
        )

    def _running(self, state: State, repair: Floats, come: int) -> tuple[Floats, Integers]:
        """Return the jobs in the order of the twin, outages between them."""
        soon = math.nextafter(state.now, math.inf)
        jobs = [(end, seen.number) for end, seen in state.running]
        down = [(end, come + place) for place, end in enumerate(repair.tolist())]
        assert sorted(repair.tolist()) == [end for end, _ in state.repairs]
        late = [pair for pair in jobs if pair[0] <= soon]  # in the order of their limits
        pairs = late + sorted([pair for pair in jobs if pair[0] > soon] + down)
        end, rows = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(end, dtype=np.float64), np.array(rows, dtype=np.int64)

    def _known(self, state: State, down: Bools) -> JobTable:
        known, out = self.known.of(np.array(state.places)), self.outages
        submit = np.array([job.submit for job in state.come])
        request = known.request.copy()
        for seen in [*state.queued, *(seen for _, seen in state.running)]:
            request[seen.number] = seen.request
        start, nothing = out.start[down], np.zeros(np.count_nonzero(down), dtype=np.int64)
        return known._replace(
            submit=np.append(submit, start),
            arrival=np.append(submit, start) - submit[0],
            size=np.append(known.size, (out.high - out.low)[down]),
            request=np.append(request, (out.end - out.start)[down]),
            priority=np.append(known.priority, nothing),
            user=np.append(known.user, nothing - 1),
            offsets=np.append(known.offsets, nothing + known.offsets[-1]),
        )

    def _preemption(self, state: State, down: Bools) -> Preemption:
        places, failed = np.array(state.places), int(np.count_nonzero(down))
        rows = len(places) + failed
        told = Preemption(
            np.append(self.terms.interval[places], np.full(failed, -1.0)),
            np.append(self.terms.overhead[places], np.zeros(failed)),
            np.zeros(rows, dtype=np.int64),
            np.append(np.array(state.last_start, dtype=np.float64), self.outages.start[down]),
            np.zeros(rows),
        )
        for seen in [*state.queued, *(seen for _, seen in state.running)]:
            told.preemptions[seen.number] = seen.preemptions
            told.paid[seen.number] = seen.paid
        return told
