"""Whether a queue is all there is."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.scale import enough, many
from utilitysched.kernels.closed import SHARE, WINDOW, is_closed

HOUR, DAY = 3600.0, 86400.0


def closed(now: float, queue: list[int], submit: list[float]) -> bool:
    return bool(is_closed(now, np.array(queue, dtype=np.int64), np.array(submit)))


def readable(now: float, queue: list[int], submit: list[float]) -> bool:
    """The same as it is said: instants of the last day after the first of the log, few enough."""
    come = submit[: max(queue) + 1]
    for one in submit[len(come) :]:
        if not come[-1] <= one <= now:
            break
        come.append(one)
    instants = {one for one in come if now - WINDOW < one and submit[0] < one}
    return len(instants) <= SHARE * len(queue)


def test_a_burst_at_the_start_of_the_log_is_closed() -> None:
    assert closed(0.0, list(range(40)), [0.0] * 40)
    assert closed(5 * HOUR, list(range(20, 40)), [0.0] * 40)
    assert closed(100.0, [0], [100.0])


def test_a_queue_to_which_somebody_comes_each_hour_is_not() -> None:
    submit = [0.0] * 40 + [HOUR * hour for hour in range(1, 25)]

    assert not closed(DAY, list(range(24, 64)), submit)
    # a queue so long that these are few
    many_first = [0.0] * 1200 + submit[40:]
    assert closed(DAY, list(range(24, 1224)), many_first)
    assert not closed(DAY, list(range(25, 1224)), many_first)


def test_jobs_of_one_instant_count_once() -> None:
    """Of 50 queued jobs one may have come, or a hundred together."""
    first = [0.0] * 50

    assert closed(HOUR, list(range(50)), [*first, HOUR])
    assert closed(HOUR, list(range(150)), [*first, *[HOUR] * 100])
    assert not closed(HOUR, list(range(50)), [*first, HOUR - 1.0, HOUR])
    assert not closed(HOUR, list(range(49)), [*first, HOUR])


def test_jobs_that_came_and_went_count_too() -> None:
    """The newest job of the queue may be older than others that run."""
    assert not closed(2 * HOUR, list(range(40)), [0.0] * 40 + [HOUR, 2 * HOUR])
    assert closed(HOUR / 2, list(range(40)), [0.0] * 40 + [HOUR, 2 * HOUR])


def test_who_came_a_day_ago_or_earlier_does_not_count() -> None:
    submit = [0.0, *[50.0 + i for i in range(40)]]

    assert not closed(50.0 + DAY + 38.0, list(range(41)), submit)
    assert closed(50.0 + DAY + 39.0, list(range(41)), submit)
    assert WINDOW == DAY


@pytest.mark.parametrize("behind", [0.0, -5.0, np.nan, np.inf, 1e300])
def test_rows_behind_those_that_have_come_may_hold_anything(behind: float) -> None:
    come = [0.0] * 40 + [HOUR]

    for queue in (list(range(40)), list(range(41))):
        whole = closed(2 * HOUR, queue, come)
        assert closed(2 * HOUR, queue, [*come, behind, behind]) == whole


def test_it_is_what_counting_finds() -> None:
    rng = Random(7)
    found = {True: 0, False: 0}
    for _ in range(many(2000)):
        count, burst = rng.randint(1, 150), rng.randint(0, 140)
        gap = rng.choice([0.0, HOUR, 10 * HOUR, DAY])
        submit = [1000.0] * burst
        while len(submit) < count:
            last = submit[-1] if submit else 1000.0
            submit.append(last + (rng.uniform(0.0, gap) if rng.random() < 0.7 else 0.0))
        known = rng.randint(1, len(submit))  # those that have come
        now = submit[known - 1] + rng.choice([0.0, 0.0, HOUR, DAY, 2 * DAY])
        if known < len(submit) and rng.random() < 0.5:
            submit[known:] = [rng.choice([0.0, -1.0, np.nan]) for _ in submit[known:]]
        queue = sorted(rng.sample(range(known), rng.randint(1, known)))

        expected = readable(now, queue, submit)

        assert closed(now, queue, submit) == expected
        found[expected] += 1
    assert min(found.values()) > enough(200)
