"""Compilation is no part of the time that a simulation is said to take."""

from __future__ import annotations

import time

import numba
import pytest
from numba.core import event

from utilitysched.kernels.compiling import working_time


def test_compilation_does_not_count_and_all_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def total(values: list[float]) -> float:
        return sum(values) ** 0.5

    monkeypatch.setattr(time, "perf_counter", lambda: 100.0)
    before = working_time()
    with event.install_timer("numba:compile", lambda _: None) as compiling:
        numba.njit("float64(float64[:])")(total)
    compiled = working_time()
    monkeypatch.setattr(time, "perf_counter", lambda: 107.0)

    assert compiling.done
    assert compiled < before
    assert working_time() == pytest.approx(compiled + 7.0)
