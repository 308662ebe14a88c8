from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks.timing import Race, peak_bytes, program, race


def test_ratios_are_taken_round_by_round() -> None:
    raced = Race({"slow": [2.0, 8.0, 6.0], "fast": [1.0, 2.0, 2.0]}, {})

    assert (raced.median("slow"), raced.best("slow")) == (6.0, 2.0)
    assert raced.ratio("slow", "fast") == 3.0


def test_actions_alternate_and_the_first_round_is_not_counted() -> None:
    calls: list[str] = []

    raced = race({"a": lambda: calls.append("a"), "b": lambda: len(calls)}, rounds=2)

    assert calls == ["a", "a", "a"]
    assert raced.results == {"a": None, "b": 3}
    assert len(raced.seconds["a"]) == 2


def test_peak_memory_is_what_the_call_adds() -> None:
    size = 200_000_000
    peak = peak_bytes(lambda: np.ones(size, np.uint8).sum())

    assert 0.95 * size < peak < 1.3 * size


def test_a_program_that_fails_says_why() -> None:
    assert program([sys.executable, "-c", "print('done')"]).output == "done\n"
    with pytest.raises(RuntimeError, match="no such thing"):
        program([sys.executable, "-c", "raise SystemExit('no such thing')"])
