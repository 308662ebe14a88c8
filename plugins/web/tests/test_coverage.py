"""Bands of quotes: what of outcomes they hold, and levels learned from earlier outcomes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.scale import many
from tests.utilitysched.market.quote.markets import market
from utilitysched.market.quote import QuoteTerms, Spread, quote
from utilitysched.model.state import Floats
from utilitysched.runs.stored import StoredRun
from utilitysched_web.coverage import (
    PLAIN,
    BandLevels,
    OutcomePlace,
    calibrated,
    past_submission,
)


@pytest.mark.parametrize("seed", range(many(20)))
def test_levels_hold_what_lies_between_the_quantiles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    samples = rng.integers(0, 12, int(rng.integers(1, 40))).astype(float)
    levels = BandLevels(*np.sort(rng.random(2)))
    low, high = Spread.of(samples, levels).quantiles
    for outcome in np.arange(-1, 13, 0.5).tolist():
        held = levels.hold(OutcomePlace.of(samples, outcome))
        assert held == (low <= outcome <= high)


def overconfident(rng: np.random.Generator, jobs: int) -> list[OutcomePlace]:
    """Return places of outcomes that vary 1.4 times as much as the samples say."""
    samples: Floats = rng.normal(size=(jobs, 100))
    return [
        OutcomePlace.of(*each) for each in zip(samples, 1.4 * rng.normal(size=jobs), strict=True)
    ]


def test_levels_of_earlier_jobs_hold_of_later_ones_what_they_should() -> None:
    rng = np.random.default_rng(1)
    levels, later = calibrated(overconfident(rng, 2000)), overconfident(rng, 2000)

    assert PLAIN.held(later) < 0.68  # P(|1.4 x| < 1.28) = 0.64
    assert 0.0 < levels.low < 0.06
    assert 0.94 < levels.high < 1.0
    assert levels.held(later) == pytest.approx(0.8, abs=0.03)


def test_with_few_jobs_the_band_is_all_samples() -> None:
    assert calibrated([OutcomePlace(0.5, 0.6)] * 8) == (0.0, 1.0)
    assert calibrated([OutcomePlace(0.5, 0.6)] * 9) != (0.0, 1.0)


@pytest.mark.parametrize("seed", range(many(10)))
def test_a_past_job_is_asked_about_as_it_was(seed: int) -> None:
    case = market(Random(seed), "value-density")
    record = {"simulation": case.schedule.provenance}
    run = StoredRun(case.workload, case.schedule.start, case.schedule.end, record)
    job = past_submission(run, len(case.workload) - 1)

    made = quote(job.snapshot, job.job, QuoteTerms(samples=2))
    assert (job.job, job.end) == (case.job, case.schedule.end[-1])
    assert job.snapshot.queued == case.snapshot.queued
    # jobs run as requested, and nobody comes later
    assert made.offers[0].now.completion.quantiles == (job.end,) * 3
