from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.pricing.jobs import three_replays


def test_a_mean_is_the_sum_of_what_others_lose_and_negative_ones_are_not_charged() -> None:
    replays = three_replays()

    assert replays.mean.tolist() == [5.0, -3.0, 0.0]
    assert replays.charge.tolist() == [5.0, 0.0, 0.0]


def test_the_standard_error_over_seeds() -> None:
    # differences of each job: mean - 1, mean, mean + 1
    assert three_replays(3).error == pytest.approx([1 / math.sqrt(3)] * 3)


def test_the_standard_error_of_one_seed_is_not_known_if_it_could_be_another() -> None:
    assert np.isnan(three_replays().error).all()
    assert replace(three_replays(), draws=False).error.tolist() == [0, 0, 0]


def test_jobs_that_were_not_asked_about_have_no_charge() -> None:
    begin = np.array([0.0, 0.0, np.nan])

    assert np.isnan(replace(three_replays(), begin=begin).charge).tolist() == [False, False, True]


def test_columns_by_job_are_means_over_the_seeds() -> None:
    replays = three_replays(3)

    assert replays.others.tolist() == [2, 2, 2]
    assert replays.with_job.tolist() == [20.0, 20.0, 20.0]
    assert replays.without_job.tolist() == [25.0, 17.0, 20.0]
