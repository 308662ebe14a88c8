from __future__ import annotations

import numpy as np
import pytest

from checkpoint.pairing import INTERVALS, KINDS, interval_kind, paired_intervals


def counts(intervals: np.ndarray) -> dict[int, int]:
    return {minutes: int(np.sum(intervals == 60 * minutes)) for minutes in INTERVALS}


def test_the_published_answers() -> None:
    answers = np.repeat(list(INTERVALS), list(INTERVALS.values()))

    assert len(answers) == 219
    assert (INTERVALS[5], INTERVALS[10], INTERVALS[30]) == (36, 38, 34)
    assert max(n for minutes, n in INTERVALS.items() if minutes not in {5, 10, 30}) < 34
    assert np.median(answers) == 15


def test_the_published_kinds() -> None:
    assert KINDS["fine"] == 67
    assert KINDS["fine"] + KINDS["between"] == 115
    assert sum(KINDS.values()) == 120


@pytest.mark.parametrize(
    ("interval", "run", "kind"),
    [(60, 3000, 0), (60, 2999, 1), (60, 241, 1), (60, 240, 2), (60, 0, 2)],
)
def test_kinds(interval: float, run: float, kind: int) -> None:
    assert interval_kind(interval, run) == kind


def test_long_jobs_get_both_published_distributions() -> None:
    run = np.geomspace(5_000, 400_000, 21_900)

    found = paired_intervals(run, np.random.default_rng(1))

    assert counts(found) == pytest.approx({m: 100 * n for m, n in INTERVALS.items()}, abs=15)
    kinds = np.bincount(interval_kind(found, run)) / len(run)
    assert kinds == pytest.approx([67 / 120, 48 / 120, 5 / 120], abs=0.002)


def test_short_jobs_get_the_intervals_all_the_same() -> None:
    run = np.full(2190, 600.0)

    found = paired_intervals(run, np.random.default_rng(1))

    assert counts(found) == pytest.approx({m: 10 * n for m, n in INTERVALS.items()}, abs=1)


def test_one_job_gets_one_of_the_intervals() -> None:
    drawn = {
        float(paired_intervals(np.array([1e6]), np.random.default_rng(s))[0]) for s in range(99)
    }

    assert drawn <= {60.0 * minutes for minutes in INTERVALS}
    assert len(drawn) > 3
