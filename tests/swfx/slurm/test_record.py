"""Run times of records: what the dates say, what the elapsed time says, and who is right."""

from __future__ import annotations

import pytest

from swfx.families.formats.registry import IMPORTERS

NAMES = "JobID|User|Submit|Start|End|State|NCPUS|Elapsed"


def run_of(start: str, end: str, elapsed: str, *, suspended: str = "") -> tuple[float, int]:
    """Run time of a job in Berlin, and how often `elapsed-differs` is listed."""
    names = f"{NAMES}|Suspended" if suspended else NAMES
    row = f"1|ann|2024-01-01T00:00:00|{start}|{end}|COMPLETED|4|{elapsed}"
    text = f"{names}\n{row}{'|' + suspended if suspended else ''}\n"
    workload, report, _ = IMPORTERS.make("slurm:timezone=Europe/Berlin").read(text.encode(), "log")
    return workload.run[0], report.counts().get("elapsed-differs", 0)


@pytest.mark.parametrize(
    ("start", "end", "elapsed", "expected"),
    [
        ("2024-10-27T02:10:00", "2024-10-27T02:10:00", "01:00:00", (3600, 0)),
        ("2024-10-27T02:10:00", "2024-10-27T02:20:00", "01:10:00", (4200, 0)),
        ("2024-10-27T02:10:00", "2024-10-27T02:20:00", "00:10:00", (600, 0)),
        ("2024-10-27T02:10:00", "2024-10-27T02:20:00", "01:00:00", (3600, 1)),
        ("2024-10-27T01:00:00", "2024-10-27T04:00:00", "04:00:00", (14400, 0)),
        ("2024-03-31T02:20:00", "2024-03-31T03:20:00", "01:00:00", (3600, 0)),
        ("2024-03-31T01:20:00", "2024-03-31T03:20:00", "01:00:00", (3600, 0)),
        ("2024-06-01T10:00:00", "2024-06-01T11:00:00", "00:30:00", (3600, 1)),
        ("2024-06-01T10:00:00", "2024-06-01T11:00:00", "01:30:00", (5400, 1)),
        ("2024-06-01T10:00:00", "2024-06-01T11:00:00", "", (3600, 0)),
    ],
)
def test_the_elapsed_time_decides_where_dates_are_ambiguous(
    start: str, end: str, elapsed: str, expected: tuple[float, int]
) -> None:
    assert run_of(start, end, elapsed) == expected


@pytest.mark.parametrize(
    ("elapsed", "suspended", "expected"),
    [
        ("00:30:00", "00:30:00", (3600, 0)),
        ("00:30:00", "00:10:00", (2400, 1)),
        ("01:00:00", "00:00:00", (3600, 0)),
    ],
)
def test_suspension_counts_where_it_is_told(
    elapsed: str, suspended: str, expected: tuple[float, int]
) -> None:
    start, end = "2024-06-01T10:00:00", "2024-06-01T11:00:00"

    assert run_of(start, end, elapsed, suspended=suspended) == expected
