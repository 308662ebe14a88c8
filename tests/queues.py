"""Small workloads for the engine: short, full of ties, with jobs of no run time and no request.

`random_workload` draws from a seed, `workloads` is the same kind of thing for hypothesis, and
`jobs_of` hands a workload to the readable twins.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from swfx import UtilityFunction, UtilityTable, Workload, priority_classes
from tests.reference.jobs import Job

Curve = tuple[tuple[float, float], ...]


class Row(NamedTuple):
    """One line of a small workload; times in s, a request of -1 is missing."""

    submit: float
    run: float
    request: float
    size: int
    user: int = -1
    queue: int = -1
    points: Curve = ()


class Machine(NamedTuple):
    """A workload and the processors it runs on."""

    workload: Workload
    processors: int


def workload_of(rows: Sequence[Row]) -> Workload:
    """Return the rows as a workload, in file order."""
    columns = list(zip(*rows, strict=True))
    submit, run, request, size, user, queue, curves = columns
    return Workload.from_columns(
        submit=np.array(submit, dtype=np.float64),
        run=np.array(run, dtype=np.float64),
        requested_time=np.array(request, dtype=np.float64),
        processors=np.array(size, dtype=np.int64),
        user=np.array(user, dtype=np.int64),
        queue=np.array(queue, dtype=np.int64),
        utility=UtilityTable.from_functions(
            [UtilityFunction(*zip(*curve, strict=True)) if curve else None for curve in curves]
        ),
    )


def jobs_of(workload: Workload) -> list[Job]:
    """Return the workload's jobs as the twins take them, numbered in arrival order."""
    order = np.argsort(workload.submit, kind="stable")
    priority = priority_classes(workload)
    curves = [workload.utility[int(i)] for i in order] if workload.has_utilities else []
    return [
        Job(
            number,
            float(workload.submit[i]),
            float(workload.run[i]),
            float(workload.request[i]),
            int(workload.size[i]),
            int(priority[i]),
            int(workload.user[i]),
            points_of(curves[number] if curves else None),
        )
        for number, i in enumerate(order)
    ]


def points_of(curve: UtilityFunction | None) -> Curve:
    """Return a curve as the twins take it."""
    if curve is None:
        return ()
    return tuple(zip(curve.times.tolist(), curve.values.tolist(), strict=True))


def _seconds(rng: Random, grain: float, most: int) -> float:
    """Return a time on a coarse grid, for ties, or (grain 0) any fraction of a second."""
    return rng.randint(0, most) * grain if grain else rng.uniform(0, most)


def _curve(rng: Random, grain: float) -> Curve:
    if rng.random() < 0.15:
        return ()
    count = rng.randint(1, 4)
    times = sorted({_seconds(rng, grain or 0.125, 60) for _ in range(count)} - {0.0}) or [5.0]
    values = sorted((rng.choice([0, 1, 10, rng.uniform(0, 20)]) for _ in range(5)), reverse=True)
    return tuple(zip([0.0, *times], values, strict=False))


def _row(rng: Random, grain: float, processors: int, span: int) -> Row:
    request = max(_seconds(rng, grain, 20), grain or 0.001)
    kind = rng.random()
    if kind < 0.05:
        run, request = 0.0, -1.0
    elif kind < 0.15:
        run = 0.0
    elif kind < 0.5:
        run = request
    else:
        run = _seconds(rng, grain, 25)
    return Row(
        _seconds(rng, grain, span),
        run,
        request,
        rng.randint(1, processors) if rng.random() < 0.7 else 1,
        rng.choice([-1, 1, 2, 700]),
        rng.choice([-1, 0, 1, 2, 3, 4, 5, 9]),
        _curve(rng, grain),
    )


def random_workload(rng: Random, most: int = 24) -> Machine:
    """Draw up to `most` jobs for up to 12 processors, with long queues as often as short ones."""
    processors = rng.randint(1, 12)
    grain = rng.choice([1.0, 1.0, 0.25, 0.0])
    span = rng.choice([0, 5, 40, 120])
    rows = [_row(rng, grain, processors, span) for _ in range(rng.randint(1, most))]
    return Machine(workload_of(rows), processors)


@st.composite
def workloads(draw: st.DrawFn, most: int = 10) -> Machine:
    """Strategy for small workloads without utility functions; shrinks to few, round jobs."""
    processors = draw(st.integers(1, 8))
    seconds = st.integers(0, 12).map(float) | st.integers(0, 48).map(lambda n: n / 4)
    job = st.builds(
        Row,
        submit=seconds,
        run=seconds,
        request=seconds.map(lambda request: request or -1.0),
        size=st.integers(1, processors),
        user=st.sampled_from([-1, 1, 2]),
        queue=st.integers(-1, 6),
        points=st.just(()),
    )
    return Machine(workload_of(draw(st.lists(job, min_size=1, max_size=most))), processors)
