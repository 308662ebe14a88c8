from __future__ import annotations

from pathlib import Path

from checkpoint.registry import ANNOTATIONS
from tests.checkpoint.annotated import answers, six_jobs


def test_only_who_said_yes_takes_checkpoints(tmp_path: Path) -> None:
    file = answers(tmp_path, "11,yes,900", "12,debug,", "14,0,300", "16,declined,")

    annotated, notes = ANNOTATIONS.make(f"reported:file={file}").annotate(six_jobs(), 0)

    assert annotated.checkpoint_interval.tolist() == [900, -1, -1, 300, -1, -1]
    assert annotated.restart_overhead.tolist() == [8, -1, -1, 4, -1, -1]
    assert notes == (
        (
            "2 of 6 jobs take checkpoints: 33.33% of the jobs, 33.33% of the node-hours "
            "(run times up to the request)"
        ),
        "answers: yes 2, debug 1, declined 1",
    )


def test_answers_about_other_jobs_are_named(tmp_path: Path) -> None:
    file = answers(tmp_path, "99,yes,900", "11,no,", "98,yes,60")

    notes = ANNOTATIONS.make(f"reported:file={file}").annotate(six_jobs(), 0).notes

    assert notes[1:] == (
        "answers: no 1",
        f"{file}: 2 rows matching no job of the workload: lines 2, 4",
    )
