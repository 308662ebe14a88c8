from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload
from swfx.dependencies import dependencies
from swfx.reading.cleaning import Links


def notes(*preceding: int, parts: int = 1) -> list[str]:
    """What is said of jobs 1, 2, ... that name these preceding jobs."""
    jobs = Workload.from_columns(preceding_job=list(preceding))
    links = Links()
    for part in np.array_split(np.arange(len(jobs)), parts):
        links.add(jobs[part])
    return list(links.notes(jobs.job_id))


def test_sound_links_are_not_worth_a_note() -> None:
    assert notes(-1, 1, 2, 2) == []
    assert notes(-1, 0, -1) == []


def test_missing_jobs_and_cycles_are_told() -> None:
    assert notes(9, 9, -1) == ["2 jobs name a preceding job that is not in the log (field 17)"]
    assert notes(1) == ["1 job waits for itself, directly or through others (field 17)"]
    assert notes(2, 3, 1, 1, parts=4) == [
        "3 jobs wait for themselves, directly or through others (field 17)"
    ]


@given(st.lists(st.integers(-1, 12), min_size=1, max_size=10))
def test_they_are_those_that_simulations_ignore(preceding: list[int]) -> None:
    listed = dependencies(Workload.from_columns(preceding_job=preceding)).listed

    counts = [int(note.split()[0]) for note in notes(*preceding)]

    assert counts == [len(listed[rule]) for rule in ("dangling", "cycle") if rule in listed]
