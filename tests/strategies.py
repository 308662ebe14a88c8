"""Hypothesis strategies shared by all tests."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from hypothesis import strategies as st

from swfx import FIELDS, Header, UtilityFunction, UtilityTable, Workload
from swfx.base.columns import LIMIT

DAY = 86_400

numbers = st.floats(-LIMIT, LIMIT) | st.integers(-LIMIT, LIMIT).map(float)
"""Any number a workload may hold."""


@st.composite
def utility_functions(draw: st.DrawFn, max_points: int = 5) -> UtilityFunction:
    """Curves with times up to LIMIT, flat parts and jumps included."""
    later = draw(st.lists(st.floats(1e-3, LIMIT), min_size=1, max_size=max_points - 1, unique=True))
    points = 1 + len(later)
    values = draw(st.lists(st.floats(0, 1e9), min_size=points, max_size=points))
    return UtilityFunction([0.0, *sorted(later)], sorted(values, reverse=True))


@st.composite
def utility_tables(draw: st.DrawFn, jobs: int) -> UtilityTable:
    """Tables of `jobs` jobs, some without a curve."""
    curves = st.none() | utility_functions()
    return UtilityTable.from_functions(draw(st.lists(curves, min_size=jobs, max_size=jobs)))


@st.composite
def headers(draw: st.DrawFn) -> Header:
    """Comment lines of any text, also of bytes that are no UTF-8, and of `Key: value` pairs."""
    text = st.text(st.characters(exclude_characters="\0\n\r", exclude_categories=["Cs"]))
    pairs = st.builds(" {}: {}".format, st.text(string.ascii_letters, min_size=1), text)
    lines = st.lists(text | pairs | st.just(" caf\udce9"), max_size=4)
    return Header(tuple(draw(lines))).announcing(extended=False)


@st.composite
def raw_workloads(draw: st.DrawFn, max_jobs: int = 5) -> Workload:
    """Everything a file can say: any number in any column."""
    jobs = draw(st.integers(1, max_jobs))
    whole = st.integers(-LIMIT, LIMIT)
    columns: dict[str, Any] = {
        field.name: draw(
            st.lists(whole if field.dtype == "int64" else numbers, min_size=jobs, max_size=jobs)
        )
        for field in FIELDS
    }
    interval = st.just(-1.0) | st.floats(0, LIMIT, exclude_min=True)
    overhead = st.just(-1.0) | st.floats(0, LIMIT)
    confidence = st.just(-1.0) | st.floats(0, 1)
    original = st.integers(-1, LIMIT)
    unknown = st.just([-1.0] * jobs)
    extra = st.dictionaries(
        st.sampled_from(["account", "job_name", "state", "tres/node", "tres/gres/gpu:a100"]),
        st.lists(original, min_size=jobs, max_size=jobs),
        max_size=2,
    )
    return Workload.from_columns(
        **columns,
        checkpoint_interval=draw(st.lists(interval, min_size=jobs, max_size=jobs)),
        restart_overhead=draw(st.lists(overhead, min_size=jobs, max_size=jobs)),
        soft_estimate=draw(unknown | st.lists(interval, min_size=jobs, max_size=jobs)),
        confidence=draw(unknown | st.lists(confidence, min_size=jobs, max_size=jobs)),
        eligible=draw(unknown | st.lists(overhead, min_size=jobs, max_size=jobs)),
        submitted_before=draw(unknown | st.lists(overhead, min_size=jobs, max_size=jobs)),
        original_job=draw(unknown | st.lists(original, min_size=jobs, max_size=jobs)),
        utility=draw(utility_tables(jobs) | st.just(UtilityTable.empty(jobs))),
        header=draw(headers()),
        **draw(extra),
    )


@st.composite
def held_workloads(draw: st.DrawFn, max_jobs: int = 8) -> Workload:
    """Workloads with their own schedule, in which some jobs became eligible after submission."""
    jobs = draw(workloads(max_jobs=max_jobs, utilities=False))
    later = st.lists(st.integers(0, 90), min_size=len(jobs), max_size=len(jobs))
    held, known = np.array(draw(later)), np.array(draw(later)) % 4 > 0
    wait = held + np.array(draw(later))
    return jobs.replace(
        wait=np.where(np.array(draw(later)) % 5 > 0, wait, -1),
        eligible=np.where(known, held, -1),
    )


@st.composite
def workloads(
    draw: st.DrawFn, max_jobs: int = 8, max_procs: int = 16, utilities: bool = True
) -> Workload:
    """Workloads that can be simulated and that standard cleaning leaves alone.

    Submits are not sorted, some jobs run past their request, some not at all, some submits agree.
    """
    jobs = draw(st.integers(1, max_jobs))

    def column(low: int, high: int) -> list[int]:
        return draw(st.lists(st.integers(low, high), min_size=jobs, max_size=jobs))

    machine = draw(st.integers(1, max_procs))
    size = column(1, machine)
    table = draw(utility_tables(jobs)) if utilities else UtilityTable.empty(jobs)
    return Workload.from_columns(
        submit=np.array(column(0, 40)) * draw(st.sampled_from([1, 25, 0.5])),
        run=column(0, 60),
        requested_time=column(1, 60),
        processors=size,
        requested_processors=size,
        user=column(1, 3),
        group=column(1, 2),
        queue=column(0, 6),
        utility=table,
        header=Header().with_value("MaxProcs", machine),
    )
