from __future__ import annotations

import pytest

from swfx import Header, InputError, Workload
from swfx.families.transforms import apply_all

LOG = Workload.from_columns(submit=[0, 86_400, 90_000.5, 200_000])
DATED = LOG.replace(header=Header((" UnixStartTime: 0", " TimeZoneString: Europe/Paris")))


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ("start=86400,end=200000", [2, 3]),
        ("end=90000", [1, 2]),
        ("start=90000.5", [3, 4]),
        ("start=1970-01-02", [2, 3, 4]),  # 23:00 of the first day in Greenwich
        ("start=1970-01-02T02:00,end=1970-01-03", [3]),
    ],
)
def test_the_end_is_excluded(options: str, numbers: list[int]) -> None:
    done = apply_all(DATED, [f"window:{options}"])

    assert done.workload.job_id.tolist() == numbers
    assert sum(done.dropped.values()) == 4 - len(numbers)
    assert done.workload.submit.tolist() == LOG.submit[done.workload.job_id - 1].tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("start=5,end=5", "window:start=5,end=5: nothing is between 5 and 5; give an end after"),
        ("start=2004-13-01", "window: field UnixStartTime: the header does not say"),
    ],
)
def test_windows_that_cannot_be(options: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        apply_all(LOG, [f"window:{options}"])


def test_a_date_that_is_none() -> None:
    with pytest.raises(InputError, match="window: field end: 'May' is neither seconds nor a date"):
        apply_all(DATED, ["window:end=May"])


def test_a_date_without_hyphens_is_no_number_of_seconds() -> None:
    with pytest.raises(InputError, match="20040307 may be a date or seconds; write 2004-03-07, or"):
        apply_all(LOG, ["window:start=20040307"])
    assert len(apply_all(LOG, ["window:end=20040307.0"]).workload) == len(LOG)
