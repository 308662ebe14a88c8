from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, Workload
from swfx.families.annotation import Annotated
from swfx.families.utilities.elicited import attach_answers, fit, read_answers
from tests.reference.isotonic import never_rising

HEAD = "user,processors,request,factor,willingness"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def log(**columns: Any) -> Workload:
    """Three jobs of user 1, alike but for their turnaround: 3600, 6000, 7200 s; one of user 2."""
    everything = {
        "submit": [0, 1, 2, 3],
        "wait": [3000, 5000, 6600, 0],
        "run": [600, 1000, 600, 10],
        "processors": [4, 4, 4, 4],
        "requested_time": [3600] * 4,
        "user": [1, 1, 1, 2],
    }
    return Workload.from_columns(**(everything | columns))


def answered(*rows: str, head: str = HEAD, rate: str = "", workload: Workload | None = None) -> Any:
    Path("a.csv").write_text("\n".join((head, *rows)) + "\n", "utf-8")
    return attach_answers(workload or log(), read_answers(f"a.csv{rate}"))


def curve(done: Annotated, job: int = 0) -> UtilityFunction:
    made = done.workload.utility[job]
    assert made is not None
    return made


def test_the_survey_that_is_printed() -> None:
    # LEE figure 2.2: 130 SU, done in 32 h 38 min; 4 times as much if it took 16 h 19 min
    head = f"{HEAD},turnaround,cost"

    done = answered("1,4,3600,2,4,117480,130", "1,4,3600,1/2,0.5,117480,130", head=head)

    assert curve(done) == UtilityFunction([0, 58740, 234960], [520, 520, 65])


def test_answers_about_one_job_make_one_curve_for_all_like_it() -> None:
    # turnarounds 3600, 6000, 7200: the median is 6000; 4 processors for an hour cost 4 SU
    done = answered("1,4,3600,2,4", "1,4,3600,1/2,0.5", "1,4,3600,3,6", "1,4,3600,1/3,0")

    expected = UtilityFunction([0, 2000, 3000, 12000, 18000], [24, 24, 16, 2, 0])
    assert [done.workload.utility[job] for job in range(4)] == [expected] * 3 + [None]
    assert done.notes == (
        f"{label()}: 3 of 4 jobs (75.0%)",
        "a.csv: 4 of 4 answers joined into 1 curve",
    )
    assert done.workload.header.get("UtilityModel") == f"{label()} (3 jobs)"


def label() -> str:
    return f"answers of {read_answers('a.csv').columns.label}, 1 SU a processor-hour"


def test_the_rate_sets_the_cost() -> None:
    done = answered("1,4,3600,2,4", "1,4,3600,1/2,1", rate=",rate=0.5")

    assert curve(done).values.tolist() == [8, 8, 2]


def test_present_turnaround_and_cost_are_an_answer_only_if_they_are_in_the_file() -> None:
    done = answered("1,4,3600,2,4", "1,4,3600,1,1")

    assert curve(done) == UtilityFunction([0, 3000, 6000], [16, 16, 4])


def test_answers_for_one_time_are_averaged_by_weight() -> None:
    head = f"{HEAD},weight"

    done = answered("1,4,3600,2,4,3", "1,4,3600,2,8,1", "1,4,3600,1,1,", head=head)

    assert curve(done) == UtilityFunction([0, 3000, 6000], [20, 20, 4])
    assert done.notes[2:] == (
        "a.csv:2: willingness 4 counts as 5, averaged with line 3",
        "a.csv:3: willingness 8 counts as 5, averaged with line 2",
    )


def test_value_that_would_rise_is_repaired_and_told() -> None:
    done = answered(
        "1,4,3600,1/2,3", "1,4,3600,1,4", "1,4,3600,2,4", "1,4,3600,2,2", "1,4,3600,4,9"
    )

    # at 1500 s 9, at 3000 s 3 (two answers), at 6000 s 4, at 12000 s 3: 3 and 4 become 10/3
    assert curve(done).times.tolist() == [0, 1500, 3000, 6000, 12000]
    assert curve(done).values == pytest.approx([36, 36, 40 / 3, 40 / 3, 12])
    assert done.notes[2:] == (
        "a.csv:3: willingness 4 counts as 3.33333, so that value never rises",
        (
            "a.csv:4: willingness 4 counts as 3.33333, averaged with line 5 and so that value never"
            " rises"
        ),
        (
            "a.csv:5: willingness 2 counts as 3.33333, averaged with line 4 and so that value never"
            " rises"
        ),
    )


def test_what_is_left_out_is_told_and_all_answers_are_accounted_for() -> None:
    done = answered(
        "1,4,3600,2,4", "9,4,3600,2,4", "2,4,3600,2,4", "1,4,3600,1/2,1", "9,4,3600,3,4"
    )

    assert done.notes[1:] == (
        "a.csv: 2 of 5 answers joined into 1 curve",
        "a.csv: left out: 2 answers about no job of the workload: lines 3, 6",
        "a.csv: left out: 1 answer that is the only one about its job: line 4",
    )
    assert not done.workload.utility.defined[3]


def test_other_curves_stay() -> None:
    once = answered("1,4,3600,2,4", "1,4,3600,1,1").workload

    twice = answered("2,4,3600,2,4", "2,4,3600,1,1", workload=once)

    assert twice.workload.utility[0] == once.utility[0]
    assert curve(twice, 3) == UtilityFunction([0, 5, 10], [16, 16, 4])
    assert len(twice.workload.header.all("UtilityModel")) == 2


def test_no_answers_no_curves() -> None:
    done = answered()

    assert not done.workload.utility.defined.any()
    assert done.notes[1] == "a.csv: 0 of 0 answers joined into 0 curves"


POINTS = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 40), st.integers(1, 4)), min_size=1, max_size=15
)


@given(POINTS)
def test_fit_is_that_of_the_twin(points: list[tuple[int, int, int]]) -> None:
    times, values, weights = (np.array(column, float) for column in zip(*points, strict=True))

    made = fit(times, values, weights)

    distinct = sorted(set(times))
    total = [sum(w for t, _, w in points if t == time) for time in distinct]
    means = [
        sum(v * w for t, v, w in points if t == time) / weight
        for time, weight in zip(distinct, total, strict=True)
    ]
    assert made.times.tolist() == distinct
    assert made.means == pytest.approx(means)
    assert made.values == pytest.approx([float(v) for v in never_rising(means, total)], abs=1e-9)
    UtilityFunction(made.curve.times, made.curve.values)  # which refuses what is no curve


ANSWERS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from(["2", "1/2", "3", "1/3", "0.7"]),
        st.floats(0, 1e6),
        st.floats(0.01, 100),
    ),
    max_size=15,
)


@given(ANSWERS)
def test_every_curve_is_valid_and_every_answer_accounted_for(
    rows: list[tuple[int, str, float, float]],
) -> None:
    lines = [f"{user},4,3600,{factor},{times!r},{weight!r}" for user, factor, times, weight in rows]

    done = answered(*lines, head=f"{HEAD},weight")

    users = [user for user, *_ in rows]
    for job, user in enumerate(log().user.tolist()):
        made = done.workload.utility[job]
        assert (made is not None) == (users.count(user) > 1)
        if made:
            UtilityFunction(made.times, made.values)
    used = sum(users.count(user) > 1 and user != 3 for user in users)
    assert f"a.csv: {used} of {len(rows)} answer" in done.notes[1]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,4,3600,0,4", "a.csv:3: field factor: must be above 0: 0; correct it"),
        ("1,4,3600,-2,4", "a.csv:3: field factor: must be above 0: -2"),
        ("1,4,3600,1/0,4", "a.csv:3: field factor: '1/0' is not a finite number"),
        ("1,4,3600,two,4", "a.csv:3: field factor: 'two' is not a finite number"),
        ("1,4,3600,1/,4", "a.csv:3: field factor: '1/' is not a finite number"),
        ("1,4,3600,1/2/2,4", "a.csv:3: field factor: '1/2/2' is not a finite number"),
        ("1,4,3600,1e999999999,4", "a.csv:3: field factor: '1e999999999' is not a finite number"),
        ("1,4,3600,2,-4", "a.csv:3: field willingness: must not be negative: -4; correct it"),
        ("1,4,3600,2,", "a.csv:3: field willingness: '' is not a finite number"),
        ("1,0,3600,2,4", "a.csv:3: field processors: must be above 0: 0"),
        ("1,4,-1,2,4", "a.csv:3: field request: must be above 0: -1"),
        ("1.5,4,3600,2,4", "a.csv:3: field user: '1.5' is not a whole number"),
        ("1,4,3600,2", "a.csv:3: 4 cells for 5 columns"),
    ],
)
def test_refusals_of_answers(row: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        answered("1,4,3600,2,4", row)

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("column", "cell"), [("weight", "0"), ("turnaround", "-5"), ("cost", "0"), ("cost", "x")]
)
def test_refusals_of_what_may_be_left_out(column: str, cell: str) -> None:
    with pytest.raises(InputError, match=rf"a\.csv:2: field {column}: "):
        answered(f"1,4,3600,2,4,{cell}", head=f"{HEAD},{column}")


def test_refusals_of_the_file() -> None:
    for head, message in (
        (
            "user,processors,request,factor",
            "a.csv: field willingness: is missing; head the",
        ),
        (f"{HEAD},wieght", "a.csv: field wieght: is no column of such a file; head the columns"),
    ):
        with pytest.raises(InputError, match=message):
            answered(head=head)
    with pytest.raises(InputError, match=r"a\.csv: field rate: 0 is out of bounds"):
        answered(rate=",rate=0")


def test_times_that_are_no_numbers_any_more() -> None:
    with pytest.raises(InputError, match=r"^a\.csv:2: field utility times: .* beyond the limit"):
        answered("1,4,3600,1e-15,4", "1,4,3600,2,1")


def test_a_turnaround_must_be_known() -> None:
    with pytest.raises(InputError) as error:
        answered("1,4,3600,2,4", "1,4,3600,1/2,1", workload=log(wait=[-1] * 4))

    assert str(error.value) == (
        "a.csv:2: field turnaround: no turnaround time above 0 is logged for user 1, 4 processors"
        " and 3600 s; give the column turnaround, as the user was told it"
    )
