"""Jobs that could not start when they were submitted: two waits, and submission when eligible."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import swfx
from swfx import Workload
from swfx.eligibility import first_submission, submitted_when_eligible, time_held
from swfx.families.transforms import apply_all
from swfx.families.transforms.merge import _together
from swfx.writer import to_bytes
from tests.strategies import held_workloads


def job_by_job(log: Workload) -> list[float]:
    """When each job could start (s), by loops and the definition."""
    moments = []
    for submit, wait, eligible in zip(log.submit, log.wait, log.eligible, strict=True):
        moment = submit if eligible == -1 else submit + eligible
        moments.append(float(moment if wait == -1 else min(moment, submit + wait)))
    return moments


@given(held_workloads())
def test_jobs_are_submitted_when_they_could_start(log: Workload) -> None:
    moved = submitted_when_eligible(log)

    assert moved.submit.tolist() == job_by_job(log)
    assert np.array_equal(moved.submit, log.submit + time_held(log))
    assert np.array_equal(first_submission(moved), log.submit)
    ran = log.wait >= 0
    assert np.array_equal((moved.submit + moved.wait)[ran], (log.submit + log.wait)[ran])
    assert (moved.wait[~ran] == -1).all()
    assert not time_held(moved).any()
    assert submitted_when_eligible(moved) is moved


@given(held_workloads(), st.data())
def test_what_is_simulated_as_a_dependency_is_not_counted_twice(
    log: Workload, data: st.DataObject
) -> None:
    before = st.lists(
        st.sampled_from([-1, *log.job_id.tolist()]), min_size=len(log), max_size=len(log)
    )
    chained = log.replace(preceding_job=data.draw(before), think_time=np.zeros(len(log)))
    links = swfx.dependencies.dependencies(chained).predecessor

    moved = submitted_when_eligible(chained, dependencies=True)

    expected = np.where(links == -1, job_by_job(chained), chained.submit)
    assert np.array_equal(moved.submit, expected)


@given(held_workloads())
def test_files_keep_eligibility(log: Workload) -> None:
    for each in (log, submitted_when_eligible(log)):
        again = swfx.read(io.BytesIO(to_bytes(each)), cleaning="none").workload
        assert np.array_equal(again.eligible, each.eligible)
        assert np.array_equal(again.submitted_before, each.submitted_before)


@given(held_workloads(), held_workloads())
def test_transformations_keep_the_time_held_with_its_job(log: Workload, other: Workload) -> None:
    held = dict(zip(log.job_id.tolist(), time_held(log).tolist(), strict=True))
    middle = float(np.median(log.submit))
    for text in (f"window:end={middle + 0.5}", "slice:jobs=-1:", "accurate", "clean"):
        done = apply_all(log, [text]).workload
        assert time_held(done).tolist() == [held[job] for job in done.job_id.tolist()], text
    if np.ptp(log.submit):
        faster = apply_all(log, ["scale-load:factor=2"]).workload
        assert np.array_equal(time_held(faster), time_held(log))
        assert np.array_equal(
            submitted_when_eligible(faster).submit, faster.submit + time_held(log)
        )
    both = _together(log, other, [], 16)
    assert sorted(time_held(both)) == sorted([*time_held(log), *time_held(other)])


def test_a_merged_log_knows_of_the_part_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "other.swf"
    swfx.write(Workload.from_columns(submit=[7], run=[5], processors=[1]), path)
    log = Workload.from_columns(submit=[0, 9], run=[5, 5], processors=[1, 1], eligible=[3, 0])

    both = apply_all(log, [f"merge:log={path},clocks=first,machine=first"]).workload

    assert both.eligible.tolist() == [3.0, -1.0, 0.0]
