"""Charges of the quoted job in each future."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

import pricing
from pricing import Pivots, ReplayRule, Replays
from pricing.counterfactual import ACCOUNTS, JOBS, Duration, PivotRule
from pricing.reader import WorkStarts
from pricing.registry import PriceMechanism
from swfx import InputError, UtilityTable, Workload
from utilitysched.counterfactual.holding_times import HoldingTime, assumed_durations
from utilitysched.counterfactual.plan_comparison import (
    Noted,
    PivotTally,
    PlanComparison,
    Players,
    compare_starts,
    shares,
    unhindered,
)
from utilitysched.market.quote.futures import Decided, Futures
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.plans import Begun
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.history import History

EFFORT = 200_000
"""Searches for plans times the third power of the jobs in the queue, about."""


@dataclass(frozen=True, eq=False)
class FutureCharges:
    """Charges in S futures.

    A mechanism looks at as much of each future as its `scope` says, so that most are asked once
    for all samples.

    Attributes
    ----------
    futures : Futures
        The futures.
    seed : int
        Seed of further searches, where a mechanism asks for such.
    rule : ForecastRule, optional
        How the scheduler reads utility functions, where mechanisms charge by that.
    before_plans : callable
        Called before plans are compared with the number of queued jobs to search plans for, 0 where
        plans need no search; may raise to end this.
    """

    futures: Futures
    seed: int = 0
    rule: ForecastRule | None = None
    before_plans: Callable[[int], None] = lambda _: None

    def by(self, mechanism: PriceMechanism) -> Floats:
        """Return what the job pays in each sample (SU), shape (S,).

        Raises
        ------
        InputError
            The mechanism cannot charge in advance.
        """
        if mechanism.scope == "job":
            return self._by_job(mechanism)
        if mechanism.scope == "round":
            return self._by_round(mechanism)
        return self._by_schedule(mechanism)

    def _by_job(self, mechanism: PriceMechanism) -> Floats:
        """Price the job of every sample as if all were jobs of one workload."""
        futures, job = self.futures, self.futures.scenario.job
        same = np.full(len(futures), job)
        used = None if futures.used is None else futures.used[:, job]
        return pricing.charge(
            _workload(futures, same),
            futures.start[:, job],
            futures.end[:, job],
            mechanism,
            counterfactual=self._asked(np.arange(len(futures)), same),
            used=used,
        ).charge

    def _by_round(self, mechanism: PriceMechanism) -> Floats:
        """Price the round of every sample, each as a queue of its own."""
        futures, job = self.futures, self.futures.scenario.job
        rows: list[Integers] = []
        starts: list[Floats] = []
        for start in futures.start:
            now = start[job]
            here = self._contenders(start, now)
            rows.append(here)
            # jobs that wait on take part, whenever they start
            starts.append(np.where(start[here] == now, now, now + 1.0))
        jobs, start = np.concatenate(rows), np.concatenate(starts)
        sample = np.repeat(np.arange(len(rows)), [len(here) for here in rows])
        used = futures.end - futures.start if futures.used is None else futures.used
        lasts = np.where(jobs == job, used[sample, jobs], 0.0)
        charge: Floats = pricing.charge(
            _workload(futures, jobs).replace(queue=sample),
            start,
            start + lasts,
            mechanism,
            counterfactual=self._asked(sample, jobs),
        ).charge[jobs == job]
        return charge

    def _by_schedule(self, mechanism: PriceMechanism) -> Floats:
        """Price every sample as a schedule of its own."""
        futures, jobs = self.futures, self.futures.scenario.contenders
        everybody = _workload(futures, jobs)
        # running jobs count as submitted when they started
        submit = np.fmin(everybody.submit, futures.start[0][jobs])
        everybody = everybody.replace(submit=submit)
        place = int(np.flatnonzero(jobs == futures.scenario.job)[0])
        charged = []
        for sample, (start, end) in enumerate(zip(futures.start, futures.end, strict=True)):
            used = None if futures.used is None else futures.used[sample, jobs]
            priced = pricing.charge(everybody, start[jobs], end[jobs], mechanism, used=used)
            charged.append(priced.charge[place])
        return np.array(charged)

    def _contenders(self, start: Floats, now: float) -> Integers:
        """Return the jobs in the job's queue at its start."""
        scenario = self.futures.scenario
        jobs = scenario.contenders
        same = scenario.queue[jobs] == scenario.queue[scenario.job]
        waits = (scenario.known.submit[jobs] <= now) & ~(start[jobs] < now)
        contenders: Integers = jobs[same & waits]
        return contenders

    def _asked(self, sample: Integers, job: Integers) -> "FutureCounterfactuals":
        return FutureCounterfactuals(
            self.futures, sample, job, self.seed, self.rule, self.before_plans
        )


def _workload(futures: Futures, jobs: Integers) -> Workload:
    scenario, known = futures.scenario, futures.scenario.known
    curves, request = UtilityTable(known.offsets, known.times, known.values), scenario.request
    return Workload.from_columns(
        submit=known.submit[jobs],
        run=request[jobs],
        processors=known.size[jobs],
        requested_time=request[jobs],
        queue=scenario.queue[jobs],
        utility=curves.take(jobs),
    )


@dataclass(frozen=True, eq=False)
class FutureCounterfactuals:
    """Counterfactuals of futures; see `pricing.Counterfactual`.

    Attributes
    ----------
    futures : Futures
        S samples.
    sample, job : (m,) int64
        Sample and scenario job of each job that is priced. Pivots are for the quoted job, priced in
        each sample.
    seed : int
        Seed of further searches.
    rule : ForecastRule or None
        By which forecast the scheduler reads utility functions, where charges go by that.
    before_plans : callable
        See `FutureCharges`.
    """

    futures: Futures
    sample: Integers
    job: Integers
    seed: int
    rule: ForecastRule | None
    before_plans: Callable[[int], None]
    _of_now: dict[tuple[PivotRule, int], PlanComparison] = field(default_factory=dict)
    _read: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def pivots(
        self,
        duration: Duration,
        searches: int,
        *,
        reservations: bool,
        players: str = JOBS,
    ) -> Pivots:
        """Compare plans with the job's start and without it, in each sample.

        Victims are numbered anew in each sample, behind the jobs that are priced: what they lose in
        one has nothing to do with what they lose in another.

        Raises
        ------
        InputError
            Reservations are to be charged, or players are accounts.
        """
        if players == ACCOUNTS:
            raise InputError(
                "moments do not say to which accounts jobs are charged",
                source="vcg",
                field="players",
                remedy="write players=users",
            )
        if reservations:
            raise InputError(
                "what a reservation will cost is not known in advance",
                source="vcg",
                field="reservations",
                remedy="leave it out",
            )
        tally = PivotTally()
        rule = PivotRule(duration, searches, players=players)
        compared = {sample: self._compared(sample, rule) for sample in sorted(set(self._stand_ins))}
        samples, jobs = len(self.futures), len(self.futures.scenario.known.submit)
        for sample, other in enumerate(self._stand_ins):
            first = samples + sample * jobs
            tally.started.extend(
                noted._replace(
                    job=sample,
                    compared=noted.compared._replace(others=first + noted.compared.others),
                )
                for noted in compared[other]
            )
        return tally.pivots(np.arange(samples * (jobs + 1)))

    def replays(self, rule: ReplayRule, jobs: Integers) -> Replays:  # noqa: ARG002
        """Refuse: there is nothing to be replayed yet.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            "nothing has happened yet that could be replayed",
            source="vcg",
            field="method",
            remedy="write method=pivot",
        )

    def starts(self, jobs: Integers) -> WorkStarts:
        """Return the passes in which the quoted job starts, in the sample of each job."""
        rows = [
            (row, decided.state.now)
            for row in jobs.tolist()
            for decided in self._decided(self.sample.item(row))
        ]
        job, at = zip(*rows, strict=True)
        return WorkStarts(np.array(job), np.array(at))

    def forecasts(self, jobs: Integers, at: Floats) -> Floats:
        """Return for how long jobs are taken to run when the quoted one starts (s)."""
        rows = zip(jobs.tolist(), at.tolist(), strict=True)
        return np.array(
            [self._forecast(self.sample.item(row), now)[self.job[row]] for row, now in rows]
        )

    def _decided(self, sample: int) -> Sequence[Decided]:
        return self.futures.trajectories[sample].decided()

    def _forecast(self, sample: int, now: float) -> Floats:
        """Return forecasts at the latest pass up to an instant in which that job starts (s)."""
        passes = self._decided(sample)
        place = max(number for number, each in enumerate(passes) if each.state.now <= now)
        if (sample, place) not in self._read:
            assert self.rule is not None
            state, history = passes[place].state, History(self.rule)
            if self.rule.learns:
                self._teach(history, state, sample)
            self._read[sample, place] = history.forecast(state).duration
        return self._read[sample, place]

    def _teach(self, history: History, state: QueueState, sample: int) -> None:
        """Let a history observe all jobs that ended before a pass."""
        trajectory = self.futures.trajectories[sample]
        ended = self.futures.scenario.ended_until(trajectory.end, state.now)
        run = self.futures.runs[sample, ended]
        history.observe(replace(state, finished=ended, finished_run=run))

    @cached_property
    def _stand_ins(self) -> list[int]:
        """The sample whose comparison counts for each sample.

        Searching for plans takes as long as the third power of the queue is large. Where that is
        too long, with as many in the queue as at the earliest start, samples are put in groups by
        the start of the job; the middle one stands for all.
        """
        futures = self.futures
        by_start = np.argsort(futures.wait, kind="stable")
        decided = self._decided(int(by_start[0]))[0]
        groups = len(futures)
        if decided.planner.searches and not futures.thorough:
            groups = int(np.clip(EFFORT // len(decided.state.queued) ** 3, 1, groups))
        substitutes = np.empty(len(futures), dtype=np.int64)
        for group in np.array_split(by_start, groups):
            substitutes[group] = group[len(group) // 2]
        stand_ins: list[int] = substitutes.tolist()
        return stand_ins

    def _compared(self, sample: int, rule: PivotRule) -> list[Noted]:
        """Return the comparison of plans at each start of the quoted job."""
        return [
            Noted(sample, self._at(decided, sample, rule), decided.state.now)
            for decided in self._decided(sample)
        ]

    def _at(self, decided: Decided, sample: int, rule: PivotRule) -> PlanComparison:
        if decided.state.now > self.futures.scenario.snapshot.now:
            return self._compare(decided, sample, rule)
        # at the moment itself nothing that differs has happened yet
        stopped = any(each.stopped_after >= 0 for each in decided.held.values())
        alike = rule.duration != "actual" and not stopped
        known = rule, -1 if alike else sample
        if known not in self._of_now:
            self._of_now[known] = self._compare(decided, sample, rule)
        return self._of_now[known]

    def _compare(self, decided: Decided, sample: int, rule: PivotRule) -> PlanComparison:
        """Return the job's part of what all starts of its player in a pass cost the others."""
        state, planner, job = decided.state, decided.planner, self.futures.scenario.job
        players = Players(None if rule.players == JOBS else state.known.user)
        groups = players.together(decided.starts.tolist())
        jobs = next(group for group in groups if job in group)
        others = state.queued[players.others(state.queued, jobs)]
        if not decided.preempts and np.isin(others, decided.starts).all():
            return unhindered(others)
        self.before_plans(len(state.queued) if planner.searches else 0)
        begun = Begun(np.array(jobs), self._durations(decided, jobs, sample, rule.duration))
        anew = range(1, rule.searches if planner.searches else 1)
        seeds = [None, *(_search_seed(self.seed, search) for search in anew)]
        share = shares(state.known.size[jobs] * state.known.request[jobs])
        return compare_starts(planner, state, begun, players, seeds).part(share[jobs.index(job)])

    def _durations(
        self, decided: Decided, jobs: list[int], sample: int, duration: Duration
    ) -> Floats:
        """Return for how long jobs are taken to be in the way (s), NaN if as planned."""
        held = [_held(decided, job) for job in jobs]
        run = self.futures.runs[sample, jobs] if duration == "actual" else None
        expected = None
        if duration == "expected":
            history = History(ForecastRule("expected"))
            self._teach(history, decided.state, sample)
            expected = history.forecast(decided.state).duration[jobs].mean(axis=1)
        return assumed_durations(held, expected, run)


def _held(decided: Decided, job: int) -> HoldingTime:
    """Return the holding time of a job that starts in a pass, as far as it is known."""
    return decided.held.get(job, HoldingTime())


def _search_seed(seed: int, search: int) -> int:
    return int(np.random.SeedSequence([seed % 2**63, search]).generate_state(1)[0])
