"""Pivot charges of a job that has yet to start."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pricing import Pivots, ReplayRule, Replays
from pricing.counterfactual import Duration, PivotRule
from pricing.players import ACCOUNTS, JOBS
from pricing.reader import WorkStarts
from swfx import InputError
from utilitysched.counterfactual.plan_comparison import (
    PivotTally,
    PlanComparison,
    Players,
    Started,
    compare,
    shares,
    unhindered,
)
from utilitysched.market.quote.futures import Decided, Futures
from utilitysched.market.quote.readings import FutureReadings
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.plans import Begun
from utilitysched.model.state import Floats
from utilitysched.schedulers.history import History

EFFORT = 200_000
"""Searches for plans times the third power of the jobs in the queue, about."""


@dataclass(frozen=True, eq=False)
class QuotedPivots:
    """Asks what the job's start costs the others in each future; see `pricing.Counterfactual`.

    Attributes
    ----------
    futures : Futures
        S samples, which are the jobs of the outcome that is priced.
    seed : int
        Of further searches.
    reader : FutureReadings, optional
        Tells how utility functions are read, where charges go by that.
    """

    futures: Futures
    seed: int = 0
    reader: FutureReadings | None = None
    _of_now: dict[tuple[PivotRule, bytes], PlanComparison] = field(default_factory=dict)

    def pivots(
        self,
        duration: Duration,
        searches: int,
        *,
        reservations: bool,
        players: str = JOBS,
    ) -> Pivots:
        """Compare plans with the job's start and without it, in each sample.

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
        tally.started.extend(
            Started(sample, each)
            for sample, other in enumerate(self._stand_ins)
            for each in compared[other]
        )
        rows = max(len(self.futures), len(self.futures.scenario.known.submit))
        return tally.pivots(np.arange(rows))

    def reserve(self, charge: Floats) -> Floats:  # noqa: ARG002
        """Refuse: what there was to learn from is past.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            "a quote does not know the weeks before, from which the price is learned",
            source="vcg",
            field="reserve",
            remedy="give the price in force, which is in the latest bill, such as reserve=0.1",
        )

    def replays(self, rule: ReplayRule, jobs: npt.NDArray[np.int64]) -> Replays:  # noqa: ARG002
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

    def starts(self, jobs: npt.NDArray[np.int64]) -> WorkStarts:
        """Return the starts in these samples."""
        assert self.reader is not None
        return self.reader.starts(jobs)

    def forecasts(self, jobs: npt.NDArray[np.int64], at: Floats) -> Floats:
        """Return for how long the job is taken to run at its starts in these samples (s)."""
        assert self.reader is not None
        return self.reader.forecasts(jobs, at)

    @cached_property
    def _stand_ins(self) -> list[int]:
        """Return, for each sample, the one whose comparison counts for it.

        Searching for plans takes as long as the third power of the queue is large. Where that is
        too long, with as many in the queue as at the earliest start, samples are put in groups by
        the start of the job; the middle one stands for all.
        """
        futures = self.futures
        by_start = np.argsort(futures.wait, kind="stable")
        decided = futures.decided(int(by_start[0]))[0]
        groups = len(futures)
        if decided.planner.searches and not futures.thorough:
            groups = int(np.clip(EFFORT // len(decided.state.queued) ** 3, 1, groups))
        found = np.empty(len(futures), dtype=np.int64)
        for group in np.array_split(by_start, groups):
            found[group] = group[len(group) // 2]
        stand_ins: list[int] = found.tolist()
        return stand_ins

    def _compared(self, sample: int, rule: PivotRule) -> Sequence[PlanComparison]:
        """Return what each start costs the others."""
        return [self._at(decided, sample, rule) for decided in self.futures.decided(sample)]

    def _at(self, decided: Decided, sample: int, rule: PivotRule) -> PlanComparison:
        if decided.state.now > self.futures.scenario.snapshot.now:
            return self._asked(decided, sample, rule)
        # at the moment itself nothing that differs has happened yet
        known = rule.duration != "actual" and math.isnan(decided.held.stopped_after)
        jobs = _together(decided, self.futures.scenario.job, rule)
        lasting = b"" if known else self._durations(decided, jobs, sample, rule.duration).tobytes()
        if (rule, lasting) not in self._of_now:
            self._of_now[rule, lasting] = self._asked(decided, sample, rule)
        return self._of_now[rule, lasting]

    def _asked(self, decided: Decided, sample: int, rule: PivotRule) -> PlanComparison:
        """Return the job's part of what all cost that its player starts with it."""
        state, planner, job = decided.state, decided.planner, self.futures.scenario.job
        jobs, players = _together(decided, job, rule), _players(decided, rule)
        if decided.everybody:
            return unhindered(state.queued[players.others(state.queued, jobs)])
        begun = Begun(np.array(jobs), self._durations(decided, jobs, sample, rule.duration))
        anew = range(1, rule.searches if planner.searches else 1)
        seeds = [None, *(_search_seed(self.seed, search) for search in anew)]
        found = [planner.started(state, begun, seed) for seed in seeds]
        others = players.others(found[0].job, jobs)
        share = shares(state.known.size[jobs] * state.known.request[jobs])
        return compare(found, others).part(share[jobs.index(job)])

    def _durations(
        self, decided: Decided, jobs: list[int], sample: int, duration: Duration
    ) -> Floats:
        """Return for how long jobs are taken to be in the way (s), NaN if as planned."""
        scenario, run, held = self.futures.scenario, self.futures.runs[sample], decided.held
        found = np.full(len(jobs), np.nan)
        if duration == "actual":
            found = run[jobs]
        if duration == "expected":
            history = History(ForecastRule("expected"))
            ended = scenario.ended_until(self.futures.end[sample], decided.state.now)
            history.observe(replace(decided.state, finished=ended, finished_run=run[ended]))
            found = history.forecast(decided.state).duration[jobs].mean(axis=1)
        known = held.lasted if duration == "actual" else math.nan
        known = known if math.isnan(held.stopped_after) else held.stopped_after
        mine = jobs.index(scenario.job)
        found[mine] = found[mine] if math.isnan(known) else known
        return found


def _players(decided: Decided, rule: PivotRule) -> Players:
    return Players(None if rule.players == JOBS else decided.state.known.user)


def _together(decided: Decided, job: int, rule: PivotRule) -> list[int]:
    """Return the jobs of the job's player that start with it, itself among them."""
    groups = _players(decided, rule).together(decided.starts.tolist())
    return next(jobs for jobs in groups if job in jobs)


def _search_seed(seed: int, search: int) -> int:
    return int(np.random.SeedSequence([seed % 2**63, search]).generate_state(1)[0])
