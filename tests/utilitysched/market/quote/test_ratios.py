from __future__ import annotations

import numpy as np

from utilitysched.market.quote.run_times import Past
from utilitysched.runs.snapshot import FinishedJob

FRESH = [FinishedJob(1, 100.0, 50.0), FinishedJob(2, 100.0, 100.0), FinishedJob(2, 10.0, 1.0)]


def test_nothing_known_is_as_requested() -> None:
    assert Past([]).ratios(1).at(np.array([0.0, 0.99])).tolist() == [1.0, 1.0]


def test_a_user_of_whom_enough_is_known_is_alone() -> None:
    past = Past([*FRESH, *(FinishedJob(1, 100.0, 20.0) for _ in range(7))])
    ratios = past.ratios(1)

    assert ratios.at(np.array([0.0, 0.8, 0.95])).tolist() == [0.2, 0.2, 0.5]


def test_of_whom_little_is_known_runs_like_anybody_most_of_the_time() -> None:
    # one of eight own: 0.5 has 1/8 and a third of 7/8
    ratios = Past(FRESH).ratios(1)

    assert ratios.ratio.tolist() == [0.1, 0.5, 0.5, 1.0]
    assert np.allclose(np.diff(ratios.cumulative, prepend=0.0), [7 / 24, 1 / 8, 7 / 24, 7 / 24])


def test_anybody_is_every_job_alike() -> None:
    assert Past(FRESH).ratios(-1).at(np.array([0.1, 0.5, 0.9])).tolist() == [0.1, 0.5, 1.0]


def test_who_has_run_for_longer_runs_on() -> None:
    past = Past(FRESH)

    assert past.ratios(-1, above=0.1).ratio.tolist() == [0.5, 1.0]
    assert past.ratios(-1, above=1.0).ratio.tolist() == [1.0]
