"""Compilation is told once, and is no part of the time that a simulation is said to take."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import numba
import pytest
from numba import njit
from numba.core import event

from utilitysched.kernels.compiling import inner, leaf, telling_of_compilation, working_time


def test_compilation_is_told_once_and_only_where_there_is_some() -> None:
    told: list[str] = []
    one = njit(lambda x: x + 1)
    other = njit(lambda x: x + 2)

    with telling_of_compilation(lambda: told.append("compiling")):
        assert (one(1), other(1), one(1.0)) == (2, 3, 2.0)
    assert told == ["compiling"]

    with telling_of_compilation(lambda: told.append("again")):
        assert one(5) == 6
    assert told == ["compiling"]
    assert njit(lambda x: x)(1) == 1
    assert told == ["compiling"]


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


@pytest.mark.parametrize("kind", [inner, leaf])
def test_what_is_compiled_for_kernels_alone_refuses_python(kind: Any) -> None:
    @kind
    def successor(x: int) -> int:
        return x + 1

    def refused() -> None:
        with pytest.raises(TypeError, match=r"successor\(\) is for compiled code only"):
            successor(1)

    refused()
    assert njit(lambda x: 2 * successor(x))(1) == 4
    refused()  # now there is compiled code, which Python cannot enter


def test_kernels_run_as_python_where_numba_is_switched_off() -> None:
    code = (
        "from utilitysched.kernels.compiling import inlined, inner, kernel, leaf, leaf_kernel\n"
        "print([kind(lambda x: x + 1)(1) for kind in (inlined, inner, kernel, leaf, leaf_kernel)])"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert printed.stdout == "[2, 2, 2, 2, 2]\n", printed.stderr
