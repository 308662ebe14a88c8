from __future__ import annotations

import pytest

from swfx.slurm.requeue import allows_requeue


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
