from __future__ import annotations

import numpy as np
import pytest

from pricing import Outcome
from swfx import InputError
from tests.pricing.jobs import END, START, three_jobs


def test_what_jobs_used_and_earned() -> None:
    outcome = Outcome(three_jobs(), np.array(START), np.array(END))

    assert outcome.processor_hours.tolist() == [2, 4, 1]
    assert outcome.utility.tolist() == [5, 5, 0]


def test_one_time_per_job() -> None:
    with pytest.raises(InputError, match=r"field end: has shape \(1,\) for 3 jobs; give one time"):
        Outcome(three_jobs(), np.array(START), np.array(END[:1]))


@pytest.mark.parametrize(("start", "end"), [(-1.0, 5.0), (10.0, 9.0), (0.0, float("nan"))])
def test_jobs_start_after_submission_and_end_after_starting(start: float, end: float) -> None:
    with pytest.raises(InputError, match=r"job 1: submitted at 0, .* give the schedule of this"):
        Outcome(three_jobs()[:1], np.array([start]), np.array([end]))


def test_jobs_that_were_preempted_used_less_than_from_start_to_end() -> None:
    jobs, start, end = three_jobs(), np.array(START), np.array(END)
    used = np.minimum(end - start, 1800)

    outcome = Outcome(jobs, start, end, used=used)

    assert outcome.held.tolist() == used.tolist()
    assert outcome.processor_hours.tolist() == (jobs.size * used / 3600).tolist()
    assert outcome.utility.tolist() == [5, 5, 0]


@pytest.mark.parametrize("too_much", [-1.0, 1e6, np.nan])
def test_nobody_used_more_than_there_was(too_much: float) -> None:
    start, end = np.array(START), np.array(END)
    used = end - start
    used[1] = too_much

    with pytest.raises(InputError, match=r"^field used: job .* used its processors for .* s of"):
        Outcome(three_jobs(), start, end, used=used)
