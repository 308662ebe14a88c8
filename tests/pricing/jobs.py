"""Workloads that the tests of this folder share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from pricing import Charges, Losses, Pivots, ReplayRule, Replays, WorkStarts, charge
from pricing.counterfactual import Duration
from swfx import Header, UtilityFunction, UtilityTable, Workload

APRIL_2000 = 954547200  # 2000-04-01 00:00 UTC
DAY = 86400


def three_jobs() -> Workload:
    """Users 7, 8, 7 on queues 1 (express), 2 (high), 4 (low); 2, 4 and 1 processors; 1 hour each.

    The curves lose everything over two hours, but for the last job, which has none.
    """
    return Workload.from_columns(
        header=Header((f" UnixStartTime: {APRIL_2000}",)),
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 7200], [10, 0]), UtilityFunction([0, 7200], [20, 0]), None]
        ),
        job_id=[1, 2, 3],
        submit=[0, 0, 30 * DAY],
        run=[3600, 3600, 3600],
        processors=[2, 4, 1],
        user=[7, 8, 7],
        group=[1, 1, 2],
        queue=[1, 2, 4],
        status=[1, 0, 5],
    )


START = [0.0, 1800.0, 30 * DAY]
END = [3600.0, 5400.0, 30 * DAY + 3600]


TAKEN = (5.0, 0.0, 2.5)
"""What each of the three jobs takes from the others, for mechanisms that ask (SU)."""


def three_replays(seeds: int = 1) -> Replays:
    """What replays without each of the three jobs show; without the second, others have less."""
    losses = Losses.whole(
        np.array([0, 0, 1]),
        np.array([1, 2, 0]),
        np.array([4.0, 1.0, -3.0]),
        np.array([600.0, 60.0, -900.0]),
    )
    shape = 3, seeds
    taken = np.tile(np.array([[5.0], [-3.0], [0.0]]), seeds)
    spread = np.arange(seeds) - (seeds - 1) / 2
    return Replays(
        "ga",
        True,
        tuple(range(seeds)),
        np.array([0.0, 0.0, 30.0 * DAY]),
        np.full(shape, 31.0 * DAY),
        np.zeros(shape, np.bool_),
        np.full(shape, 2),
        np.full(shape, 20.0),
        20.0 + taken + spread,
        taken + spread,
        losses,
    )


class KnownAnswers:
    """Answers what would have been from a list, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Duration, int, bool]] = []
        self.replayed: list[tuple[ReplayRule, list[int]]] = []

    def pivots(
        self,
        duration: Duration,
        searches: int,
        *,
        reservations: bool,
        players: str,  # noqa: ARG002
    ) -> Pivots:
        self.asked.append((duration, searches, reservations))
        lost = np.array([5.0, 2.5])
        losses = Losses.whole(np.array([0, 2]), np.array([1, 0]), lost, np.array([1800.0, np.nan]))
        losses = losses._replace(time=np.array(START)[[0, 2]], had=lost)
        other_jobs, having = np.array([1, 0, 2]), np.array([20.0, np.nan, 10.0])
        taken, unknown = np.array(TAKEN), np.full(3, np.nan)
        return Pivots(other_jobs, having, having + taken, taken, unknown, losses, np.zeros(3))

    def starts(self, jobs: npt.NDArray[np.int64]) -> WorkStarts:
        """Return two starts of each job, a minute apart."""
        begun = np.array(START)[jobs]
        at = np.column_stack([begun, begun + 60]).ravel()
        return WorkStarts(jobs.repeat(2), at)

    def forecasts(
        self, jobs: npt.NDArray[np.int64], at: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return that a job will run for its number in minutes, or for twice as long."""
        return 60.0 * (jobs[:, np.newaxis] + 1) * np.array([1.0, 2.0]) + 0 * at[:, np.newaxis]

    def replays(self, rule: ReplayRule, jobs: npt.NDArray[np.int64]) -> Replays:
        self.replayed.append((rule, jobs.tolist()))
        return three_replays(rule.seeds)


def three_charges(mechanism: str = "first-price:reading=end") -> Charges:
    return charge(three_jobs(), START, END, mechanism, counterfactual=KnownAnswers())


@st.composite
def charged(draw: st.DrawFn, mechanism: str) -> Charges:
    """Up to 30 jobs of few users, each with a curve, realised at random times."""
    jobs = draw(st.integers(0, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    submit = np.sort(rng.integers(0, 60 * DAY, jobs)).astype(float)
    start = submit + rng.integers(0, 7200, jobs)
    run = rng.integers(0, 7200, jobs)
    worth = 10.0 ** rng.uniform(-6, 6, jobs)
    workload = Workload.from_columns(
        header=Header((f" UnixStartTime: {APRIL_2000}",)),
        utility=UtilityTable(
            np.arange(jobs + 1) * 2,
            np.tile([0.0, 9000.0], jobs),
            np.column_stack([worth, np.zeros(jobs)]).ravel(),
        ),
        submit=submit,
        run=run,
        processors=rng.integers(1, 65, jobs),
        user=rng.integers(-1, 4, jobs),
        group=rng.integers(1, 3, jobs),
        queue=rng.integers(-1, 6, jobs),
    )
    return charge(workload, start, start + run, mechanism)
