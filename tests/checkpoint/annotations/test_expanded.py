from __future__ import annotations

from pathlib import Path

import numpy as np

from checkpoint.registry import ANNOTATIONS
from swfx import Workload
from tests.checkpoint.annotated import answers, six_jobs


def test_jobs_of_one_user_and_size_answer_alike(tmp_path: Path) -> None:
    file = answers(tmp_path, "12,yes,900", "16,yes,60")

    annotated, notes = ANNOTATIONS.make(f"expanded:file={file}").annotate(six_jobs(), 0)

    assert annotated.checkpoint_interval.tolist() == [900, 900, 900, -1, -1, 60]
    assert notes[1:] == (
        "answers: yes 2",
        "2 answers drawn from similar jobs; 2 jobs have none",
    )


def test_no_is_an_answer_too_and_declining_is_none(tmp_path: Path) -> None:
    file = answers(tmp_path, "11,debug,", "14,declined,", "15,yes,300")

    annotated = ANNOTATIONS.make(f"expanded:file={file}").annotate(six_jobs(), 0).workload

    assert annotated.checkpoint_interval.tolist() == [-1, -1, -1, 300, 300, -1]


def test_answers_are_drawn_as_often_as_they_were_given(tmp_path: Path) -> None:
    jobs = 10_000
    alike = Workload.from_columns(
        user=np.ones(jobs), processors=np.full(jobs, 8), run=np.full(jobs, 60.0)
    )
    file = answers(tmp_path, "1,yes,300", "2,yes,300", "3,yes,900", "4,slowdown,")

    annotated = ANNOTATIONS.make(f"expanded:file={file}").annotate(alike, 1).workload

    values, times = np.unique(annotated.checkpoint_interval, return_counts=True)
    assert values.tolist() == [-1, 300, 900]
    assert np.allclose(times / jobs, [0.25, 0.5, 0.25], atol=0.015)


def test_more_answers_never_change_those_that_were_given(tmp_path: Path) -> None:
    file = answers(tmp_path, "11,yes,300", "12,no,", "13,yes,900")

    reported = ANNOTATIONS.make(f"reported:file={file}").annotate(six_jobs(), 0).workload
    expanded = ANNOTATIONS.make(f"expanded:file={file}").annotate(six_jobs(), 0).workload

    assert np.array_equal(expanded.checkpoint_interval, reported.checkpoint_interval)
