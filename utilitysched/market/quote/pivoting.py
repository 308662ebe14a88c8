"""Pivot charges of a job that has yet to start."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pricing import Pivots, ReplayRule, Replays
from pricing.counterfactual import Duration
from pricing.players import JOBS
from pricing.reader import WorkStarts
from swfx import InputError
from utilitysched.counterfactual.pivot.comparison import PlanComparison, compare, unhindered
from utilitysched.counterfactual.pivot.tally import PivotTally, Started
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
    _of_now: dict[tuple[str, float, int], PlanComparison] = field(default_factory=dict)

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
            Reservations are to be charged, or players are not jobs.
        """
        if players != JOBS:
            raise InputError(
                "whose jobs the others are is not known to a quote",
                source="vcg",
                field="players",
                remedy="leave it out: the job then pays for all others, at least as much",
            )
        if reservations:
            raise InputError(
                "what a reservation will cost is not known in advance",
                source="vcg",
                field="reservations",
                remedy="leave it out",
            )
        tally = PivotTally()
        compared = {
            sample: self._compared(sample, duration, searches)
            for sample in sorted(set(self._stand_ins))
        }
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

    def _compared(self, sample: int, duration: Duration, searches: int) -> Sequence[PlanComparison]:
        """Return what each start costs the others."""
        return [
            self._at(decided, sample, duration, searches)
            for decided in self.futures.decided(sample)
        ]

    def _at(
        self, decided: Decided, sample: int, duration: Duration, searches: int
    ) -> PlanComparison:
        if decided.state.now > self.futures.scenario.snapshot.now:
            return self._asked(decided, sample, duration, searches)
        # at the moment itself nothing that differs has happened yet
        known = duration != "actual" and math.isnan(decided.held.stopped_after)
        run = 0.0 if known else self._taken_for(decided, sample, duration)
        key = duration, run, searches
        if key not in self._of_now:
            self._of_now[key] = self._asked(decided, sample, duration, searches)
        return self._of_now[key]

    def _asked(
        self, decided: Decided, sample: int, duration: Duration, searches: int
    ) -> PlanComparison:
        taken_for = self._taken_for(decided, sample, duration)
        state, job, planner = decided.state, self.futures.scenario.job, decided.planner
        others = state.queued[state.queued != job]
        if decided.everybody:
            return unhindered(others)
        anew = range(1, searches if planner.searches else 1)
        seeds = [None, *(_search_seed(self.seed, search) for search in anew)]
        return compare([planner.started(state, Begun.one(job, taken_for), seed) for seed in seeds])

    def _taken_for(self, decided: Decided, sample: int, duration: Duration) -> float:
        """Return for how long the job is taken to be in the way (s), NaN if as planned."""
        scenario, run, held = self.futures.scenario, self.futures.runs[sample], decided.held
        if not math.isnan(held.stopped_after):
            return held.stopped_after
        if duration == "actual":
            return float(run[scenario.job]) if math.isnan(held.lasted) else held.lasted
        if duration == "expected":
            history = History(ForecastRule("expected"))
            ended = scenario.ended_until(self.futures.end[sample], decided.state.now)
            history.observe(replace(decided.state, finished=ended, finished_run=run[ended]))
            return float(history.forecast(decided.state).duration[scenario.job].mean())
        return math.nan


def _search_seed(seed: int, search: int) -> int:
    return int(np.random.SeedSequence([seed % 2**63, search]).generate_state(1)[0])
