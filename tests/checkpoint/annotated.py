"""Jobs and files that the tests of the annotations share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from swfx import Workload


def six_jobs() -> Workload:
    """Users 1, 1, 1, 2, 2 and unknown; the first three of 8, the others of 4 processors."""
    return Workload.from_columns(
        job_id=[11, 12, 13, 14, 15, 16],
        user=[1, 1, 1, 2, 2, -1],
        processors=[8, 8, 8, 4, 4, 4],
        run=np.full(6, 3600.0),
        requested_time=np.full(6, 7200.0),
    )


def many_jobs(jobs: int = 4000) -> Workload:
    """Jobs of all sizes, most of them short, most of the work in the long ones."""
    rng = np.random.default_rng(3)
    return Workload.from_columns(
        processors=2 ** rng.integers(0, 7, jobs),
        run=np.round(rng.lognormal(8, 2.2, jobs)),
    )


def answers(folder: Path, *rows: str) -> str:
    """Path of a file of answers with these rows."""
    path = folder / "survey.csv"
    path.write_text("\n".join(("job,answer,interval", *rows)) + "\n")
    return str(path)
