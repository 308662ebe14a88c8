from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Workload, read
from swfx.families.resampling import WEEK, weeks_of
from swfx.families.transforms import apply_all
from tests.strategies import workloads

SPAN = WEEK / 20
"""Stretches the short logs of the strategies over weeks."""


@given(workloads(), st.integers(0, 3))
@pytest.mark.slow
def test_a_shuffle_keeps_every_job_and_its_time_of_the_week(log: Workload, seed: int) -> None:
    log = log.replace(submit=log.submit * SPAN)

    done = apply_all(log, ["resample-weeks"], seed)

    again = done.workload
    assert sorted(again.original_job.tolist()) == log.job_id.tolist()
    assert done.dropped == {}
    old = log[again.original_job - 1]
    first = log.submit.min()
    assert ((again.submit - first) % WEEK).tolist() == ((old.submit - first) % WEEK).tolist()
    assert again.run.tolist() == old.run.tolist()
    assert again.utility == old.utility
    assert (np.diff(again.submit) >= 0).all()
    assert again.job_id.tolist() == list(range(1, len(log) + 1))
    moved = (again.submit - first) // WEEK - weeks_of(log)[again.original_job - 1]
    assert len(set(zip(weeks_of(old).tolist(), moved.tolist(), strict=True))) == (
        len(set(weeks_of(log).tolist()))
    )


def test_fewer_and_more_weeks() -> None:
    log = Workload.from_columns(submit=np.arange(4) * WEEK)

    two = apply_all(log, ["resample-weeks:weeks=2"], 1)
    nine = apply_all(log, ["resample-weeks:weeks=9"], 1)

    assert len(two.workload) == 2
    assert two.dropped == {"resample-weeks:weeks=2: in weeks not drawn": 2}
    assert two.notes == ("resample-weeks:weeks=2: 2 weeks from 4: 2 jobs from 4",)
    assert sorted(Counter(nine.workload.original_job.tolist()).values()) == [2, 2, 2, 3]
    assert nine.workload.submit.tolist() == (np.arange(9) * WEEK).tolist()


def test_the_seed_decides() -> None:
    log = Workload.from_columns(submit=np.arange(30) * WEEK)

    orders = [
        apply_all(log, ["resample-weeks"], seed).workload.original_job.tolist()
        for seed in (1, 1, 2)
    ]

    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert apply_all(log, ["resample-weeks"], 3).workload.header.get("Transformation") == (
        "resample-weeks; seed 3"
    )


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln"])
def test_a_real_log(traces: Path, name: str) -> None:
    log = read(traces / f"{name}.swf.gz").workload

    again = apply_all(log, ["resample-weeks"], 1).workload

    assert sorted(again.original_job.tolist()) == sorted(log.job_id.tolist())
    assert again.submit.max() < log.submit.min() + WEEK * (weeks_of(log).max() + 1)
