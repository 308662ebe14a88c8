"""Audits as a whole, and the jobs that are sampled for them."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, Workload
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched import simulate
from utilitysched.market.audit import (
    MEASURES,
    Audit,
    AuditPlace,
    AuditSubject,
    Design,
    audit,
    summarise,
)
from utilitysched.market.audit.audit import congestion, sample

FEW = Design(jobs=6, draws=1, lies=("scale:factor=0.1", "steeper", "delay:by=5"))


def audited(jobs: Workload, scheduler: str, *mechanisms: str, processes: int = 1) -> Audit:
    subject = AuditSubject(scheduler, mechanisms, PROCESSORS, seed=3)
    return audit(jobs, subject, FEW, AuditPlace(processes))


def test_columns() -> None:
    jobs = crowd(21)
    shuffled = jobs[np.random.default_rng(1).permutation(len(jobs))]

    found = audited(shuffled, "easy", "first-price:reading=end", "single-price")

    assert found.mechanisms == ("first-price:reading=end", "single-price")
    assert found.about_value == (True, True, False)
    assert found.chosen.shape == found.scored.shape == (6, 2, 3)
    assert np.array_equal(found.user, shuffled.user[found.job])
    assert found.draws == 0
    assert np.array_equal(found.chosen, found.scored)
    assert len(summarise(found)) == 2 * len(MEASURES) * 4


def test_the_same_in_any_number_of_processes_and_other_seeds_are_scored() -> None:
    jobs = crowd(22)
    scheduler = "ga:preset=plain,generations=1,population=2"

    one, two = (audited(jobs, scheduler, "vcg", "single-price", processes=n) for n in (1, 2))

    assert one.draws == 1
    for name in ("job", "value", "chosen", "scored", "placebo"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert not np.array_equal(one.chosen, one.scored)


def test_progress_is_told() -> None:
    told: list[float] = []

    subject = AuditSubject("easy", ["first-price:reading=end"], 8)
    audit(crowd(23), subject, FEW, AuditPlace(on_progress=told.append))

    assert told == [pytest.approx((done + 1) / 6) for done in range(6)]


@pytest.mark.parametrize(
    ("scheduler", "mechanisms", "message"),
    [
        ("esay", ["first-price:reading=end"], "unknown scheduler 'esay'"),
        ("easy", ["frst-price"], "unknown price mechanism"),
        ("easy", [], "no mechanism to audit"),
        ("easy", ["vcg", "vcg"], "vcg is named twice"),
        ("easy", ["vcg", "vcg:settle=end"], "one way at a time"),
        ("easy", ["vcg:method=replay,horizon=1w"], "field horizon: is that of the audit"),
        ("easy", ["vcg:literal=true"], "field literal: is that of the audit"),
    ],
)
def test_what_cannot_be_audited_is_refused(
    scheduler: str, mechanisms: list[str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        audit(crowd(1), AuditSubject(scheduler, mechanisms, 8))


def test_there_must_be_something_to_lie_about() -> None:
    jobs = Workload.from_columns(submit=[0], run=[1], processors=[1])

    with pytest.raises(InputError, match="no job of this workload has a utility function"):
        audit(jobs, AuditSubject("easy", machine_size=1))


def test_prices_for_those_who_come_later_are_audited_side_by_side() -> None:
    jobs = crowd(24)
    both = audited(jobs, "value-density", "vcg", "vcg:reserve=0.4")

    for place, mechanism in enumerate(both.mechanisms):
        alone = audited(jobs, "value-density", mechanism)
        assert np.array_equal(both.scored[:, [place]], alone.scored)
    assert not np.array_equal(both.scored[:, 0], both.scored[:, 1])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"jobs": 0}, "field jobs: 0 jobs"),
        ({"draws": 0}, "field draws: 0 draws"),
        ({"lies": ()}, "no lie to try"),
        ({"lies": ("scale", "scale:factor=2")}, "scale is named twice"),
        ({"horizon": "soon"}, "'soon' is no time span"),
        ({"queues": "1"}, "is not QUEUE:RATE"),
    ],
)
def test_impossible_designs_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Design(**wrong)  # type: ignore[arg-type]


def test_congestion_is_what_queued_and_running_jobs_want() -> None:
    jobs = crowd(1)
    start = simulate(jobs, "easy", machine_size=PROCESSORS).start
    end = start + jobs.effective_run

    found = congestion(jobs, start + jobs.effective_run, PROCESSORS)

    for job, now in enumerate(jobs.submit):
        here = (jobs.submit < now) & (end > now)
        assert found[job] == jobs.size[here].sum() / PROCESSORS
    assert found.max() > 1


def test_as_many_from_each_third() -> None:
    crowded = np.array([5.0, 0.0, 3.0, 1.0, 4.0, 2.0, 9.0])
    eligible = np.array([True] * 6 + [False])

    found = sample(crowded, eligible, 4, seed=1)

    thirds = [{1, 3}, {5, 2}, {4, 0}]
    assert all(job in thirds[third] for job, third in zip(found.job, found.stratum, strict=True))
    assert np.bincount(found.stratum).tolist() == [2, 1, 1]
    assert found.job.tolist() == sorted(found.job.tolist())
    assert found.congestion.tolist() == crowded[found.job].tolist()


def test_no_job_twice_and_no_more_than_there_are() -> None:
    found = sample(np.arange(5.0), np.ones(5, np.bool_), 50, seed=1)

    assert found.job.tolist() == [0, 1, 2, 3, 4]
