"""Compilation is no part of the time that a simulation is said to take."""

from __future__ import annotations

import time

import numba

from utilitysched.engine.stopwatch import working_time


def test_compilation_does_not_count_and_all_else_does() -> None:
    def total(values: list[float]) -> float:
        return sum(values) ** 0.5

    began, worked = time.perf_counter(), working_time()
    numba.njit("float64(float64[:])")(total)
    took, without = time.perf_counter() - began, working_time() - worked
    time.sleep(0.05)

    assert without < took / 2
    assert working_time() - worked - without >= 0.05
