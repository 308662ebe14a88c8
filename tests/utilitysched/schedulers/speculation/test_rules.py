"""Rules by which re-runnable jobs are stopped, whatever they are worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import InputError, Workload
from tests.scale import many
from utilitysched import make_scheduler, simulate

RULES = ("learned-requests", "youngest-first")


def log(*rows: tuple[float, float, float, int, int], procs: int = 4) -> Workload:
    """Jobs by submission, run time, request (s), processors, and whether they may be run again."""
    submit, run, request, size, again = (list(column) for column in zip(*rows, strict=True))
    jobs = Workload.from_columns(
        submit=submit, run=run, requested_time=request, processors=size, rerunnable=again
    )
    return jobs.replace(header=jobs.header.with_value("MaxProcs", procs))


# ---- the youngest first ----

EARLY = (0, 20, 100, 3, 0)
HEAD = (1, 10, 10, 4, 1)


def test_the_head_takes_the_processors_of_who_came_later() -> None:
    jobs = log(EARLY, HEAD, (2, 80, 90, 1, 1))

    assert simulate(jobs, "easy").end.tolist() == [20, 92, 82]
    assert simulate(jobs, "easy:stop=youngest-first").end.tolist() == [20, 30, 110]


@pytest.mark.parametrize(
    ("again", "text"),
    [(0, "easy:stop=youngest-first"), (1, "easy:stop=youngest-first,stops=0")],
)
def test_who_may_not_be_stopped_runs_on(again: int, text: str) -> None:
    jobs = log(EARLY, HEAD, (2, 80, 90, 1, again))

    assert simulate(jobs, text).end.tolist() == [20, 92, 82]


def test_the_last_to_start_goes_first_and_no_more_than_needed() -> None:
    jobs = log((0, 20, 100, 3, 0), (1, 10, 10, 4, 1), (2, 60, 90, 1, 1), (3, 70, 80, 1, 1), procs=5)

    assert simulate(jobs, "easy:stop=youngest-first").end.tolist() == [20, 30, 62, 100]


def test_nobody_is_stopped_for_who_came_later() -> None:
    jobs = log((0, 100, 100, 4, 1), (1, 10, 10, 4, 1))

    assert simulate(jobs, "easy:stop=youngest-first").end.tolist() == [100, 110]


def test_nobody_is_stopped_in_vain() -> None:
    jobs = log((0, 20, 100, 2, 0), (0, 60, 60, 1, 0), (1, 10, 10, 4, 1), (2, 38, 40, 1, 1))

    assert simulate(jobs, "easy:stop=youngest-first").end.tolist() == [20, 60, 70, 40]


# ---- learned requests ----

LEARNT = [(100.0 * n, 100, 3600, 4, 0) for n in range(30)]
"""Thirty jobs of 100 s one after the other: the half octave ends at 128 s, which is 3 minutes."""


def test_a_job_is_stopped_at_the_end_of_its_learned_request() -> None:
    jobs = log(*LEARNT, (4000, 1000, 3600, 4, 1), (4001, 100, 3600, 4, 1))

    schedule = simulate(jobs, "easy:stop=learned-requests")

    assert schedule.end[30:].tolist() == [5280, 4280]
    assert schedule.segments is not None
    assert schedule.segments.lost.max() == 180


def test_a_job_goes_on_while_nobody_waits() -> None:
    jobs = log(*LEARNT, (4000, 1000, 3600, 4, 1), (4200, 100, 3600, 4, 1))

    assert simulate(jobs, "easy:stop=learned-requests").end[30:].tolist() == [5000, 5100]


def test_learned_requests_fit_where_those_of_users_do_not() -> None:
    jobs = log(*LEARNT, (4000, 400, 400, 3, 0), (4001, 10, 10, 4, 0), (4002, 90, 3600, 1, 1))

    assert simulate(jobs, "easy").start[32] == 4410
    assert simulate(jobs, "easy:stop=learned-requests").start[32] == 4002


# ---- both ----


@st.composite
def logs(draw: st.DrawFn, again: st.SearchStrategy[int]) -> Workload:
    row = st.tuples(
        st.integers(0, 900), st.integers(0, 900), st.integers(1, 900), st.integers(1, 4), again
    )
    rows = sorted(draw(st.lists(row, min_size=1, max_size=40)), key=lambda job: job[0])
    return log(*rows)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=many(25))
@given(logs(st.integers(0, 1)), st.integers(0, 3))
def test_every_job_ends_and_none_is_stopped_too_often(
    rule: str, jobs: Workload, stops: int
) -> None:
    jobs = Workload.from_columns(
        **{name: np.concatenate([column, column]) for name, column in jobs.columns.items()}
    ).replace(header=jobs.header)  # twice, so that there is something to learn from

    schedule = simulate(jobs, f"saf:stop={rule},stops={stops}")

    assert schedule.segments is not None
    stopped = np.bincount(schedule.segments.job[schedule.segments.stop != 0], minlength=len(jobs))
    assert stopped.max() <= stops
    assert not stopped[~jobs.rerunnable].any()
    ran = schedule.segments.job[schedule.segments.stop == 0]
    assert sorted(ran.tolist()) == list(range(len(jobs)))
    last = schedule.segments.end - schedule.segments.start
    assert last[schedule.segments.stop == 0] == pytest.approx(jobs.effective_run[ran])


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=many(10))
@given(logs(st.just(0)))
def test_without_rerunnable_jobs_nothing_changes(rule: str, jobs: Workload) -> None:
    ruled, plain = (simulate(jobs, text) for text in (f"saf:stop={rule}", "saf"))

    assert ruled.end.tolist() == plain.end.tolist()


def test_the_rule_is_part_of_the_label() -> None:
    assert make_scheduler("easy:stops=3,stop=youngest-first").label == "easy:stop=youngest-first"
    assert make_scheduler("easy:stop=never").label == "easy"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("easy:stops=2", "easy: field stops: nobody is stopped; give stop=learned-requests or"),
        ("easy:stop=oldest", "field stop: 'oldest' is not a choice"),
        ("ga:preempt=true,stop=youngest-first", "decides itself who is stopped; leave it out"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_scheduler(text)

    assert message in str(error.value)
