from __future__ import annotations

import pytest

from swfx.slurm.dependencies import allows_requeue, jobs_waited_for


@pytest.mark.parametrize(
    ("line", "jobs"),
    [
        ("sbatch --dependency=afterok:123 job.sh", ("123",)),
        ("sbatch --dependency afterany:1:2_3 job.sh", ("1", "2_3")),
        ("sbatch -d afternotok:5,aftercorr:6 job.sh", ("5", "6")),
        ("sbatch -dafterok:5?afterany:6 job.sh", ("5", "6")),
        ('sbatch --dependency="afterok:7" job.sh', ("7",)),
        ("sbatch -d after:8+5 job.sh", ()),
        ("sbatch --dependency=singleton job.sh", ()),
        ("sbatch job.sh -d /tmp/afterok", ()),
        ("sbatch job.sh", ()),
        ("", ()),
    ],
)
def test_jobs_whose_end_is_waited_for(line: str, jobs: tuple[str, ...]) -> None:
    assert tuple(job for job, _ in jobs_waited_for(line)) == jobs


def test_tasks_wait_for_their_namesakes_by_aftercorr_alone() -> None:
    assert jobs_waited_for("sbatch -d afterok:5,aftercorr:6") == (("5", False), ("6", True))


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("sbatch --requeue job.sh", 1),
        ("sbatch --no-requeue job.sh", 0),
        ("sbatch --no-requeue --requeue job.sh", 1),
        ("sbatch --requeued job.sh", -1),
        ("sbatch requeue.sh", -1),
        ("", -1),
    ],
)
def test_the_last_option_counts(line: str, mark: int) -> None:
    assert allows_requeue(line) == mark
