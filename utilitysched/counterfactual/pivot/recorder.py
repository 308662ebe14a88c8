"""Reading pivot charges off a scheduler while it decides."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from pricing.counterfactual import PivotRule
from pricing.pivots import Pivots
from swfx import InputError
from utilitysched.counterfactual.pivot.comparison import PlanComparison, compare, unhindered
from utilitysched.counterfactual.pivot.holding_times import HoldingTimes
from utilitysched.counterfactual.pivot.state_after import state_after
from utilitysched.counterfactual.pivot.tally import PivotTally, Started
from utilitysched.engine.rollout import planner_of
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.plans import Plans
from utilitysched.model.scheduler import Decider, Setting, Wrapper, scheduler_of
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.history import History


class PivotRecorder(Wrapper):
    """A scheduler that decides as another does, and records what each start costs the rest.

    A job that is stopped and starts again is compared at each start. Where it was stopped, it stood
    in the way of the others for as long as it held its processors, whatever else is agreed.

    Parameters
    ----------
    scheduler : Decider
        Whose plans are compared: see `utilitysched.engine.rollout.planner_of`.
    rule : PivotRule
        How starts are charged.
    users : bool
        Agents are users: what a job takes from other jobs of its user is not charged.
    player : (n,) int64, optional
        Agents are these, in arrival order, -1 for jobs that are one by themselves: likewise.
    run : (n,) float64, optional
        Run times (s) in arrival order, needed to settle by actual durations. The scheduler does
        not see them.
    only : collection of int, optional
        Jobs that are compared, in arrival order; default: all.

    Attributes
    ----------
    run : (n,) float64 or None
        The run times given.
    holding_times : HoldingTimes
        How long each start of jobs that are stopped held its processors. The scheduler does not see
        them.

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
        users: bool = False,
        player: Integers | None = None,
        only: Collection[int] | None = None,
    ) -> None:
        decider = scheduler_of(scheduler)
        super().__init__(decider)
        self.charged = rule or PivotRule()
        self.users = users
        self.player = player
        self.only = only
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
        self._held: list[tuple[int, QueueState]] = []

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        self._settle_reservations(state.now)
        if self.charged.duration == "expected":
            self._history.observe(state)
        self.plans.deciding()
        decision = self.scheduler.decide(state)
        starts = decision.starts.tolist()
        # nobody is in the way if all start, and nobody is preempted for that
        freely = len(starts) == len(state.queued) and not len(decision.preempts)
        for job in filter(self._is_compared, starts):
            others = state.queued[state.queued != job]
            compared = unhindered(others) if freely else self._compared(state, job)
            held = self.holding_times.of(job, self._begun[job])
            self._tally.started.append(Started(job, compared, state.now, held.stopped_after))
            self._begun[job] += 1
        if self.charged.reservations and not freely:
            self._note_reservations(state, decision)
        return decision

    def fork(self, seed: int | None = None) -> Self:
        """Return a recorder that goes on from here; it has recorded nothing so far."""
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
        held = tuple((holder, waiting.now) for holder, waiting in self._held)
        history = self._history.memory() if self.charged.duration == "expected" else None
        return super().memory_of(queued), held, history

    def pivots(self, order: Integers) -> Pivots:
        """Return what was recorded.

        Parameters
        ----------
        order : (n,) int64
            Position in the workload of each job in arrival order: `Arrivals.order`. -1 for what is
            no job.
        """
        return self._tally.pivots(order)

    def _is_compared(self, job: int) -> bool:
        return self.only is None or job in self.only

    def _compared(self, state: QueueState, job: int) -> PlanComparison:
        duration = self._duration(state, job)
        searches = self.charged.searches if self.plans.searches else 1
        seeds = [None, *(_search_seed(self._seed, job, search) for search in range(1, searches))]
        found = [self.plans.started(state, job, duration, seed) for seed in seeds]
        return self._compare(state, job, found)

    def _compare(self, state: QueueState, job: int, found: list[Plans]) -> PlanComparison:
        """Compare the plans of those whom the job is charged for."""
        player = state.known.user if self.users else self.player
        if player is None:
            return compare(found)
        others = found[0].job
        kept = (player[others] != player[job]) | (player[others] < 0)
        return compare([plans.of(kept) for plans in found])

    def _note_reservations(self, state: QueueState, decision: Decision) -> None:
        """Remember whose reservation holds back a waiting job that the free processors hold."""
        waiting = state_after(state, decision)
        jobs = waiting.queued
        fitting = jobs[waiting.known.size[jobs] <= waiting.free]
        holders = self.plans.holders(state, decision.starts).tolist() if len(fitting) else []
        for holder in filter(self._is_compared, holders):
            if (fitting != holder).any():
                rest = replace(waiting, queued=jobs[jobs != holder])
                self._held.append((holder, rest))

    def _settle_reservations(self, now: float) -> None:
        """Compare plans from the latest pass on with plans from now on, before anything changes."""
        for holder, waiting in self._held:
            if waiting.now < now:
                plans = self.plans.held(waiting, now)
                compared = self._compare(waiting, holder, [plans])
                self._tally.held.append((holder, compared))
        self._held.clear()

    def _duration(self, state: QueueState, job: int) -> float | None:
        """Return for how long the job is in the way (s), None if as planned."""
        held = self.holding_times.of(job, self._begun[job])
        if not math.isnan(held.stopped_after):
            return held.stopped_after
        if self.charged.duration == "actual" and self.run is not None:
            return float(self.run[job]) if math.isnan(held.lasted) else held.lasted
        if self.charged.duration == "expected":
            return float(self._history.forecast(state).duration[job].mean())
        return None


def _search_seed(seed: int, job: int, search: int) -> int:
    """Return the seed of one search around `job`; a scheduler keys it by the instant besides."""
    return int(np.random.SeedSequence([seed % 2**63, job, search]).generate_state(1)[0])
