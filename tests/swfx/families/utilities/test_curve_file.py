from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from swfx.families.utilities.curve_file import attach_curves, read_curves
from tests.strategies import utility_functions


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def file(name: str, *lines: str) -> str:
    Path(name).write_text("\n".join(lines) + "\n", "utf-8")
    return name


def log(**columns: Any) -> Workload:
    """Four jobs of 1, 8, 9 and 64 processors that ask for an hour."""
    everything = {
        "submit": [0, 1, 2, 3],
        "run": [60] * 4,
        "processors": [1, 8, 9, 64],
        "requested_time": [3600] * 4,
        "user": [7, 7, 8, 9],
        "queue": [1, 2, 1, 2],
    }
    return Workload.from_columns(**(everything | columns))


def curves(workload: Workload) -> list[UtilityFunction | None]:
    return [workload.utility[job] for job in range(len(workload))]


def test_jobs_get_their_curves_in_su() -> None:
    name = file("c.csv", "job,t,v", "3,0,5", "1,0,8", "3,60,5", "3,61,1.5", "1,3600,0")

    made = attach_curves(log(), [read_curves(name)]).workload

    assert curves(made) == [
        UtilityFunction([0, 3600], [8, 0]),
        None,
        UtilityFunction([0, 60, 61], [5, 5, 1.5]),
        None,
    ]


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("user", "7", "9"), ("queue", "1", "2"), ("size", "1-8", "64"), ("size", "1-8", "60-")],
)
def test_others_get_shares_of_the_start_value(kind: str, first: str, second: str) -> None:
    w = attach_utilities(log(), UtilitySpec(globmax=0.02, deviation=0), waits=[0] * 4)
    name = file(
        "c.csv", f"{kind},t,v", f"{first},0,1", f"{first},100,0.5", f"{second},0,2", f"{second},9,0"
    )

    made = attach_curves(w, [read_curves(name)]).workload

    # two classes: 0.015 and 0.005 SU per processor-minute for an hour
    start = [0.9, 2.4, 8.1, 19.2]
    assert w.utility.start_values == pytest.approx(start)
    expected = {
        "user": [1, 1, 0, 2],
        "queue": [1, 2, 1, 2],
        "size": [1, 1, 0, 2],
    }[kind]
    for job, factor in enumerate(expected):
        curve = made.utility[job]
        assert curve is not None
        if factor:
            assert curve.values == pytest.approx(
                [start[job], start[job] / 2] if factor == 1 else [2 * start[job], 0]
            )
        else:
            assert curve == w.utility[job]


def test_jobs_without_a_start_value_get_lees() -> None:
    name = file("c.csv", "user,t,v", "7,0,1", "7,100,0.5")

    made = attach_curves(log(), [read_curves(name)], 3, {2: 0}).workload

    lee = attach_utilities(log(), seed=3, waits=[0] * 4, classes={2: 0}).utility.start_values
    assert made.utility.start_values.tolist() == [lee[0], lee[1], 0, 0]


def test_a_rate_sets_the_start_value() -> None:
    name = file("c.csv", "queue,t,v", "2,0,1", "2,100,0.5")

    made = attach_curves(log(), [read_curves(f"{name},start=2")]).workload

    assert curves(made)[1] == UtilityFunction([0, 100], [16, 8])
    assert curves(made)[3] == UtilityFunction([0, 100], [128, 64])
    assert str(made.header.get("UtilityModel")).startswith("curves by queue of c.csv (sha256 ")
    assert str(made.header.get("UtilityModel")).endswith("), start 2 SU a processor-hour (2 jobs)")


def test_a_job_goes_before_its_user_its_queue_and_its_size() -> None:
    points = ("{0},0,1", "{0},{1},0")
    files = [
        file("job.csv", "job,t,v", *(p.format(1, 10) for p in points)),
        file("user.csv", "user,t,v", *(p.format(7, 20) for p in points)),
        file("queue.csv", "queue,t,v", *(p.format(1, 30) for p in points)),
        file("size.csv", "size,t,v", *(p.format("1-", 40) for p in points)),
    ]
    for order in (files, files[::-1]):
        done = attach_curves(log(), [read_curves(name) for name in order])

        deadlines = [curve.deadline for curve in curves(done.workload) if curve]
        assert deadlines == [10, 20, 30, 40]
        assert [note.partition(" (")[0] for note in done.notes] == [
            f"curves by {kind} of {kind}.csv" for kind in ("size", "queue", "user", "job")
        ]
        assert all(note.endswith("): 1 of 4 jobs (25.0%)") for note in done.notes)


def test_of_two_files_of_one_kind_the_later_counts() -> None:
    early = file("a.csv", "job,t,v", "1,0,1", "1,10,0")
    late = file("b.csv", "job,t,v", "1,0,2", "1,10,0")

    made = attach_curves(log(), [read_curves(early), read_curves(late)]).workload

    assert made.utility.start_values.tolist() == [2, 0, 0, 0]


def test_curves_for_no_job_are_told() -> None:
    name = file("c.csv", "job,t,v", "77,0,1", "1,0,1", "78,0,1", "77,5,0", "1,5,0", "78,5,0")

    done = attach_curves(log(), [read_curves(name)])

    assert done.notes[1:] == (
        "c.csv: left out: 2 of 3 curves (4 of 6 rows), matching no job of the workload: lines 2, 4",
    )


def test_no_files_no_curves() -> None:
    assert attach_curves(log(), []).workload == log()


@given(st.lists(utility_functions(), min_size=1, max_size=6), st.randoms())
def test_what_a_table_holds_comes_back(functions: list[UtilityFunction], random: Any) -> None:
    points = [
        [f"{job},{t!r},{v!r}" for t, v in zip(f.times.tolist(), f.values.tolist(), strict=True)]
        for job, f in enumerate(functions, start=1)
    ]
    rows = []
    while any(points):  # curves interleaved at random
        rows.append(random.choice([rest for rest in points if rest]).pop(0))
    w = Workload.from_columns(submit=[0] * len(functions))

    made = attach_curves(w, [read_curves(file("c.csv", "job,t,v", *rows))]).workload

    assert made.utility == UtilityTable.from_functions(functions)


REMEDY = "give two or more points from time 0, in order of time, with values that never rise"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["t,v", "0,1"], "c.csv:1: does not say whose the curves are; head the columns t, v, and"),
        (["job,user,t,v"], "c.csv:1: has the columns user, job; head the columns t, v, and one of"),
        (["job,t"], "c.csv: field v: is missing; head the columns job,t,v"),
        (["job,t,v,x"], "c.csv: field x: is no column of such a file"),
        (["job,t,v", "one,0,1"], "c.csv:2: field job: 'one' is not a whole number"),
        (
            ["job,t,v", "1,0,2", "2,0,2", "2,5,1", "1,5,3"],
            f"c.csv:5: field v: values must not increase: 3; {REMEDY}",
        ),
        (["job,t,v", "1,0,2", "1,5,1", "1,5,0"], "c.csv:4: field t: times must be strictly incre"),
        (["job,t,v", "1,1,2", "1,5,1"], "c.csv:2: field t: the first time must be 0: 1; give"),
        (["job,t,v", "1,0,2", "1,5,-1"], "c.csv:3: field v: must not be negative: -1; give"),
        (["job,t,v", "1,0,2"], "c.csv:2: field t: a utility function needs at least two points"),
        (["size,t,v", "8-1,0,1"], "c.csv:2: field size: '8-1' is no range of processors; give 8,"),
        (["size,t,v", "0-1,0,1"], "c.csv:2: field size: '0-1' is no range of processors"),
        (["size,t,v", "8 9,0,1"], "c.csv:2: field size: '8 9' is no range of processors"),
        (["size,t,v", "x,0,1"], "c.csv:2: field size: 'x' is no range of processors"),
        (
            ["size,t,v", "5-,0,1", "5-,9,0", "1-8,0,1", "1-8,9,0"],
            "c.csv:4: field size: '1-8' and '5-' overlap; let ranges follow one another",
        ),
        (["size,t,v", "1-8,0,1", "1-16,9,0"], "c.csv:3: field size: '1-8' and '1-16' overlap"),
    ],
)
def test_refusals(lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        read_curves(file("c.csv", *lines))

    assert message in str(error.value)


@pytest.mark.parametrize("rate", ["x", "-1", "nan"])
def test_a_rate_is_a_number(rate: str) -> None:
    name = file("c.csv", "queue,t,v", "2,0,1", "2,100,0.5")

    with pytest.raises(InputError, match=r"c\.csv: field start: "):
        read_curves(f"{name},start={rate}")


def test_equal_ranges_may_be_written_in_two_ways() -> None:
    made = read_curves(file("c.csv", "size,t,v", "1-8,0,1", "1 - 8,9,0"))

    assert (made.first.tolist(), made.last.tolist()) == ([1], [8])
    assert made.match(log()).tolist() == [0, 0, -1, -1]


def test_a_hundred_thousand_rows() -> None:
    rows = [f"{job},{t},{9 - t}" for job in range(1, 10_001) for t in range(10)]

    made = read_curves(file("c.csv", "job,t,v", *rows))

    assert len(made.curves) == 10_000
    assert np.array_equal(made.curves.times, np.tile(np.arange(10.0), 10_000))


def test_a_file_of_column_names_alone() -> None:
    with pytest.raises(InputError, match=r"c\.csv: has no row below the names of its columns"):
        read_curves(file("c.csv", "queue,t,v"))
