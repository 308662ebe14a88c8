from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, UtilityFunction, Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from swfx.families.utilities.diurnal import Diurnal
from swfx.families.utilities.registry import Given, make_model

MONDAY = 1709539200
"""2024-03-04 09:00 in Paris."""

DAY = 86400
PARIS = Header((f" UnixStartTime: {MONDAY}", " TimeZoneString: Europe/Paris"))


def job(header: Header = PARIS, **columns: Any) -> Workload:
    """One job of 2 processors that asks for 3 hours on Monday at 9."""
    everything = {"submit": [0], "run": [60], "processors": [2], "requested_time": [10800]}
    return Workload.from_columns(header=header, **(everything | columns))


def curve(workload: Workload, text: str) -> UtilityFunction:
    """Return the curve of the first job; without spread, it starts at 108 SU for 6 hours."""
    model = make_model(f"diurnal:{text}").changed("globmax=0.6,deviation=0")
    made = model.draw(workload, 1, Given()).table[0]
    assert made is not None
    return made


def test_the_scenario_of_the_job_that_is_wanted_after_lunch() -> None:
    made = curve(job(), "at=13:00,left=0.6,close=17:00,rest=0.3,until=09:00")

    assert made.times == pytest.approx([0, 4 * 3600, 4 * 3600 + 0.001, 8 * 3600, DAY])
    assert made.values == pytest.approx([108, 108, 64.8, 32.4, 32.4])


def test_nine_on_a_working_day() -> None:
    made = curve(job(), "left=0.25")

    assert made.times == pytest.approx([0, DAY, DAY + 0.001, 2 * DAY])
    assert made.values == pytest.approx([108, 108, 27, 27])
    assert made(DAY) == pytest.approx(108)
    assert made(2 * DAY + 1) == 0


@pytest.mark.parametrize(
    ("start", "zone", "submit", "hours"),
    [
        (MONDAY, "Europe/Paris", 4 * DAY + 8 * 3600, 64),  # Friday 8 March at 17
        (MONDAY, "Europe/Paris", 25 * DAY + 8 * 3600, 63),  # Friday 29 March: clocks go forward
        (1730505600, "US/Pacific", 0, 65),  # Friday 1 November 2024 at 17: clocks go back
        (1325214000, "Pacific/Apia", 0, 64),  # Thursday 29 December 2011 at 17: no Friday
    ],
)
def test_weekends_and_clocks(start: int, zone: str, submit: int, hours: int) -> None:
    made = curve(job(submit=[submit]), f"start={start},zone={zone}")

    assert made.times == pytest.approx([0, hours * 3600, hours * 3600 + 0.001, (hours + 24) * 3600])


@pytest.mark.parametrize(
    ("text", "request_s", "deadline"),
    [
        ("", 10, 10),
        ("", 11, DAY + 10),
        ("requests=2", 6, DAY + 10),
        ("requests=0", 10**9, 10),
        ("least=24", 10, DAY + 10),
        ("least=24.01", 10, 2 * DAY + 10),
        ("requests=0,days=fri", 10, 3 * DAY + 10),
        ("at=08:59", 10, DAY - 50),
    ],
)
def test_a_deadline_leaves_time(text: str, request_s: int, deadline: float) -> None:
    tuesday = job(submit=[DAY - 10], requested_time=[request_s])

    assert curve(tuesday, text).times[1] == deadline


def test_no_deadline_is_nearer_than_ten_seconds() -> None:
    assert curve(job(submit=[DAY - 9]), "requests=0").times[1] == DAY + 9


def test_start_values_are_lees() -> None:
    w = job(submit=np.arange(50), run=[60] * 50, processors=[2] * 50, requested_time=[600] * 50)

    made = make_model("diurnal").draw(w, 5, Given(classes={-1: 0})).table

    lee = attach_utilities(w, UtilitySpec(), 5, waits=[0] * 50, classes={-1: 0})
    assert made.start_values.tolist() == lee.utility.start_values.tolist()


def test_the_text_says_how() -> None:
    text = make_model("diurnal:at=13:00,days=sun-thu").draw(job(), 7, Given()).text

    assert text == (
        "diurnal:at=13:00,days=mon,tue,wed,thu,sun; seed 7; clocks of Europe/Paris,"
        f" time 0 is {MONDAY} s after 1970"
    )


def test_an_empty_workload_stays_empty() -> None:
    for text in ("diurnal", "diurnal:close=17:00,rest=0.1"):
        assert len(make_model(text).draw(job()[:0], 1, Given()).table) == 0


MODELS = st.builds(
    Diurnal,
    at=st.times(max_value=time(22, 0)).map(lambda at: at.replace(second=0, microsecond=0)),
    days=st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
    least=st.floats(0, 200),
    requests=st.floats(0, 3),
    left=st.floats(0.5, 1),
    close=st.just(time(22, 30)),
    rest=st.floats(0, 0.5),
    until=st.none() | st.just(time(0, 0)) | st.just(time(23, 59)),
    zone=st.sampled_from(["Europe/Paris", "US/Pacific", "America/Sao_Paulo", "Asia/Kathmandu"]),
    start=st.integers(0, 2 * 10**9),
)


@given(
    MODELS,
    st.lists(st.tuples(st.floats(0, 10**8), st.integers(0, 10**6)), min_size=1, max_size=5),
    st.integers(0, 99),
)
def test_every_curve_is_valid_and_its_deadline_the_first(
    model: Diurnal, jobs: list[tuple[float, int]], seed: int
) -> None:
    submit, request = (list(column) for column in zip(*jobs, strict=True))
    ones = [1] * len(jobs)
    w = Workload.from_columns(submit=submit, run=ones, processors=ones, requested_time=request)

    table = model.draw(w, seed, Given()).table

    for place in range(len(w)):
        made = table[place]
        assert made is not None
        UtilityFunction(made.times, made.values)  # which refuses what is no curve
        submitted = model.start + w.submit[place]
        least = max(10.0, 3600 * model.least, model.requests * w.request[place])
        first, following = two_deadlines(model, submitted + least)
        assert made.times[1] == pytest.approx(first - submitted, abs=1e-5)
        assert made.deadline == pytest.approx(following - submitted, abs=1e-5)


def two_deadlines(model: Diurnal, earliest: float) -> tuple[float, float]:
    """Walk from day to day to the first deadline, then to the following working day."""
    zone = ZoneInfo(model.zone)
    day = datetime.fromtimestamp(earliest, UTC).astimezone(zone).date() - timedelta(days=1)
    while True:
        day += timedelta(days=1)
        first = datetime.combine(day, model.at, zone).timestamp()
        if day.weekday() in model.days and first >= earliest:
            break
    while True:
        day += timedelta(days=1)
        if day.weekday() in model.days:
            return first, datetime.combine(day, model.until or model.at, zone).timestamp()


@given(MODELS)
def test_the_label_makes_the_model_again(model: Diurnal) -> None:
    assert make_model(model.label) == model


@pytest.mark.parametrize(
    ("header", "text", "message"),
    [
        (
            Header((" TimeZoneString: Europe/Paris",)),
            "",
            (
                "diurnal: field UnixStartTime: the log does not say when it began; give start= with"
                " the Unix time of its time 0, in seconds"
            ),
        ),
        (
            Header((" UnixStartTime: 0", " TimeZoneString: Europe/Paris")),
            "",
            "diurnal: field UnixStartTime: the log does not say when it began",
        ),
        (
            Header((f" UnixStartTime: {MONDAY}",)),
            "",
            (
                "diurnal: field TimeZoneString: the log does not say in which time zone it was"
                " recorded; give zone=, for instance zone=Europe/Paris"
            ),
        ),
        (PARIS, "zone=Europe/Pariss", "diurnal: field zone: no time zone is named 'Europe/Pariss'"),
        (
            PARIS,
            "start=9000000000",
            (
                "diurnal: the deadline of the job at position 0 would be 9.00001e+09 s after 1970,"
                " which is not in the years 1970 to 2200; correct start=, or give requests=0"
            ),
        ),
        (PARIS, "at=9", "diurnal: field at: '9' is not a time of the day; give HH:MM"),
        (PARIS, "left=1.5", "diurnal: field left: 1.5 is out of bounds; give 0 to 1"),
        (PARIS, "least=-1", "diurnal: field least: -1 is out of bounds; give 0 to 8760"),
        (PARIS, "requests=x", "diurnal: field requests: 'x' is not a finite number"),
        (PARIS, "rest=0.2", "diurnal: field rest: means nothing without close; give both"),
        (PARIS, "close=17:00", "diurnal: field close: means nothing without rest; give both"),
        (PARIS, "close=17:00,rest=0.6", "diurnal: field rest: 0.6 is out of bounds; give 0 to 0.5"),
        (PARIS, "close=08:00,rest=0", "diurnal: field close: 08:00 is not after 09:00; give a"),
        (PARIS, "globmax=0", "utilities: field globmax: 0 is out of bounds"),
        (PARIS, "dayz=mon", "diurnal: field dayz: is not a known key; did you mean 'days'?"),
    ],
)
def test_refusals(header: Header, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_model(f"diurnal:{text}").draw(job(header), 1, Given())

    assert message in str(error.value)


def test_times_that_clocks_skip_keep_their_order() -> None:
    # 31 March 2024, Paris: 2:59 is skipped, so 3:59 counts, which is after 3:00
    made = curve(job(), "days=sun,at=02:59,close=03:00,rest=0.1,start=1711800000,requests=0")

    assert (np.diff(made.times) > 0).all()
    assert made.times[1] == 1711850340 - 1711800000
