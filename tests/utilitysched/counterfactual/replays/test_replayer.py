"""Replays that stop early beside whole logs, simulated with and without a job."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from pricing.counterfactual import ReplayRule
from swfx import Workload
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.replays import Question
from utilitysched.counterfactual.replays.replayer import Absence, Replayer
from utilitysched.model.state import Floats

ENDLESS = ReplayRule()

SCHEDULERS = (
    "easy",
    "fcfs",
    "saf",
    "lexp",
    "saf:backfill=lcfs,threshold=20",
    "spf:placement=reservations,reservations=2",
    "conservative",
    "saf:placement=conservative",
    "value-density:duration=predicted",
    "value:duration=expected",
)


def question(jobs: Workload, processors: int, scheduler: str, rule: ReplayRule) -> Question:
    start = simulate(jobs, scheduler, machine_size=processors, seed=5).start
    return Question(jobs, scheduler, processors, 5, start=start, rule=rule)


def without(jobs: Workload, gone: int) -> Workload:
    return jobs[np.arange(len(jobs)) != gone]


def in_arrival_order(jobs: Workload) -> Workload:
    return jobs[np.argsort(jobs.submit, kind="stable")]


def losses(
    jobs: Workload, gone: int, having: Floats, lacking: Floats, closes: float = math.inf
) -> dict[int, float]:
    """Return who would have had how much more without `gone`, from the starts of whole logs (s).

    Jobs submitted from `closes` on do not count; what starts later counts as if it started then.
    """
    found = {}
    lacking = np.insert(lacking, gone, np.nan)
    for job in range(len(jobs)):
        curve = jobs.utility[job]
        if job == gone or curve is None or jobs.submit[job] >= closes:
            continue
        before, after = (
            float(curve(min(start[job], closes) + jobs.effective_run[job] - jobs.submit[job]))
            for start in (having, lacking)
        )
        if after != before:
            found[job] = after - before
    return found


def found_losses(absence: Absence, seed: int = 0) -> dict[int, float]:
    difference = absence.differences[seed]
    pairs = zip(difference.victims, difference.losses, strict=True)
    return {victim: loss for victim, loss in pairs if loss}


def starts(jobs: Workload, processors: int, scheduler: str, seed: int = 5) -> Floats:
    return simulate(jobs, scheduler, machine_size=processors, seed=seed).start


@pytest.mark.parametrize("text", SCHEDULERS)
def test_stopping_early_finds_what_the_whole_log_shows(text: str) -> None:
    rng = Random(21)
    changed = stopped = 0
    for _ in range(many(20)):
        jobs, processors = random_workload(rng)
        jobs = in_arrival_order(jobs)
        replayer = Replayer(question(jobs, processors, text, ENDLESS))
        having = starts(jobs, processors, text)
        for job in range(len(jobs)):
            rest = without(jobs, job)
            lacking = starts(rest, processors, text) if len(rest) else np.empty(0)
            absence = replayer.without(job)

            expected = losses(jobs, job, having, lacking)
            assert found_losses(absence) == expected
            assert absence.differences[0].recoupled
            changed += bool(expected)
            stopped += absence.differences[0].end <= jobs.submit.max()
    assert changed > enough(10)
    assert stopped > enough(10)


@pytest.mark.parametrize(
    "text",
    [
        "easy",
        "conservative",
        "ga",
        "ga:warm=false,generations=3",
        "ga:weights=predictability:1,threshold=9",
        "climb",
    ],
)
@pytest.mark.parametrize("horizon", [7.0, math.inf])
def test_what_is_found_is_what_whole_logs_show(text: str, horizon: float) -> None:
    rng = Random(22)
    changed = 0
    for _ in range(many(8)):
        jobs, processors = random_workload(rng)
        jobs = in_arrival_order(jobs)
        replayer = Replayer(question(jobs, processors, text, ReplayRule(horizon)))
        having = starts(jobs, processors, text)
        for job in range(len(jobs)):
            rest = without(jobs, job)
            lacking = starts(rest, processors, text) if len(rest) else np.empty(0)
            absence = replayer.without(job)

            closes = jobs.submit[job] + horizon
            expected = losses(jobs, job, having, lacking, closes)
            assert found_losses(absence) == expected
            assert absence.differences[0].end <= max(closes, jobs.submit[job])
            changed += bool(expected)
    assert changed > enough(10)
