from __future__ import annotations

import pytest

from swfx.accounting.record_error import RecordError
from swfx.slurm.job_ids import JobId, parse_job_id


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("123", JobId("123", 123, pending_tasks=False, step="")),
        ("123.batch", JobId("123", 123, pending_tasks=False, step="batch")),
        ("123.0", JobId("123", 123, pending_tasks=False, step="0")),
        ("123_4", JobId("123_4", 123, pending_tasks=False, step="", task=4)),
        ("123_4.extern", JobId("123_4", 123, pending_tasks=False, step="extern", task=4)),
        ("123+1", JobId("123+1", 123, pending_tasks=False, step="", component=1)),
        ("123+1.0", JobId("123+1", 123, pending_tasks=False, step="0", component=1)),
        ("123.0+1", JobId("123", 123, pending_tasks=False, step="0+1")),
        ("123_[5-9%2]", JobId("123_[5-9%2]", 123, pending_tasks=True, step="")),
        ("123_[1,3,5-...]", JobId("123_[1,3,5-...]", 123, True, "")),
        ("123_[1,3,5", JobId("123_[1,3,5", 123, pending_tasks=True, step="")),
    ],
)
def test_job_numbers(text: str, parts: JobId) -> None:
    assert parse_job_id(text) == parts


@pytest.mark.parametrize("text", ["", "x", "-1", "12x", "1_", "1+", "1 2", "9" * 16, "1."])
def test_what_is_no_job_number(text: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_job_id(text)

    assert error.value.rule.name == "not-a-job-id"
