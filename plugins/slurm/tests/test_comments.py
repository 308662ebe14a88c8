"""Bids in comments of jobs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx.base.zones import find_zone
from tests.scale import many
from utilitysched_slurm.comments import HIGHEST, LONGEST, MOST, Bid, is_bid, read_bid

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()
HOURS = 3600.0

CURVES = [
    ("0:40,1h:40,2h:0", [0, HOURS, 2 * HOURS], [40, 40, 0]),
    (" 0 : 9, 90 min : 0", [0, 1.5 * HOURS], [9, 0]),
    ("deadline=18:00,value=40", [0, 6 * HOURS], [40, 40]),
    ("value=2.5, deadline=11:00", [0, 23 * HOURS], [2.5, 2.5]),
    ("deadline=4h,value=40,checkpoint=10min", [0, 4 * HOURS], [40, 40]),
    ('{"utility": [[0, 9], [600, 0]]}', [0, 600], [9, 0]),
]
NO_BIDS = ["", "please hurry", "urgent", "curve=urgent", "ticket 12:30"]
BAD_BIDS = [
    ("12:30 meeting", "no point"),
    ("0:1,1h:2", "field utility: point 2: values must not increase; "),
    ("valeu=40,deadline=4h", "valeu is none of"),
    ("deadline=18:00", "a deadline needs a value"),
    ("value=40", "a value needs a deadline"),
    ("deadline=25:00,value=1", "field deadline: '25:00' is no time of the day"),
    ("deadline=-1h,value=1", "more than 0"),
    ("deadline=1h,value=-1", "negative"),
    ("deadline=1h,value=nan", "nan"),
    ("deadline=1h,value=1,price=2", "price is none of"),
    ("deadline=1h,deadline=2h,value=1", "twice"),
    ("deadline=1h,value=2e9", "worth more than"),
    ("deadline=400d,value=1", "at most a year"),
    ("checkpoint=0", "more than 0"),
    ("{", "JSON"),
    ('{"utility": [[0, 1], [5, 2]]}', "impossible"),
    ("0:1," + "1h:0," * MOST, "longer than 1024"),
]


@pytest.mark.parametrize(("text", "times", "values"), CURVES)
def test_curves(text: str, times: list[float], values: list[float]) -> None:
    said, problem = read_bid(text, NOON, UTC)

    assert problem == ""
    assert said.utility is not None
    assert said.utility.times.tolist() == times
    assert said.utility.values.tolist() == values


def test_times_of_the_day_are_those_of_the_zone() -> None:
    said = read_bid("deadline=18:00,value=1", NOON, find_zone("Europe/Berlin")).said

    assert said.utility is not None
    assert said.utility.deadline == 5 * HOURS


def test_checkpoints_can_be_all_that_is_said() -> None:
    said = read_bid("checkpoint=10min", NOON, UTC).said

    assert (said.utility, said.checkpoint_interval) == (None, 600.0)


@pytest.mark.parametrize("text", NO_BIDS)
def test_other_comments_are_no_bids(text: str) -> None:
    assert not is_bid(text)
    assert read_bid(text, NOON, UTC) == Bid()


@pytest.mark.parametrize(("text", "problem"), BAD_BIDS)
def test_bad_bids_say_why(text: str, problem: str) -> None:
    said, why = read_bid(text, NOON, UTC)

    assert said == Bid().said
    assert problem in why


RUBBISH = [
    "{" * MOST,
    '{"utility":' + "[" * 1010,
    '{"utility":' + "[" * 500 + "]" * 500 + "}",
    '{"utility": [[0, 1' + "0" * 990 + "], [5, 0]]}",
    "0:1" + ",1h:0" * 200,
    "9" * 1020 + ":1",
    "0" + " " * 1020 + ":1",
    "deadline=" + "9" * 1000 + ",value=1",
    "checkpoint" + " " * 1010 + "=",
    "\x00" * MOST,
    "\u202e|\n" * 341,
]


@pytest.mark.parametrize("text", RUBBISH, ids=range(len(RUBBISH)))
def test_a_kilobyte_of_rubbish_says_nothing(text: str) -> None:
    assert len(text) <= MOST
    assert read_bid(text, NOON, UTC).said == Bid().said


PIECES = st.sampled_from(
    ["deadline=", "value=", "checkpoint=", "18:00", "4h", "0:", "1h:", "40", ",", "{", "}", "[",
     '"utility":', "1e999", "-", "9" * 400, "nan", "=", " ", "\x00", "é", "٣"]
)  # fmt: skip


@settings(max_examples=many(300), deadline=None)
@given(
    st.text(max_size=40) | st.lists(PIECES, max_size=9).map("".join),
    st.sampled_from([0.0, NOON, 2.0**40, 1e18]),
)
def test_nothing_that_users_write_raises_or_leaves_the_bounds(text: str, submit: float) -> None:
    said, problem = read_bid(text, submit, UTC)

    assert said == Bid().said or not problem
    if said.utility is not None:
        assert 0 <= said.utility.values[-1] <= said.utility.values[0] <= HIGHEST
        assert 0 == said.utility.times[0] < said.utility.deadline <= LONGEST
