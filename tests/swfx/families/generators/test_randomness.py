from __future__ import annotations

import numpy as np

from swfx.families.generators.randomness import stream


def test_purpose_and_seed_fix_the_stream() -> None:
    assert stream(1, "coins").random(5).tolist() == stream(1, "coins").random(5).tolist()
    assert stream(2, "coins").random(5).tolist() != stream(1, "coins").random(5).tolist()


def test_purposes_are_independent() -> None:
    draws = [stream(1, purpose).random(10_000) for purpose in ("a", "b", "aa", "a\0")]

    correlation = np.corrcoef(draws) - np.eye(4)

    assert abs(correlation).max() < 4 / np.sqrt(10_000)


def test_streams_stay_what_they_are() -> None:
    # a change here changes every workload that users made from a seed
    assert stream(1, "lublin batch gaps").integers(0, 1000, 4).tolist() == [31, 363, 179, 575]
