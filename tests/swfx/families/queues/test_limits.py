from __future__ import annotations

import math

import numpy as np

from swfx.families.queues.limits import Limit, first_within, limits_text, read_limits


def test_limits_of_time_and_of_processors() -> None:
    limits = read_limits("30min:0,2h/64:1", "by-request")

    assert limits == (Limit(0, 1800.0, math.inf), Limit(1, 7200.0, 64))
    assert limits_text(limits) == "1800:0,7200/64:1"
    assert read_limits(limits_text(limits), "by-request") == limits


def test_limits_are_kept_up_to_and_with_their_value() -> None:
    limits = (Limit(0, 10.0, 4), Limit(1, 20.0))

    queues = first_within(limits, 5, np.array([10.0, 10.0, 20.0, 20.5]), np.array([4, 5, 1, 1]))

    assert queues.tolist() == [0, 1, 1, 5]
