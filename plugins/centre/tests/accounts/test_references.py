"""References: the same job has the same one wherever it is read."""

from __future__ import annotations

from pathlib import Path

from swfx import Header, Workload, open_workload
from tests.pricing.jobs import three_jobs
from utilitysched_centre.accounts import job_references


def test_slices_have_the_references_of_the_whole() -> None:
    jobs = three_jobs()

    references = job_references(jobs)

    assert len(set(references)) == 3
    assert {len(reference) for reference in references} == {20}
    assert job_references(jobs[1:]) == references[1:]


def test_another_log_has_others() -> None:
    jobs = three_jobs()
    moved = jobs.replace(header=Header((" UnixStartTime: 0",)))
    named = jobs.replace(header=Header((*jobs.header.lines, " Computer: another")))

    assert not set(job_references(jobs)) & set(job_references(moved))
    assert not set(job_references(jobs)) & set(job_references(named))


def test_utility_functions_make_no_difference() -> None:
    jobs = three_jobs()
    columns = {name: getattr(jobs, name) for name in ("job_id", "submit", "run", "processors")}
    rest = {name: getattr(jobs, name) for name in ("user", "group", "queue", "status")}
    plain = Workload.from_columns(header=jobs.header, **columns, **rest)

    assert job_references(plain) == job_references(jobs)


def test_equal_lines_are_told_apart() -> None:
    twins = Workload.from_columns(submit=[0, 0, 0], run=[1, 1, 1], job_id=[5, 5, 5])

    assert len(set(job_references(twins))) == 3


LISTING = "JobID|User|Submit|Start|End|State|AllocCPUS"
ROWS = [
    "1|zoe|2026-10-01T00:00:00|2026-10-01T01:00:00|2026-10-01T02:00:00|COMPLETED|4",
    "2|ann|2026-10-02T00:00:00|2026-10-02T00:00:00|2026-10-02T03:00:00|COMPLETED|1",
    "3_1|ann|2026-10-02T00:00:00|2026-10-02T00:00:00|2026-10-02T03:00:00|COMPLETED|1",
    "4|bob|2026-10-03T00:00:00|2026-10-03T00:00:00|2026-10-03T03:00:00|COMPLETED|1",
]


def test_jobs_of_a_listing_are_the_same_in_any_other(tmp_path: Path) -> None:
    """Another first job, and so another clock and other numbers of users."""

    def references(*rows: str) -> list[str]:
        path = tmp_path / "sacct.txt"
        path.write_text("\n".join([LISTING, *rows]) + "\n")
        return job_references(open_workload(f"slurm:{path}", machine_size=8).workload)

    every = references(*ROWS)
    assert len(set(every)) == 4
    assert references(*ROWS[1:]) == every[1:]
    assert references(ROWS[0], ROWS[3]) == [every[0], every[3]]
    other_user = ROWS[0].replace("zoe", "joe")
    assert references(other_user) != every[:1]
