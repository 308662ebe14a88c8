from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.transforms import apply_all

LOG = Workload.from_columns(submit=[0, 5, 9, 12], preceding_job=[-1, 1, 2, 3])


@pytest.mark.parametrize(
    ("jobs", "numbers"), [("1:3", [2, 3]), (":2", [1, 2]), ("3:", [4]), ("-2:", [3, 4])]
)
def test_positions(jobs: str, numbers: list[int]) -> None:
    done = apply_all(LOG, [f"slice:jobs={jobs}"])

    assert done.workload.job_id.tolist() == numbers
    assert done.dropped == {f"slice:jobs={jobs}: outside of it": 4 - len(numbers)}


def test_links_to_jobs_outside_are_cut_and_told() -> None:
    done = apply_all(LOG, ["slice:jobs=2:"])

    assert done.workload.preceding_job.tolist() == [-1, 3]
    assert done.changed == {"slice:jobs=2:: links to dropped preceding jobs removed": 1}


@pytest.mark.parametrize("jobs", ["5", "a:b", "1:2:3", "-:3"])
def test_what_is_no_span(jobs: str) -> None:
    with pytest.raises(InputError, match=f"slice: field jobs: '{jobs}' is not A:B; give positions"):
        apply_all(LOG, [f"slice:jobs={jobs}"])
