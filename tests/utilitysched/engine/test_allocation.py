"""Processor numbers, lowest free first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload
from utilitysched import allocations, simulate


def test_lowest_free_first() -> None:
    jobs = Workload.from_columns(submit=[0, 0, 1, 5], run=[5, 9, 9, 9], processors=[1, 2, 1, 3])
    schedule = simulate(jobs, "fcfs", machine_size=6)
    assert allocations(jobs, schedule) == ["0", "1-2", "3", "0 4-5"]


def test_jobs_without_run_time_reuse_the_same_processors() -> None:
    jobs = Workload.from_columns(submit=[0, 0, 0], run=[0, 0, 7], processors=[4, 4, 4])
    schedule = simulate(jobs, "fcfs", machine_size=4)
    assert allocations(jobs, schedule) == ["0-3", "0-3", "0-3"]


def processors(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.split():
        low, _, high = part.partition("-")
        found.update(range(int(low), int(high or low) + 1))
    return found


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=25
    )
)
def test_no_processor_is_given_twice(rows: list[tuple[int, int, int]]) -> None:
    submit, run, size = zip(*rows, strict=True)
    jobs = Workload.from_columns(submit=submit, run=run, processors=size)
    schedule = simulate(jobs, "easy", machine_size=5)
    sets = [processors(text) for text in allocations(jobs, schedule)]
    assert [len(held) for held in sets] == list(size)
    assert set().union(*sets) <= set(range(5))
    for a in range(len(sets)):
        for b in range(a):
            overlap = min(schedule.end[a], schedule.end[b]) > max(
                schedule.start[a], schedule.start[b]
            )
            assert not (overlap and sets[a] & sets[b])
