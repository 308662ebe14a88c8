"""What an hour of a resource is worth next to a processor-hour, and where that says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import Header, UtilityFunction, UtilityTable, Workload
from swfx.machine import Machine, Pool
from utilitysched import simulate
from utilitysched.exact.ceiling import UtilityCeiling, ceiling_of
from utilitysched.report.ceiling import ceiling_description

FALLING = UtilityFunction([0, 7200], [100, 0])


def queue(*processors: int) -> tuple[Workload, Machine]:
    """Return jobs of an hour on 8 processors with one GPU, which all need but those of 8."""
    jobs = len(processors)
    workload = Workload.from_columns(
        header=Header(("Partition: 1 gpu",)),
        submit=[0] * jobs,
        run=[3600] * jobs,
        requested_time=[3600] * jobs,
        processors=processors,
        partition=[1] * jobs,
        utility=UtilityTable.from_functions([FALLING] * jobs),
        **{"tres/gres/gpu": [int(each < 8) for each in processors]},
    )
    return workload, Machine((Pool("gpu", {"processors": 8, "gpu": 1}),))


def said_of(ceiling: UtilityCeiling, jobs: Workload, machine: Machine) -> str:
    schedule = simulate(jobs, "easy", machine=machine)
    return " ".join(ceiling_description(ceiling, schedule).lead)


def test_a_gpu_has_no_rate_of_exchange_where_processors_are_not_scarce() -> None:
    # one processor each: all fit side by side, but for the GPU
    jobs, machine = queue(1, 1, 1, 1)
    found = ceiling_of(jobs, machine=machine)

    gpu = found.resource_prices[1]
    assert gpu.rent > 0
    assert gpu.processor_hours is None
    assert found.prices.proven[0] == pytest.approx(0)
    assert "processors are not scarce" in said_of(found, jobs, machine)


def test_a_price_of_processors_that_proves_too_little_is_nothing_to_compare_with() -> None:
    jobs, machine = queue(1, 1, 1, 1)
    found = ceiling_of(jobs, machine=machine)
    pool = found.pools[0]
    # a search that was to lower the bound by more than processors do
    prices = pool.prices._replace(proven=np.array([0.2, 9.0]), gap=0.2)
    rough = UtilityCeiling(jobs, (pool._replace(prices=prices),), found.easy)

    assert rough.resource_prices[1].processor_hours is None


def test_where_processors_are_scarce_it_says_when_they_are_not() -> None:
    # two jobs need all processors, and keep those out that need one and the GPU
    jobs, machine = queue(8, 8, 1, 1, 1, 1)
    found = ceiling_of(jobs, machine=machine)

    assert found.prices.proven[0] > found.prices.gap
    assert "processor-hours (processors are free" in said_of(found, jobs, machine)
