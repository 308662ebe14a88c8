"""Schedules of real logs are, to the second, those of the engine before its loops were rewritten.

``tests/golden/starts.json`` has the SHA-256 of all starts in workload order, as little-endian
float64. It was made by the general event loop and the placements of that time, one schedule after
another, not by the code that it holds. ``NAME[:N]`` are the first N jobs of a log: a queue of
tens of thousands of jobs, as RICC's whole log builds up, takes conservative placement long.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from swfx import Workload
from tests.scale import FACTOR
from tests.swfx.test_traces import LOGS, load
from utilitysched import simulate

GOLDEN: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "golden" / "starts.json").read_text("utf-8")
)
SCHEDULERS = ("easy", "conservative", "saf")
LONG = {"RICC-2010-2", "LCG"}
"""A second of CPU and more, one of them 40: with more random cases only."""

CASES = [
    (name, scheduler)
    for place, (name, known) in enumerate(GOLDEN.items())
    for turn, scheduler in enumerate(known)
    if FACTOR > 1 or (name not in LONG and turn == place % len(known))
]
"""Each log under one scheduler after another; with more random cases, under every one."""


@lru_cache(maxsize=1)
def workload(traces: Path, name: str) -> Workload:
    log, _, first = name.removesuffix("]").partition("[:")
    jobs = load(traces, log).workload
    return jobs[: int(first)] if first else jobs


def test_every_log_is_held_under_every_scheduler() -> None:
    held = {(name.partition("[")[0], key) for name, known in GOLDEN.items() for key in known}

    assert held >= {(name, scheduler) for name in LOGS for scheduler in SCHEDULERS}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scheduler"), CASES)
def test_every_job_starts_when_it_did(traces: Path, name: str, scheduler: str) -> None:
    start = simulate(workload(traces, name), scheduler).start

    digest = hashlib.sha256(np.ascontiguousarray(start, "<f8").tobytes()).hexdigest()
    assert digest == GOLDEN[name][scheduler]
