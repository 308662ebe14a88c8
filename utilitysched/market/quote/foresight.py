"""Foresight of what a scheduler will do: compiled, by a plan followed, or asked at every event."""

from copy import deepcopy
from dataclasses import replace
from functools import partial

import numpy as np

from swfx import InputError
from utilitysched.counterfactual.branch import branch
from utilitysched.counterfactual.holding_times import HoldingTimes
from utilitysched.engine.rollout import planner_of
from utilitysched.engine.segments_log import SegmentEntry
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.futures import (
    Decided,
    Displacements,
    Foresight,
    Futures,
    Times,
    played,
)
from utilitysched.market.quote.plan_followed import PlanFollowed
from utilitysched.market.quote.resumed import compiled_simulation_of, drawn, simulation_of
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.scheduler import Scheduler, Wrapper, scheduler_of
from utilitysched.model.state import Decision, Floats, QueueState
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.list_scheduler import ListScheduler


def foresight_of(
    scheduler: Scheduler, snapshot: Snapshot, seed: int = 0, *, replan: bool = False
) -> Foresight:
    """Return who can tell what a scheduler will do.

    Parameters
    ----------
    scheduler : Scheduler
        About whom.
    snapshot : Snapshot
        From when on. Where it says what preempting jobs means, only who is asked at every event
        can tell.
    seed : int
        Of what it draws.
    replan : bool
        Let the genetic scheduler search again at every event, as it really does, in place of
        following one plan: a hundred times as long.

    Raises
    ------
    InputError
        It preempts running jobs, and the snapshot does not say what that means.
    """
    if scheduler.preempts and not snapshot.rules:
        raise InputError(
            f"{scheduler.label} preempts running jobs, and the snapshot does not say what that"
            " would mean",
            field="scheduler",
            remedy="name one that does not, or take a moment of a run of it",
        )
    if snapshot.rules:
        return AskedForesight(scheduler, seed)
    if scheduler.order_search is not None and not replan:
        return PlanFollowed(scheduler.order_search, seed)
    if scheduler.compiled is not None and not scheduler.keeps_reservations:
        return CompiledForesight(scheduler.compiled)
    return AskedForesight(scheduler, seed)


class CompiledForesight:
    """Orderings with placements that decide by the queue and the running jobs."""

    def __init__(self, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        self.bids_matter = scheduler.bids_matter

    def futures(
        self,
        scenario: Scenario,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scenario in the compiled event loop."""
        baseline = compiled_simulation_of(scenario, self.scheduler)

        def play(run: Floats) -> Times:
            simulation = branch(baseline, drawn(scenario, run))
            simulation.advance(np.inf)
            return simulation.start, simulation.end

        times = played(runs, play)
        return Futures(scenario, runs, *times, partial(self._decided, scenario, runs, *times))

    def _decided(
        self, scenario: Scenario, runs: Floats, start: Floats, end: Floats, sample: int
    ) -> list[Decided]:
        state, starts = scenario.start_of_job(start[sample], end[sample])
        if self.scheduler.remembers:
            brought_to(scenario.snapshot, self.scheduler)
            ended = scenario.ended_until(end[sample], state.now)
            taught = replace(state, finished=ended, finished_run=runs[sample, ended])
            self.scheduler.decide(taught)
        return [Decided.without_preemption(state, starts, planner_of(self.scheduler))]


class AskedForesight:
    """Any scheduler, asked at every event; it remembers no plan, and promises are made now."""

    def __init__(self, scheduler: Scheduler, seed: int) -> None:
        self.scheduler = scheduler
        self.seed = seed
        self.bids_matter = scheduler.bids_matter

    def futures(
        self,
        scenario: Scenario,
        runs: Floats,
        *,
        roughly: bool = False,  # noqa: ARG002 - there is no faster way
    ) -> Futures:
        """Play a scenario in the event loop for schedulers that decide in Python."""
        decided: list[list[Decided]] = []
        kept: list[Floats] = []
        ran: list[list[SegmentEntry]] = []
        brought_to(scenario.snapshot, self.scheduler, self.seed)
        baseline = simulation_of(scenario, self.scheduler)
        reserved = self.scheduler.keeps_reservations

        def play(run: Floats) -> Times:
            simulation = branch(baseline, drawn(scenario, run, reserved=reserved))
            recorder = RecordingScheduler(scheduler_of(simulation.scheduler), scenario.job)
            simulation.scheduler = recorder
            if not reserved:
                simulation.finished = scenario.finished.tolist()
                simulation.useful_run = run[scenario.finished].tolist()
                simulation.finished_end = [scenario.snapshot.now] * len(scenario.finished)
            simulation.finish(None)
            start, times = simulation.start, HoldingTimes()
            if simulation.restarts is not None:
                start = simulation.restarts.first_starts(start)
                times = HoldingTimes.of_simulation(simulation)
                entries = simulation.restarts.entries
                jobs, done = [entry.job for entry in entries], [entry.kept for entry in entries]
                kept.append(np.bincount(jobs, done, len(run)).astype(np.float64))
                ran.append(entries)
            decided.append(recorder.decided(times))
            start[scenario.running] = scenario.begun
            if scenario.stops is not None:
                before = scenario.stops.seen.last_start
                start = np.where(np.isnan(before), start, before)
            return start, simulation.end

        times = played(runs, play)
        used = np.array(kept) if kept else None
        stops = Displacements.of(ran, scenario.job) if ran else None
        asked = decided.__getitem__
        return Futures(scenario, runs, *times, asked, used, thorough=True, displacements=stops)


class RecordingScheduler(Wrapper):
    """A scheduler that decides as another does, and keeps what that knew when a job started."""

    def __init__(self, scheduler: Scheduler, job: int) -> None:
        super().__init__(scheduler)
        self.job = job
        self._plans = planner_of(scheduler)
        self._seen: list[Decided] = []

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._plans.deciding()
        decision = self.scheduler.decide(state)
        if self.job in decision.starts:
            freely = len(decision.starts) == len(state.queued) and not len(decision.preempts)
            # what is seen of jobs that are stopped changes as they are
            state = state if state.preemption is None else deepcopy(state)
            self._seen.append(Decided(state, decision.starts, freely, self._plans.fork()))
        return decision

    def decided(self, times: HoldingTimes) -> list[Decided]:
        """Return the passes in which the job started."""
        return [
            seen._replace(held=times.of(self.job, start)) for start, seen in enumerate(self._seen)
        ]
