from __future__ import annotations

import numpy as np
import pytest

from swfx.families.queues.shares import draw_queues, read_shares, shares_text


def test_text_and_shares() -> None:
    shares = read_shares("3:4,0:0,1:0.5")

    assert shares == ((0, 0.0), (1, 0.5), (3, 4.0))
    assert shares_text(shares) == "0:0,1:0.5,3:4"


def test_shares_are_relative_and_0_is_never() -> None:
    drawn = draw_queues(((0, 0.0), (1, 1.0), (3, 3.0), (4, 0.0)), 40_000, np.random.default_rng(1))

    assert np.bincount(drawn) == pytest.approx([0, 10_000, 0, 30_000], abs=350)  # 4 deviations
