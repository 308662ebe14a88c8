"""Plans of list schedulers: what they would do if nobody else came and all ran as requested."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from swfx import InputError
from utilitysched.kernels.plan import planned_starts
from utilitysched.kernels.profile import build, occupy
from utilitysched.kernels.progress import Progress
from utilitysched.kernels.replay import advance
from utilitysched.kernels.reservations import compress, reserve
from utilitysched.kernels.selection import in_order
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.plans import Begun, Planner, Plans, next_pass
from utilitysched.model.scheduling_pass import Releases
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.amounts import easy_starts, has_amounts
from utilitysched.schedulers.pools import seen_on_pool
from utilitysched.schedulers.value import valued, worth_of

if TYPE_CHECKING:
    from utilitysched.schedulers.list_scheduler import ListScheduler

_UNTIL_THE_END = np.iinfo(np.int64).max, np.inf
_NOBODY = Begun(np.empty(0, dtype=np.int64), np.empty(0))


class ListPlans(Planner):
    """The event loop run on, from a state without arrivals; or the reservations that it keeps."""

    reserves = True

    def __init__(self, scheduler: "ListScheduler") -> None:
        self.scheduler = scheduler

    def fork(self) -> "ListPlans":
        """See `Planner`."""
        return ListPlans(self.scheduler.fork())

    def in_force(self, state: QueueState) -> Floats:
        """Return the planned starts by requested times (s)."""
        self._refuse_reservations_of_amounts(state)
        if self.scheduler.placement.keeps_reservations:
            return self._reservations(state, _NOBODY)
        forecast = self.scheduler.forecast(state)
        return self._projection(state, state.known.request[state.queued], forecast)

    def started(
        self,
        state: QueueState,
        begun: Begun,
        seed: int | None,  # noqa: ARG002 - nothing is drawn
    ) -> Plans:
        """Return the plan if the jobs run for given times, and the plan without the jobs.

        Without left-out jobs also the plan decided on, in which they run as requested.
        """
        self._refuse_reservations_of_amounts(state)
        rest, forecast = begun.absent(state), self.scheduler.forecast(state)
        if self.scheduler.placement.keeps_reservations:
            plans, without = self._by_reservations(state, begun)
            kept = np.searchsorted(state.queued, rest.queued)
            plans, without = [plan[kept] for plan in plans], without[kept]
        else:
            plans = self._by_projection(state, begun, rest.queued, forecast)
            without = self._projection(rest, state.known.request[rest.queued], forecast)
        worth = worth_of(rest, forecast)
        return valued(np.array(plans), without, worth, rest.queued, state.known)

    def holders(self, state: QueueState, starts: Integers) -> Integers:
        """Return the first waiting job under EASY, those with a reservation elsewhere."""
        if self.scheduler.placement.name == "easy":
            queue = self.scheduler.ranked(state, self.scheduler.policy(state.known, once=False))
            ranked = in_order(queue.job, queue.score)
            return ranked[~np.isin(ranked, starts)][:1]
        waiting = state.queued[~np.isin(state.queued, starts)]
        return waiting[np.isfinite(self.scheduler.reserved(waiting))]

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Return the plans that begin later and the plans that begin now."""
        plans = [
            self._reservations(state, _NOBODY, forward=True)
            if self.scheduler.placement.keeps_reservations
            else self.in_force(state)
            for state in (replace(waiting, now=later), waiting)
        ]
        worth = worth_of(waiting, self.scheduler.forecast(waiting))
        return valued(plans[0][np.newaxis], plans[1], worth, waiting.queued, waiting.known)

    def _by_reservations(self, state: QueueState, begun: Begun) -> tuple[list[Floats], Floats]:
        """Return planned starts of all queued jobs (s) with the begun jobs, and without them.

        Places of jobs that are in no plan are free.
        """
        gone = np.zeros(len(begun.left_out))
        known = begun.known
        shorter = Begun(np.append(known.job, begun.left_out), np.append(known.duration, gone))
        absent = np.append(begun.job, begun.left_out)
        with_job = [] if len(begun.left_out) else [self.in_force(state)]
        if len(shorter.job):
            with_job.append(self._reservations(state, shorter))
        return with_job, self._reservations(state, Begun(absent, np.zeros(len(absent))))

    def _by_projection(
        self, state: QueueState, begun: Begun, others: Integers, forecast: Forecast
    ) -> list[Floats]:
        """Return planned starts (s) of the others with the begun jobs."""
        if len(begun.left_out):
            beside = begun.running(state)
            return [self._projection(beside, state.known.request[others], forecast)]
        kept = np.searchsorted(state.queued, others)
        request, known = state.known.request[state.queued], begun.known
        plans = [self._projection(state, request, forecast)[kept]]
        if len(known.job):
            request[np.searchsorted(state.queued, known.job)] = known.duration
            plans.append(self._projection(state, request, forecast)[kept])
        return plans

    def _reservations(self, state: QueueState, begun: Begun, *, forward: bool = False) -> Floats:
        """Return the reservations after it is known that jobs which are to start now end early.

        Reservations are put forward in queue order, as after any early end, or if `forward`.
        """
        known, now, jobs = state.known, state.now, state.queued
        # later than reserved only where a job without run time held its processors until now
        reserved = np.maximum(self.scheduler.reserved(jobs), now)
        size, request = known.size[jobs], known.request[jobs].copy()
        running = Releases(state.expected_end, state.running)
        # one more than the jobs: while a reservation is moved it is there twice
        profile = build(now, state.free, running, known.size, len(jobs) + 1)
        # profile of running jobs and reservations
        ends_early = np.isin(jobs, begun.job)
        request[np.searchsorted(jobs, begun.job)] = begun.duration
        columns = (profile.time, profile.free, profile.steps)
        for i in np.flatnonzero(np.isfinite(reserved) & (request > 0)):
            occupy(*columns, reserved[i], reserved[i] + request[i], size[i])
        # reservations move forward in queue order, as after an early end
        if forward or ends_early.any():
            policy = self.scheduler.policy(known, once=False)
            queue = self.scheduler.ranked(state, policy)
            order = np.searchsorted(jobs, in_order(queue.job, queue.score))
            compress(order[~ends_early[order]], request, size, reserved, *columns)
        reserve(np.arange(len(jobs)), request, size, reserved, *columns)
        starts: Floats = reserved
        return starts

    def _projection(self, state: QueueState, request: Floats, forecast: Forecast) -> Floats:
        """Run the event loop on from `state`.

        Parameters
        ----------
        state : QueueState
            k queued jobs.
        request : (k,) float64
            Their requested times (s).
        forecast : Forecast
            That of the queued jobs, by index in arrival order.
        """
        if has_amounts(state.pool) or self.scheduler.reads_usage:
            return self._projection_on_pool(state, request)
        # EASY with a static order: one placement plans all starts
        if self.scheduler.is_plain_easy:
            known = state.known.of(state.queued)._replace(request=request)
            order = np.argsort(self.scheduler.order.fixed_scores(known), kind="stable")
            held = state.expected_end, state.known.size[state.running]
            planned: Floats = planned_starts(
                order, state.now, state.free, known.size, request, *held
            )
            return planned
        # otherwise the event loop, over the present jobs renumbered
        present = np.sort(np.concatenate([state.queued, state.running]))
        queued = np.searchsorted(present, state.queued)
        running = np.searchsorted(present, state.running)
        known = state.known.of(present)
        known.request[queued] = request
        # a running job's end is its start and its request; here all of it is in the start
        known.request[running] = 0.0
        ends = state.expected_end
        progress = Progress.resumed(known, state.now, queued, (running, ends, ends))
        policy = self.scheduler.policy(known, once=True)._replace(learns=False)
        forecast = Forecast(forecast.duration[present], forecast.occupancy[present])
        plan = self.scheduler.placement.blank_plan(len(present), known.machine_size)
        history = RuntimeHistory.blank(0)
        advance(known.request, known, forecast, history, policy, plan, progress, *_UNTIL_THE_END)
        starts: Floats = progress.start[queued]
        return starts

    def _refuse_reservations_of_amounts(self, state: QueueState) -> None:
        if self.scheduler.placement.keeps_reservations and has_amounts(state.pool):
            raise InputError(
                f"what reservations of {self.scheduler.label} are worth on several resources, or"
                " beside windows, is not known",
                field="method",
                remedy="charge by replays (vcg:method=replay), or simulate with easy placement",
            )

    def _projection_on_pool(self, state: QueueState, request: Floats) -> Floats:
        """Return planned starts by several resources, windows or usage; see `_projection`.

        Usage stays what it is now.
        """
        pool, jobs, rank = state.pool, state.queued, self.scheduler.order
        assert pool is not None
        if self.scheduler.is_plain_easy:
            seen = seen_on_pool(state.known, jobs, pool).of(jobs)._replace(request=request)
            order = np.argsort(rank.fixed_scores(seen), kind="stable")
            return easy_starts(state, jobs, request, order)
        # otherwise the scheduler is asked at one instant after the other
        requests = state.known.request.copy()
        requests[jobs] = request
        known, scheduler = state.known._replace(request=requests), self.scheduler.fork()
        none, times = _NOBODY.job, _NOBODY.duration
        later = replace(state, known=known, finished=none, finished_run=times, finished_end=times)
        starts = np.full(len(requests), np.inf)
        while len(later.queued) and later.now < np.inf:
            decision = scheduler.decide(later)
            starts[decision.starts] = later.now
            later = next_pass(later, decision)
        return starts[jobs]
