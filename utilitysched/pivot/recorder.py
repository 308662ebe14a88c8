"""Reading pivot charges off a scheduler while it decides."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pricing.pivots import Losses, Pivots
from swfx import InputError
from utilitysched.forecast import ForecastRule
from utilitysched.history import History
from utilitysched.pivot.comparison import Comparison, compare, unhindered
from utilitysched.pivot.planner import planner_of
from utilitysched.scheduler import Decider, Setting
from utilitysched.state import Decision, Floats, Integers, QueueState


@dataclass(frozen=True)
class Settlement:
    """How a job's start is charged.

    Attributes
    ----------
    duration : {"requested", "expected", "actual"}
        For how long the job is taken to stand in the way of the others: its requested time, as the
        scheduler planned; the mean of run times that its user's and the log's latest jobs suggest
        (`utilitysched.forecast`); or, settled when it has completed, the time that it ran.
    searches : int
        Searches for the plan without the job, each with draws of its own; the charge is their
        mean. A scheduler that does not draw needs one.
    """

    duration: Literal["requested", "expected", "actual"] = "requested"
    searches: int = 1


class PivotRecorder:
    """A scheduler that decides as another does, and records what each start costs the rest.

    Parameters
    ----------
    scheduler : Decider
        With plans: see `planner_of`.
    settlement : Settlement
        How starts are charged.
    run : (n,) float64, optional
        Run times (s) in arrival order, needed to settle by actual durations. The scheduler does
        not see them.

    Raises
    ------
    InputError
        The scheduler makes no plans, or run times are needed and not given.
    """

    def __init__(
        self, scheduler: Decider, settlement: Settlement | None = None, run: Floats | None = None
    ) -> None:
        self.scheduler = scheduler
        self.settlement = settlement or Settlement()
        self.planner = planner_of(scheduler)
        self.label = str(getattr(scheduler, "label", ""))
        self.stochastic = bool(getattr(scheduler, "stochastic", False))
        self._run = run
        if self.settlement.duration == "actual" and run is None:
            raise InputError("actual durations are not given", field="run")
        self.prepare(Setting(machine_size=1, longest_request=0.0, seed=0))

    @property
    def options(self) -> Mapping[str, object]:
        """Options of the scheduler."""
        return dict(getattr(self.scheduler, "options", {}))

    @property
    def starvation_threshold(self) -> float:
        """That of the scheduler (s)."""
        return float(getattr(self.scheduler, "starvation_threshold", math.inf))

    def prepare(self, setting: Setting) -> None:
        """Forget everything and get ready for a new workload."""
        prepare = getattr(self.scheduler, "prepare", None)
        if prepare:
            prepare(setting)
        self._seed = setting.seed
        self._history = History(ForecastRule("expected"))
        self._started: list[tuple[int, Comparison]] = []

    def decide(self, state: QueueState) -> Decision:
        """Return what the scheduler decides."""
        if self.settlement.duration == "expected":
            self._history.observe(state)
        decision = self.scheduler.decide(state)
        starts = decision.starts.tolist()
        everybody = len(starts) == len(state.queued)
        for job in starts:
            others = state.queued[state.queued != job]
            compared = unhindered(others) if everybody else self._compared(state, job, others)
            self._started.append((job, compared))
        return decision

    def pivots(self, order: Integers) -> Pivots:
        """Return what was recorded.

        Parameters
        ----------
        order : (n,) int64
            Position in the workload of each job in arrival order: `Arrivals.order`.
        """
        jobs = len(order)
        others = np.zeros(jobs, dtype=np.int64)
        with_job, without_job, error = np.full((3, jobs), np.nan)
        charge = np.zeros(jobs)
        for index, compared in self._started:
            job = order[index]
            others[job] = len(compared.others)
            with_job[job], without_job[job] = compared.with_job, compared.without_job
            charge[job], error[job] = compared.charge, compared.error
        return Pivots(others, with_job, without_job, charge, error, self._losses(order))

    def _compared(self, state: QueueState, job: int, others: Integers) -> Comparison:
        worth = self.planner.worth(replace(state, queued=others))
        kept = [plan[state.queued != job] for plan in self._plans(state, job)]
        searches = self.settlement.searches if self.planner.searches else 1
        found = [
            self.planner.without(state, job, _search_seed(self._seed, job, search))
            for search in range(searches)
        ]
        return compare(others, worth, kept, found)

    def _plans(self, state: QueueState, job: int) -> list[Floats]:
        """Return the plans with the job: that in force, and that for its duration if another."""
        plans = [self.planner.in_force(state)]
        duration = self._duration(state, job)
        if duration is not None:
            plans.append(self.planner.with_duration(state, job, duration))
        return plans

    def _duration(self, state: QueueState, job: int) -> float | None:
        """Return for how long the job is in the way (s), None if as planned."""
        if self.settlement.duration == "actual" and self._run is not None:
            return float(self._run[job])
        if self.settlement.duration == "expected":
            return float(self._history.forecast(state).duration[job].mean())
        return None

    def _losses(self, order: Integers) -> Losses:
        causes, victims, losses = [], [], []
        for index, compared in self._started:
            lost = np.flatnonzero(compared.loss)
            causes.append(np.full(len(lost), order[index]))
            victims.append(order[compared.others[lost]])
            losses.append(compared.loss[lost])
        nobody, nothing = np.empty(0, dtype=np.int64), np.empty(0)
        return Losses(
            np.concatenate([nobody, *causes]),
            np.concatenate([nobody, *victims]),
            np.concatenate([nothing, *losses]),
        )


def _search_seed(seed: int, job: int, search: int) -> int:
    """Return the seed of one search without `job`; a scheduler keys it by the instant besides."""
    return int(np.random.SeedSequence([seed % 2**63, job, search]).generate_state(1)[0])
