from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError, Workload
from swfx.families.soft_estimates import attach_soft_estimates

JOBS = Workload.from_columns(job_id=[1, 2, 3], run=[60, 60, 60])


def survey(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "guesses.csv"
    path.write_text("\n".join(("job,soft_estimate,confidence", *rows)) + "\n")
    return path


def test_jobs_get_what_their_users_said(tmp_path: Path) -> None:
    path = survey(tmp_path, "2,600,3", "3,,5", "9,60,1")

    jobs, notes = attach_soft_estimates(JOBS, path)

    assert jobs.soft_estimate.tolist() == [-1, 600, -1]
    assert jobs.confidence.tolist() == [-1, 0.6, 1]
    assert str(jobs.header.get("SoftEstimates")).startswith("as in guesses.csv (sha256 ")
    assert notes == (
        "1 of 3 jobs have a soft estimate",
        f"{path}: 1 row matching no job of the workload: line 4",
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2,0,3", "soft_estimate: '0' is out of bounds; give s, or leave the cell empty"),
        (
            "2,99:99:99,3",
            (
                "soft_estimate: '99:99:99' is not a finite number of at most 2^53 in magnitude; "
                "give a finite number"
            ),
        ),
        ("2,600,6", "confidence: '6' is out of bounds; give 0 to 5, or leave the cell empty"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(tmp_path: Path, row: str, message: str) -> None:
    path = survey(tmp_path, "1,600,3", row)

    with pytest.raises(InputError) as error:
        attach_soft_estimates(JOBS, path)

    assert str(error.value) == f"{path}:3: field {message}"
