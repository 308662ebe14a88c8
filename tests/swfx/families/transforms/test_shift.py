from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.transforms import apply_all

LOG = Workload.from_columns(submit=[10, 25.5])


@pytest.mark.parametrize(("by", "submit"), [("1min", [70, 85.5]), ("-10", [0, 15.5])])
def test_all_jobs_move_alike(by: str, submit: list[float]) -> None:
    assert apply_all(LOG, [f"shift:by={by}"]).workload.submit.tolist() == submit


def test_nobody_moves_before_the_log_begins() -> None:
    with pytest.raises(InputError, match="shift:by=-11: 1 jobs would be submitted before time 0"):
        apply_all(LOG, ["shift:by=-11"])
