"""Pivot charges: what a job's start costs the others, by plans made in one state.

When a job starts, the plan in force is compared with the best plan of the same queue without it.
Both are made in the same state from what is known there, so nothing can drift apart as it does in
two replays of the log. The other queued jobs of the same player are in neither plan.

References
----------
Bergemann, D., Valimaki, J. (2010). The dynamic pivot mechanism. Econometrica 78(2), 771-789.
Parkes, D. C., Singh, S. (2003). An MDP-based approach to online mechanism design. NIPS 16.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Self, cast

import numpy as np

from pricing.counterfactual import PivotRule
from pricing.pivots import Pivots
from swfx import InputError
from utilitysched.counterfactual.holding_times import HoldingTimes, assumed_durations
from utilitysched.counterfactual.plan_comparison import (
    Noted,
    PivotTally,
    PlanComparison,
    Players,
    compare,
    compare_starts,
    shares,
    unhindered,
)
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.rollout import planner_of
from utilitysched.engine.simulation import Simulation
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.plans import Begun, state_after
from utilitysched.model.scheduler import Decider, Setting, Wrapper, scheduler_of
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.history import History


class PivotRecorder(Wrapper):
    """A scheduler that decides as another does, and records what each start costs the rest.

    Jobs of one player that start in a pass are compared together, and each is charged its part: by
    the processor-seconds that it requests, nothing else being known of them alone. So are those
    that hold reservations in a pass.

    A job that is stopped and starts again is compared at each start. Where it was stopped, it stood
    in the way of the others for as long as it held its processors, whatever else is agreed.

    Parameters
    ----------
    scheduler : Decider
        Whose plans are compared: see `utilitysched.engine.rollout.planner_of`.
    rule : PivotRule
        How starts are charged.
    player : (n,) int64, optional
        Whose each job is, in arrival order: what a job takes from others of its player is not
        charged. -1 for one that is a player by itself, as all are by default.
    run : (n,) float64, optional
        Run times (s) in arrival order, needed to settle by actual durations. The scheduler does
        not see them.
    only : collection of int, optional
        Jobs that are compared, in arrival order; default: all.
    before_search : callable, optional
        Takes the number of queued jobs before plans of these are searched for; may raise to end
        this.

    Attributes
    ----------
    run : (n,) float64 or None
        The run times given.
    holding_times : HoldingTimes
        How long each start of jobs that are stopped held its processors. The scheduler does not see
        them.
    players : Players
        Whose jobs are whose.

    Raises
    ------
    InputError
        What the scheduler's reservations cost is asked and cannot be told, or run times are needed
        and not given.
    """

    def __init__(
        self,
        scheduler: Decider,
        rule: PivotRule | None = None,
        run: Floats | Sequence[float] | None = None,
        *,
        player: Integers | None = None,
        only: Collection[int] | None = None,
        before_search: Callable[[int], None] = lambda _: None,
    ) -> None:
        decider = scheduler_of(scheduler)
        super().__init__(decider)
        self.charged = rule or PivotRule()
        self.players = Players(player)
        self.only = only
        self.before_search = before_search
        self.plans = planner_of(decider)
        self.run = run
        self.holding_times = HoldingTimes()
        if self.charged.reservations and not self.plans.reserves:
            raise InputError(
                f"what a reservation of {self.label} costs is not known",
                field="reservations",
                remedy="leave it out",
            )
        if self.charged.duration == "actual" and run is None:
            raise InputError("actual durations are not given", field="run")
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        super().prepare(setting)
        self._seed = setting.seed
        self._history = History(ForecastRule("expected"))
        self._tally = PivotTally()
        self._begun: Counter[int] = Counter()
        self._held: list[tuple[list[int], QueueState]] = []

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._settle_reservations(state.now)
        if self.charged.duration == "expected":
            self._history.observe(state)
        self.plans.deciding()
        decision = self.scheduler.decide(state)
        starts = decision.starts.tolist()
        for jobs in self.players.together(starts):
            if any(map(self._is_compared, jobs)):
                self._note(state, decision, jobs)
            self._begun.update(jobs)
        if self.charged.reservations and len(starts) < len(state.queued):
            self._note_reservations(state, decision)
        return decision

    def fork(self, seed: int | None = None) -> Self:
        """Return a copy of the recorder without records."""
        other = super().fork(seed)
        other.plans = planner_of(scheduler_of(other.scheduler))
        other._history = self._history.fork()
        other._tally = PivotTally()
        other._begun = self._begun.copy()
        other._held = self._held.copy()
        if seed is not None:
            other._seed = seed
        return other

    def memory_of(self, queued: Integers) -> object:
        """Return what can change a decision or a charge on these jobs or later ones."""
        held = tuple((*holders, waiting.now) for holders, waiting in self._held)
        history = self._history.memory() if self.charged.duration == "expected" else None
        return super().memory_of(queued), held, history

    def pivots(self, order: Integers) -> Pivots:
        """Return the recorded comparisons as evidence of charges.

        Parameters
        ----------
        order : (n,) int64
            Position in the workload of each job in arrival order: `Arrivals.order`. -1 for what is
            no job.
        """
        return self._tally.pivots(order)

    def tally(self, places: Integers) -> PivotTally:
        """Return the recorded comparisons, jobs by other numbers: place `i` has that of job i."""
        return self._tally.renumbered(places)

    def _note(self, state: QueueState, decision: Decision, jobs: list[int]) -> None:
        """Record the costs to other players of the starts of one player's jobs."""
        others = state.queued[self.players.others(state.queued, jobs)]
        # nobody is in the way if all others start, and nobody is preempted for that
        waits = len(others) > len(decision.starts) - len(jobs)
        if waits or len(decision.preempts):
            compared = self._compared(state, jobs)
        else:
            compared = unhindered(others)
        for job, part in self._parts(state, jobs, compared):
            held = self.holding_times.of(job, self._begun[job])
            self._tally.started.append(Noted(job, part, state.now, held.stopped_after))

    def _parts(
        self, state: QueueState, jobs: list[int], compared: PlanComparison
    ) -> Iterator[tuple[int, PlanComparison]]:
        """Yield the part of each job that is compared in what some jobs of a player cost."""
        weight = state.known.size[jobs] * state.known.request[jobs]
        for job, share in zip(jobs, shares(weight), strict=True):
            if self._is_compared(job):
                yield job, compared.part(share)

    def _is_compared(self, job: int) -> bool:
        return self.only is None or job in self.only

    def _compared(self, state: QueueState, jobs: list[int]) -> PlanComparison:
        begun = Begun(np.array(jobs), self._durations(state, jobs))
        searches = self.charged.searches if self.plans.searches else 1
        if self.plans.searches:
            self.before_search(len(state.queued))
        drawn = (_search_seed(self._seed, jobs[0], search) for search in range(1, searches))
        return compare_starts(self.plans, state, begun, self.players, (None, *drawn))

    def _note_reservations(self, state: QueueState, decision: Decision) -> None:
        """Remember whose reservations hold back a waiting job that the free processors hold."""
        waiting = state_after(state, decision)
        jobs = waiting.queued
        fitting = jobs[waiting.known.size[jobs] <= waiting.free]
        holders = self.plans.holders(state, decision.starts).tolist() if len(fitting) else []
        for together in self.players.together(holders):
            if not any(map(self._is_compared, together)):
                continue
            if self.players.others(fitting, together).any():
                rest = jobs[self.players.others(jobs, together)]
                self._held.append((together, replace(waiting, queued=rest)))

    def _settle_reservations(self, now: float) -> None:
        """Compare plans from the latest pass on with plans from now on, before anything changes."""
        for holders, waiting in self._held:
            if waiting.now < now:
                plans = self.plans.held(waiting, now)
                compared = compare([plans], self.players.others(plans.job, holders))
                for job, part in self._parts(waiting, holders, compared):
                    self._tally.held.append(Noted(job, part, waiting.now))
        self._held.clear()

    def _durations(self, state: QueueState, jobs: list[int]) -> Floats:
        """Return for how long jobs are in the way (s), NaN if as planned."""
        held = [self.holding_times.of(job, self._begun[job]) for job in jobs]
        run = expected = None
        if self.charged.duration == "actual" and self.run is not None:
            run = np.asarray(self.run)[jobs]
        if self.charged.duration == "expected":
            expected = self._history.forecast(state).duration[jobs].mean(axis=1)
        return assumed_durations(held, expected, run)


def _search_seed(seed: int, job: int, search: int) -> int:
    """Return the seed of one search around `job`; a scheduler keys it by the instant besides."""
    return int(np.random.SeedSequence([seed % 2**63, job, search]).generate_state(1)[0])


class PoolRecorders(NamedTuple):
    """Recorders of the pools of a simulation, or the only one where there are no pools.

    Attributes
    ----------
    parts : list of Simulation
        The simulation of each.
    jobs : list of (m,) int64
        Place in arrival order of each of its jobs.
    """

    parts: Sequence[Simulation]
    jobs: list[Integers]

    @classmethod
    def of(cls, simulation: Simulation | MachineSimulation) -> Self:
        """Return the recorders of a simulation before its first event."""
        if isinstance(simulation, MachineSimulation):
            return cls(simulation.pools, [pool.tables.jobs for pool in simulation.pools])
        return cls([simulation], [np.arange(len(simulation.start))])

    def begin(
        self,
        player: Integers,
        first: Simulation | MachineSimulation | None = None,
        only: Collection[int] | None = None,
    ) -> None:
        """Tell recorders what they need to know of jobs, in arrival order.

        Parameters
        ----------
        player : (n,) int64
            Whose each is; see `PivotRecorder`.
        first : Simulation or MachineSimulation, optional
            The same simulation, played, where jobs can be stopped: how long each start lasts is
            known before plans at it are compared.
        only : collection of int, optional
            Jobs that are compared; default: all.
        """
        played = None if first is None else PoolRecorders.of(first).parts
        for number, (part, jobs) in enumerate(zip(self.parts, self.jobs, strict=True)):
            recorder = cast("PivotRecorder", part.scheduler)
            recorder.run = part.table.run
            recorder.players = Players(player[jobs], part.source.places)
            recorder.only = only
            if only is not None:
                recorder.only = frozenset(np.flatnonzero(np.isin(jobs, [*only])).tolist())
            if played is not None:
                recorder.holding_times = HoldingTimes.of_simulation(played[number])

    def pivots(self, order: Integers) -> Pivots:
        """Return the recorded comparisons as evidence of charges; see `PivotRecorder.pivots`."""
        whole = PivotTally()
        for part, jobs in zip(self.parts, self.jobs, strict=True):
            numbers = jobs[np.array(part.source.places, dtype=np.int64)]
            tally = cast("PivotRecorder", part.scheduler).tally(numbers)
            whole.started.extend(tally.started)
            whole.held.extend(tally.held)
        return whole.pivots(order)
