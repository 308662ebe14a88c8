from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, Workload, read
from swfx.families.resampling import WEEK, weeks_of
from swfx.families.transforms import apply_all
from tests.strategies import workloads

SPAN = WEEK / 20


@given(workloads(), st.integers(0, 3), st.integers(3, 20))
def test_every_week_holds_whole_weeks_of_users(log: Workload, seed: int, weeks: int) -> None:
    log = log.replace(submit=log.submit * SPAN)

    done = apply_all(log, [f"resample-users:weeks={weeks},active=true"], seed)

    again, first = done.workload, log.submit.min()
    new_week = ((again.submit - first) // WEEK).astype(int)
    old_week = weeks_of(log)
    for week in range(weeks):
        for user in set(log.user.tolist()):
            there = again.original_job[(new_week == week) & (again.user == user)]
            (source,) = set(old_week[there - 1].tolist())
            profile = log.job_id[(old_week == source) & (log.user == user)]
            assert sorted(there.tolist()) == profile.tolist()
    old = log[again.original_job - 1]
    assert ((again.submit - first) % WEEK).tolist() == ((old.submit - first) % WEEK).tolist()
    assert again.user.tolist() == old.user.tolist()
    assert (np.diff(again.submit) >= 0).all()
    missing = sum(done.dropped.values())
    assert missing == len(log) - len(set(again.original_job.tolist()))


def test_weeks_in_which_a_user_did_nothing_are_drawn_too() -> None:
    log = Workload.from_columns(submit=[0, 3 * WEEK], user=[1, 2])

    done = apply_all(log, ["resample-users:weeks=4000"], 5).workload

    for user in (1, 2):
        assert (done.user == user).sum() == pytest.approx(1000, abs=4 * 27.4)


def test_links_hold_within_a_profile() -> None:
    log = Workload.from_columns(
        submit=[0, 10, 20, WEEK],
        user=[1, 1, 2, 1],
        preceding_job=[-1, 1, 2, 1],
    )

    done = apply_all(log, ["resample-users:weeks=50,active=true"], 2).workload

    linked = done.preceding_job > 0
    assert set(done.original_job[linked].tolist()) == {2}
    assert done.original_job[done.preceding_job[linked] - 1].tolist() == [1] * int(linked.sum())
    assert (done.submit[linked] - done.submit[done.preceding_job[linked] - 1] == 10).all()


@pytest.mark.parametrize(
    ("name", "ratio"), [("KTH-SP2-1996-2.1-cln", 2.4), ("SDSC-SP2-1998-4.2-cln", 4.8)]
)
def test_active_weeks_alone_multiply_the_load(traces: Path, name: str, ratio: float) -> None:
    log = read(traces / f"{name}.swf.gz").workload

    def work(text: str) -> float:
        done = apply_all(log, [text], 1).workload
        return float((done.size * done.run).sum())

    everything = work("resample-users")
    assert everything == pytest.approx(float((log.size * log.run).sum()), rel=0.15)
    assert work("resample-users:active=true") / everything == pytest.approx(ratio, rel=0.15)


def test_flags() -> None:
    with pytest.raises(InputError, match="field active: 'yes' is not a choice"):
        apply_all(Workload.from_columns(submit=[0]), ["resample-users:active=yes"])
