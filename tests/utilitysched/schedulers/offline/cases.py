"""Small random workloads with utility functions, times that are no whole seconds among them."""

from __future__ import annotations

from random import Random

from swfx import UtilityFunction, UtilityTable, Workload
from swfx.header import Header


def workload(seed: int, jobs: int, processors: int) -> Workload:
    """Jobs that come at once and compete for a small machine."""
    draw = Random(seed)
    part = draw.choice([1, 1, 3, 7])  # thirds and sevenths are no floats
    runs = [draw.randint(0 if draw.random() < 0.1 else 1, 12) / part for _ in range(jobs)]
    return Workload.from_columns(
        submit=[draw.randint(0, 15) / part for _ in range(jobs)],
        run=runs,
        processors=[draw.randint(1, processors) for _ in range(jobs)],
        header=Header().with_value("MaxProcs", processors),
        utility=UtilityTable.from_functions([_curve(draw, run) for run in runs]),
    )


def _curve(draw: Random, run: float) -> UtilityFunction | None:
    if draw.random() < 0.1:
        return None
    count = draw.randint(2, 5)
    times = [0.0]
    for _ in range(count - 1):
        step = draw.choice([0.001, 1.0, run or 1.0, draw.random() * 9])
        times.append(times[-1] + step)
    values = sorted((draw.choice([0.0, 5.0, 20 * draw.random()]) for _ in times), reverse=True)
    return UtilityFunction(times, values)
