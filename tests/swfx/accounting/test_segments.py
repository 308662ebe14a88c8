from __future__ import annotations

import pytest

from swfx.accounting.segments import RunSegments, Segment


def test_times_count_from_the_start_of_the_log() -> None:
    found = [Segment(7, 1, 100, 105, 109, 4, 0), Segment(7, 2, 110, -1, -1, 4, 5)]
    runs = RunSegments.of(found).since(100)

    assert (runs.submit.tolist(), runs.start.tolist()) == ([0, 10], [5, -1])
    assert (runs.run.dtype, runs.start.dtype) == ("int64", "float64")
    with pytest.raises(ValueError, match="read-only"):
        runs.end[0] = 3


def test_no_runs() -> None:
    assert len(RunSegments.of([])) == 0
