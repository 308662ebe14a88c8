"""Use of jobs by calendar month."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from utilitysched.runs.recorded import month_bounds, used_in

OCTOBER = 1_790_812_800  # 2026-10-01T00:00 UTC
MONTHS = ("2026-10", "2026-11", "2026-12")
DAY = 86_400.0


def log(start: list[float], days: list[float], **columns: list[float]) -> Workload:
    """Jobs on 2 processors by their starts and run times (days), submitted half a day before."""
    return Workload.from_columns(
        submit=[(each - 0.5) * DAY for each in start],
        wait=[0.5 * DAY] * len(start),
        run=[each * DAY for each in days],
        processors=[2] * len(start),
        header=Header((f" UnixStartTime: {OCTOBER}", " TimeZoneString: UTC")),
        **columns,
    )


def test_a_job_counts_in_each_month_for_its_time_in_it() -> None:
    jobs = log([1, 30, 40], [2, 41, 1])

    used = [used_in(month, jobs) for month in MONTHS]

    assert [(one.run / DAY).tolist() for one in used] == [[2, 1], [30, 1], [10]]
    assert [(one.submit / DAY).tolist() for one in used] == [[0.5, 29.5], [31, 39.5], [61]]
    assert [(one.wait / DAY).tolist() for one in used] == [[0.5, 0.5], [0, 0.5], [0]]


def test_months_add_up_to_the_whole() -> None:
    random = np.random.default_rng(0)
    start, days = random.uniform(1, 60, 200), random.uniform(0, 31, 200)
    off = (days * random.uniform(0, 1, 200) * DAY).tolist()
    jobs = log(start.tolist(), days.tolist(), suspended=off)

    used = [used_in(month, jobs) for month in MONTHS]

    for name in ("run", "suspended"):
        sums = sum(np.bincount(one.job_id - 1, one.column(name), 200) for one in used)
        np.testing.assert_allclose(sums, jobs.column(name), rtol=1e-12, atol=1e-6)


def test_a_month_by_the_clock_of_the_log() -> None:
    header = Header((f" UnixStartTime: {OCTOBER}", " TimeZoneString: Europe/Berlin"))
    jobs = Workload.from_columns(submit=[0], wait=[0], run=[1], header=header)
    begin, end = month_bounds("2026-10", jobs)
    assert (begin, (end - begin) / 3600) == (-7200.0, 31 * 24 + 1)  # the clock is put back


def test_what_has_no_month() -> None:
    with pytest.raises(InputError, match="does not say in which month"):
        used_in("2026-10", Workload.from_columns(submit=[0], wait=[0], run=[1]))
    with pytest.raises(InputError, match="no job ran in 2026-12"):
        used_in("2026-12", log([1], [2]))
