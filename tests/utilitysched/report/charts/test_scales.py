"""The scale of time follows the clock at the machine's place."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from swfx import Header, InputError, Workload
from tests.utilitysched.report.charts.conftest import run_of
from tests.utilitysched.report.charts.drawn import texts
from utilitysched.report.charts.over_time import TRENDS
from utilitysched.report.charts.scales import TimeScale, TimeWindow
from utilitysched.runs import RunResults

DAY = 86_400.0
WINTER = 1_143_500_400  # 2006-03-28 00:00 in Paris, in summer; less three days: in winter


def run_from(start: int, zone: str, days: float) -> RunResults:
    """A run of two jobs that begins at a Unix time and lasts so many days."""
    header = Header((" MaxProcs: 8", f" UnixStartTime: {start}", f" TimeZoneString: {zone}"))
    jobs = Workload.from_columns(
        submit=[0, days * DAY - 60], run=[60, 60], processors=[1, 1], header=header
    )
    return run_of("fcfs", jobs, paid=False)


@pytest.mark.parametrize(
    ("start", "zone", "days"),
    [
        (WINTER - 3 * 86_400, "Europe/Paris", 30.0),
        (1_160_000_000, "US/Pacific", 900.0),
        (1_160_000_000, "Australia/Lord_Howe", 400.0),
        (1_160_000_000, "Asia/Kolkata", 400.0),
    ],
)
def test_places_and_changes_give_the_time_of_the_zone(start: int, zone: str, days: float) -> None:
    scale = TimeScale.of([run_from(start, zone, days)])

    for second in np.linspace(0, days * DAY, 997).round().tolist():
        place = float(scale.place(np.array(second)))
        ahead = [after for at, after in scale.changes if at <= place]
        shown = (place + (ahead[-1] if ahead else 0.0)) / 1000
        wanted = datetime.fromtimestamp(start + second, ZoneInfo(zone)).replace(tzinfo=None)
        assert datetime.fromtimestamp(shown, ZoneInfo("UTC")).replace(tzinfo=None) == wanted


def test_labels_and_tooltips_are_of_summer_time() -> None:
    run = run_from(WINTER - 3 * 86_400 + 43_200, "Europe/Paris", 3.0)  # over the night of a Sunday
    scale = TimeScale.of([run])

    picture = TRENDS["queue"].picture(TRENDS["queue"].columns({"": run}, scale), [""], scale)
    written = texts(picture)
    assert "time in 2006 (Europe/Paris)" in written
    assert {"13:00", "Mar 27 01:00"} <= set(written)  # noon and midnight of winter


def test_a_year_of_summer_and_winter_has_plain_dates() -> None:
    run = run_from(WINTER, "Europe/Paris", 365.0)
    scale = TimeScale.of([run])

    picture = TRENDS["queue"].picture(TRENDS["queue"].columns({"": run}, scale), [""], scale)
    assert {"Jul", "2007", "time in 2006 to 2007 (Europe/Paris)"} <= set(texts(picture))


@pytest.mark.parametrize(("days", "unit"), [(3.0, "d"), (1.0, "h"), (0.1, "min")])
def test_without_a_clock_time_is_since_the_first_submission(days: float, unit: str) -> None:
    scale = TimeScale.of([run_from(0, "UTC", days)])

    assert (scale.first, scale.dates) == (0.0, False)
    assert scale.last == pytest.approx(days * {"d": 1, "h": 24, "min": 1440}[unit])
    assert scale.label == f"time since the first submission ({unit})"


def test_a_window_ends_where_the_runs_do(runs: list[RunResults]) -> None:
    whole, part = TimeScale.of(runs), TimeScale.of(runs, TimeWindow(begin=100.0))

    assert (whole.origin, part.origin) == (0, 100)
    assert part.end == whole.end == max(run.schedule.end.max() for run in runs)
    with pytest.raises(InputError, match=r"nothing happens between .*; the runs last from 0 to"):
        TimeScale.of(runs, TimeWindow(begin=1e12))
