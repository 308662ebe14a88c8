"""Periods of a run: what they add up to, and where they begin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from plugins.web.tests.conftest import Asking
from pricing.months import months
from swfx import Header, InputError
from swfx.clock import calendar_of
from utilitysched.analysis import series
from utilitysched.analysis.documents import ResultTable
from utilitysched_web.site import Site
from utilitysched_web.trends import (
    Length,
    change_text,
    periods_of,
    trend_of,
    trend_panels,
    usual_length,
)


@pytest.mark.parametrize("length", ["day", "week", "month"])
def test_periods_add_up_to_the_run(site: Site, length: Length) -> None:
    run = site.results
    trend = trend_of(run, site.bill, length)
    workload, schedule = run.workload, run.schedule

    assert trend.ended.sum() == len(workload)
    assert trend.charge.sum() == pytest.approx(np.nansum(site.bill.charge))
    used = workload.size * schedule.running_time
    assert trend.used.sum() == pytest.approx(used.sum() / 3600)
    within = np.clip(trend.periods.edges, workload.submit.min(), schedule.end.max())
    held = trend.share * np.diff(within) * schedule.machine_size
    assert held.sum() == pytest.approx(used.sum())
    waited = trend.waiting * np.diff(within)
    assert waited.sum() == pytest.approx(schedule.wait(workload).sum())


def test_months_are_those_of_bills(site: Site) -> None:
    run = site.results
    trend = trend_of(run, site.bill, "month")
    when = months(run.schedule.end, calendar_of(run.workload.header))
    names, place = np.unique(when, return_inverse=True)

    assert trend.periods.labels == tuple(names)
    assert trend.charge.tolist() == pytest.approx(
        np.bincount(place, np.nan_to_num(site.bill.charge))
    )


def test_weeks_begin_on_mondays_and_days_at_midnight(site: Site) -> None:
    clock = calendar_of(site.results.workload.header)
    assert clock is not None
    for length, weekday in (("day", None), ("week", 0)):
        edges = periods_of(site.results, length).edges  # type: ignore[arg-type]
        dates = [clock.date(edge) for edge in edges.tolist()]
        assert {(each.hour, each.minute, each.second) for each in dates} == {(0, 0, 0)}
        assert weekday is None or {each.weekday() for each in dates} == {weekday}
    assert usual_length(site.results) == "day"


def test_a_log_without_a_calendar_has_numbered_periods(site: Site) -> None:
    run = site.results._replace(workload=replace(site.results.workload, header=Header(())))
    trend = trend_of(run, site.bill, "day")

    assert trend.periods.labels == tuple(f"day {i + 1}" for i in range(7))
    assert trend.ended.sum() == len(run.workload)


def test_a_log_of_absurd_times_is_refused_at_once(site: Site) -> None:
    schedule = site.results.schedule
    end = np.where(np.arange(len(schedule)) == 0, 1e15, schedule.end)
    run = site.results._replace(
        workload=replace(site.results.workload, header=Header(())),
        schedule=replace(schedule, end=end),
    )

    with pytest.raises(InputError, match="lasts for 11,574,0"):
        periods_of(run, "day")


def test_accounts_add_up_to_all(site: Site) -> None:
    run, users = site.results, site.results.workload.user
    whole = trend_of(run, site.bill, "day")
    parts = [trend_of(run, site.bill, "day", users == user) for user in np.unique(users)]

    for field in ("ended", "used", "share", "waiting", "charge"):
        assert sum(getattr(part, field) for part in parts) == pytest.approx(getattr(whole, field))
    busy = series.processors_in_use(run.workload, run.schedule, users == 1)
    assert busy.area() == pytest.approx(
        (run.workload.size * run.schedule.running_time)[users == 1].sum()
    )


def test_the_last_whole_period_is_one_that_the_log_covers(site: Site) -> None:
    days, weeks = (periods_of(site.results, length) for length in ("day", "week"))

    assert days.labels[days.last_whole or 0] == "2026-01-31"
    assert weeks.last_whole is None  # it ends on a Sunday evening
    begin, end = days.covered
    assert days._replace(covered=(begin, days.edges[-1])).last_whole == len(days.labels) - 1
    assert days._replace(covered=(begin, begin + 1)).last_whole is None
    assert end < days.edges[-1]


def test_a_part_of_a_period_is_compared_with_none(site: Site) -> None:
    trend = trend_of(site.results, site.bill, "day")
    whole = trend.periods.whole
    (table,) = (each for each in trend_panels(trend, site.bill) if isinstance(each, ResultTable))
    changes = [row[-1] for row in table.rows[::-1]]

    assert not whole[0]
    assert not whole[-1]
    assert [each is None for each in changes] == [True, *~(whole[1:] & whole[:-1])]


@pytest.mark.parametrize(
    ("share", "text"), [(-0.004, "+0"), (0.25, "+25"), (-1.0, "-100"), (10.0, "> +1,000")]
)
def test_changes_read_as_percent(share: float, text: str) -> None:
    assert change_text(share) == text


def test_sums_of_charges_are_as_exact_as_charges(asking: Asking, site: Site) -> None:
    client = asking("root", "operator")
    for path in ("/operators?by=day", "/operators/accounts", "/bills", "/bills?user=7"):
        for key, rows in client.get(path, params={"format": "json"}).json().items():
            for row in rows if key in {"periods", "accounts", "users", "months"} else ():
                assert row["charge"] == round(row["charge"], site.bill.decimals)
