from __future__ import annotations

import pytest

from swfx import Header, InputError, Workload
from swfx.clock import Clock
from swfx.families.transforms import apply_all

LOG = Workload.from_columns(
    submit=[107.5, 110],
    header=Header((" UnixStartTime: 1000 (about)", " StartTime: then", " TimeZone: 3600")),
)


@pytest.mark.parametrize(
    ("text", "submit", "start"),
    [("rebase", [0.5, 3], 1107), ("rebase:first=200", [200.5, 203], 907)],
)
def test_the_wall_clock_stays(text: str, submit: list[float], start: int) -> None:
    done = apply_all(LOG, [text]).workload

    assert done.submit.tolist() == submit
    assert done.header.unix_start_time == start
    assert done.header.get("StartTime") is None
    assert Clock.of(done.header).date(submit[0]) == Clock.of(LOG.header).date(107.5)


def test_a_log_without_a_date() -> None:
    done = apply_all(LOG.replace(header=Header()), ["rebase"])

    assert done.workload.submit.tolist() == [0.5, 3]
    assert done.notes == ("rebase: time 0 is 107 s later than it was",)


def test_a_log_begins_at_0_or_later() -> None:
    with pytest.raises(InputError, match="rebase: field first: -1 is below 0"):
        apply_all(LOG, ["rebase:first=-1"])
