"""Compilation is no part of the time that a simulation is said to take."""

from __future__ import annotations

import time

import numba

from utilitysched.engine.stopwatch import stopwatch


def test_compilation_does_not_count_and_all_else_does() -> None:
    def total(values: list[float]) -> float:
        return sum(values) ** 0.5

    began = time.perf_counter()
    with stopwatch() as seconds:
        numba.njit("float64(float64[:])")(total)
        compiled = seconds()
        took = time.perf_counter() - began
        time.sleep(0.05)
        slept = seconds() - compiled

    assert compiled < took / 2
    assert slept >= 0.05
