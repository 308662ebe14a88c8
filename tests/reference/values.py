"""What a job is worth if it starts now: utility curves, duration guesses, occupancy, decay.

A curve is a tuple of points (s since submit, SU), first time 0, values never increasing. A job
without a curve is worth 0. Wherever a scheduler has to guess how long a job will run, it holds
K guesses d_1..d_K and takes means over them, summed in that order and divided by K.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tests.reference.jobs import Job

SAMPLES = 8
HOUR = 3600.0

Points = Sequence[tuple[float, float]]


def utility(points: Points, age: float) -> float:
    """Value in SU at `age` s after the submit: linear between points, 0 after the last.

    Rounding never takes it below the next point, so it never increases with age.
    """
    if not points or age > points[-1][0]:
        return 0.0
    for (t0, v0), (t1, v1) in pairwise(points):
        if t0 <= age < t1:
            return max(v0 + (v1 - v0) * ((age - t0) / (t1 - t0)), v1)
    return points[-1][1]


def decay_rate(points: Points, age: float) -> float:
    """SU lost per second at `age`, looking to the right: 0 from the last point on."""
    for (t0, v0), (t1, v1) in pairwise(points):
        if t0 <= age < t1:
            return (v0 - v1) / (t1 - t0)
    return 0.0


def value_ahead(points: Points, age: float) -> float:
    """Area under the curve from `age` on, in SU s."""
    times = [age, *(time for time, _ in points if time > age)]
    area = 0.0
    for begin, end in pairwise(times):
        area += (end - begin) * (utility(points, begin) + utility(points, end)) / 2.0
    return area


def time_left(points: Points, age: float) -> float:
    """Seconds from `age` to the last point of the curve, 0 once it has passed."""
    return max(points[-1][0] - age, 0.0) if points else 0.0


class History:
    """Completed jobs in the order of their completion: by time, by pass, then by number.

    `outlasted` is the run time that a job is known to exceed, by its number (s).
    """

    def __init__(self) -> None:
        self.completed: list[Job] = []
        self.by_user: dict[int, list[Job]] = defaultdict(list)
        self.outlasted: Mapping[int, float] = {}

    def add(self, job: Job) -> None:
        """Enter a completed job; nothing is learnt about user -1, who is nobody."""
        self.completed.append(job)
        if job.user != -1:
            self.by_user[job.user].append(job)


class ValueRule(NamedTuple):
    """Options of the value-aware orderings: alpha and tau (s) as in section 3 of the semantics."""

    duration: str = "requested"
    fraction: float = 0.3
    occupancy: str = "requested"
    alpha: float = 0.5
    tau: float = 12 * HOUR
    discount: float = 0.01 / HOUR
    lookahead: float = 2.0


REQUESTED = ValueRule()


def predicted(job: Job, history: History) -> float:
    """Mean of the user's last two run times, never above the request; the request if unknown."""
    runs = [done.effective for done in history.by_user.get(job.user, [])[-2:]]
    if not runs:
        return job.request
    return min(job.request, sum(runs) / len(runs))


def run_ratio(job: Job) -> float:
    """Share of its request that a completed job used, at most 1."""
    return job.effective / max(job.request, 1.0)


def expected(job: Job, history: History) -> list[float]:
    """Eight guesses: request times a ratio of the user's latest jobs, latest first.

    Where the user has fewer, the log's latest follow (the user's own may come again), then 1.
    """
    own = history.by_user.get(job.user, [])[: -SAMPLES - 1 : -1]
    anyone = history.completed[: -SAMPLES - 1 : -1]
    ratios = [run_ratio(done) for done in [*own, *anyone]] + [1.0] * SAMPLES
    return [ratio * job.request for ratio in ratios[:SAMPLES]]


def durations(job: Job, rule: ValueRule, history: History) -> list[float]:
    """Guesses in s of how long `job` will run, by the name of the rule."""
    kinds: dict[str, Callable[[], list[float]]] = {
        "requested": lambda: [job.request],
        "zero": lambda: [0.0],
        "fraction": lambda: [rule.fraction * job.request],
        "predicted": lambda: [predicted(job, history)],
        "expected": lambda: expected(job, history),
    }
    return kinds[rule.duration]()


def occupancy(job: Job, rule: ValueRule, history: History) -> float:
    """Seconds for which a start commits the processors, at least 1."""
    guess = predicted(job, history) if rule.occupancy == "predicted" else job.request
    least = min(2.0 * history.outlasted.get(job.number, 0.0), job.request)
    return max(guess, least, 1.0)


def mean_over(
    measure: Callable[[Points, float], float], job: Job, age: float, guesses: Sequence[float]
) -> float:
    """Mean over the guesses of `measure` of the job's curve at age + guess."""
    total = 0.0
    for guess in guesses:
        total += measure(job.points, age + guess)
    return total / len(guesses)
