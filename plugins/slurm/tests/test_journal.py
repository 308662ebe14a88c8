"""What a watch leaves on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugins.slurm.tests.clusters import job
from swfx import InputError, UtilityFunction
from swfx.accounting.annotations import Annotations
from swfx.reading.workload_source import WorkloadSource
from utilitysched_slurm.journal import LookNote, WatchJournal
from utilitysched_slurm.queue import KnownJob, Run

CURVE = UtilityFunction([0.0, 100.0], [9.5, 0.0])
HOSTILE = 'a|b\n17|"=1+1"\u2028é'


def ran(number: int, state: str = "COMPLETED", start: float = 50.0, **more: object) -> Run:
    seen = job(number, state, start=start, end=start + 20, **more)
    return Run(
        0, KnownJob(seen, float(number), Annotations(900.0, utility=CURVE)), seen, state, start + 20
    )


def test_the_listing_reads_back_as_the_jobs_that_ran(tmp_path: Path) -> None:
    with WatchJournal(tmp_path) as journal:
        journal.add([ran(7, processors=3, name=HOSTILE), ran(8, "TIMEOUT", rerunnable=False)])

    found = WorkloadSource(f"slurm:{journal.listing}", machine_size=8).load().workload

    assert found.job_id.tolist() == [7, 8]
    assert (found.submit - found.submit[0]).tolist() == [0.0, 1.0]
    assert found.wait.tolist() == [43.0, 42.0]
    assert found.run.tolist() == [20.0, 20.0]
    assert found.request.tolist() == [60.0, 60.0]
    assert found.size.tolist() == [3, 2]
    assert found.utility[0] == CURVE
    assert found.checkpoint_interval.tolist() == [900.0, 900.0]
    assert found.rerunnable.tolist() == [True, False]


def test_a_requeued_run_and_the_next_are_one_job_since_its_first_submission(tmp_path: Path) -> None:
    with WatchJournal(tmp_path) as journal:
        journal.add([ran(7, "REQUEUED"), ran(7, start=90.0)])

    found = WorkloadSource(f"slurm:{journal.listing}", machine_size=8).load().workload

    assert (found.wait.tolist(), found.run.tolist()) == ([83.0], [20.0])


def test_it_goes_on_after_it_was_killed_and_keeps_each_run_once(tmp_path: Path) -> None:
    with WatchJournal(tmp_path) as first:
        first.add([ran(7)])
        first.note(LookNote(70.5, 1, 2, ("8",), (), (), {}))
    with first.listing.open("a") as file:
        file.write("8|8|alice|phy")

    with WatchJournal(tmp_path) as again:
        again.add([ran(7), ran(8)])
        again.add([ran(8)])

    assert [line.partition("|")[0] for line in again.listing.read_text().splitlines()] == [
        "JobID",
        "7",
        "8",
    ]
    assert (again.last, len(again)) == (70.5, 2)


def test_it_remembers_only_so_many_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utilitysched_slurm.journal.RECENT", 2)
    with WatchJournal(tmp_path) as journal:
        journal.add([ran(7), ran(8), ran(9)])
        journal.add([ran(9), ran(8), ran(7)])

        assert len(journal) == 4
    with WatchJournal(tmp_path) as again:
        again.add([ran(7), ran(9)])

        assert len(again) == 4


def test_decisions_are_noted_when_they_change(tmp_path: Path) -> None:
    with WatchJournal(tmp_path) as journal:
        for now in (1.0, 2.0, 3.0):
            journal.note(LookNote(now, 2, 4, ("7", "8_1"), (), (), {"held": 2}))
        journal.note(LookNote(4.0, 0, 0, (), ("9",), ("7",), {}))

    assert (tmp_path / "decisions.csv").read_text().splitlines() == [
        "time,queued,free,would_start,would_preempt,slurm_started,left",
        "1.000,2,4,7 8_1,,,held:2",
        "4.000,0,0,,9,7,",
    ]


def test_two_watches_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with WatchJournal(tmp_path), pytest.raises(InputError, match="at work here; end it first"):
        WatchJournal(tmp_path)
    with WatchJournal(tmp_path) as after:
        assert len(after) == 0


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sacct.txt").write_text("JobID|Start\n")
    with pytest.raises(InputError, match="no file of a watch"):
        WatchJournal(tmp_path)
    assert (tmp_path / "sacct.txt").read_text() == "JobID|Start\n"
