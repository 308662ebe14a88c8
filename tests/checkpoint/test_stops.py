"""How often jobs are stopped, by what they run on."""

from __future__ import annotations

import numpy as np
import pytest

from checkpoint.advice import Stops
from swfx import InputError

SIZES = np.array([1, 8, 9, 1])


def test_nodes_of_a_job_fail_independently() -> None:
    stops = Stops.from_texts("2h", 8, "never")

    assert stops.between(SIZES) == pytest.approx([7200, 7200, 3600, 7200])
    assert str(stops) == "one failure per node every 2 h"


def test_preemptions_come_on_top() -> None:
    stops = Stops.from_texts("2h", None, "1h")

    assert stops.between(np.array([1])) == pytest.approx([2400])
    assert (
        str(stops) == "one failure per node every 2 h, and one preemption per running job every 1 h"
    )
    assert Stops.from_texts(None, None, "1h").between(SIZES).tolist() == [3600] * 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((None, None, "never"), "field mtbf: nothing stops any job; give `mtbf=5y`, of one"),
        (("never", 8, "never"), "field mtbf: nothing stops any job; give `mtbf=5y`, of one"),
        (("0", None, "never"), "field mtbf: '0' is not a time above 0; write 5y or 90d"),
        (("5y", None, "-1d"), "field preemptions: '-1d' is not a time above 0"),
        (
            ("5q", None, "never"),
            "field mtbf: unknown unit of time: 'q'; known: d, h, min, s, w, y",
        ),
    ],
)
def test_refusals(given: tuple[str | None, int | None, str], message: str) -> None:
    with pytest.raises(InputError) as refused:
        Stops.from_texts(*given)

    assert str(refused.value).startswith(message)
