"""What the genetic scheduler earns on a real log, by its defaults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import swfx
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched import simulate

SLICE = slice(5000, 10000)


@pytest.mark.slow
def test_it_earns_more_than_easy_and_priorities_on_sdsc_blue(traces: Path) -> None:
    jobs = swfx.read(traces / "SDSC-BLUE-2000-4.2-cln.swf.gz", jobs=SLICE).workload
    earned: dict[str, list[float]] = {"easy": [], "priority-fifo": [], "ga": []}

    for seed in (1, 2, 3):
        workload = attach_utilities(jobs, UtilitySpec(), seed)
        for name, utilities in earned.items():
            schedule = simulate(workload, name, seed=seed)
            turnaround = schedule.turnaround(workload)
            utilities.append(float(workload.utility.evaluate(turnaround).sum()))

    mean = {name: np.mean(utilities) for name, utilities in earned.items()}
    assert mean["ga"] >= 1.15 * mean["easy"]
    assert mean["ga"] >= 1.06 * mean["priority-fifo"]
