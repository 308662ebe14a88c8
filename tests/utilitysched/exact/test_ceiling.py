"""Ceilings of workloads, with certificates that others can check."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.machine import Machine, Pool
from tests.certificate_of_ceiling import exact_bound
from tests.scale import enough, many
from tests.utilitysched.schedulers.offline.cases import workload
from utilitysched import simulate
from utilitysched.exact.ceiling import (
    ceiling_of,
    ceiling_record,
    stored_ceiling_metrics,
    write_ceiling,
)
from utilitysched.model.machine_table import machine_table
from utilitysched.runs.target import claim


def test_a_certificate_holds_by_exact_fractions(tmp_path: Path) -> None:
    close = 0
    for seed in range(many(25)):
        jobs = workload(seed, 12, 4)
        folder = tmp_path / str(seed)
        target = claim(folder, jobs.digest(), ["offline"])
        target.write_workload(jobs, {})
        found = ceiling_of(jobs, 50)

        write_ceiling(folder, found, simulate(jobs, "offline"))
        stated = json.loads((folder / "ceiling.json").read_text())["bound"]
        proven = exact_bound(folder)

        assert stated == found.bound >= proven
        # where prices are 0 both are sums of values at once
        close += stated <= float(proven) * 1.05
    assert close >= enough(20)


def test_a_certificate_of_prices_that_were_tampered_with_fails(tmp_path: Path) -> None:
    jobs = workload(3, 12, 4)
    target = claim(tmp_path, jobs.digest(), ["offline"])
    target.write_workload(jobs, {})
    found = ceiling_of(jobs, 50)
    write_ceiling(tmp_path, found, simulate(jobs, "offline"))
    path = tmp_path / "ceiling.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | {"price": [3 * price for price in told["price"]]}))

    assert exact_bound(tmp_path) > found.bound


def test_without_jobs_nothing_can_be_earned() -> None:
    found = ceiling_of(workload(3, 12, 4)[:0], preemptively=True)

    assert (found.bound, found.easy, found.gap_share(0.0)) == (0.0, 0.0, None)


def test_the_gap_is_counted_from_easy() -> None:
    found = ceiling_of(workload(3, 30, 4), 50)

    assert found.gap_share(found.easy) == 0
    assert found.gap_share(found.bound) == 1
    assert found.gap_share((found.bound + found.easy) / 2) == pytest.approx(0.5)


def test_a_ceiling_beside_another_workload_is_not_taken(tmp_path: Path) -> None:
    jobs = workload(3, 12, 4)
    schedule = simulate(jobs, "easy")
    write_ceiling(tmp_path, ceiling_of(jobs, 20), schedule)

    found = stored_ceiling_metrics(tmp_path, jobs, schedule)

    assert found["gap_share"] == 0
    assert stored_ceiling_metrics(tmp_path, workload(4, 12, 4), schedule) == {}
    assert stored_ceiling_metrics(tmp_path / "none", jobs, schedule) == {}


def test_preemptive_schedules_have_a_bound_of_their_own() -> None:
    jobs = workload(3, 30, 4)
    found = ceiling_of(jobs, 100, preemptively=True)
    told = ceiling_record(found, found.easy)

    assert found.preemptive is not None
    assert found.easy < found.bound < found.preemptive <= found.trivial
    assert told["preemptive_bound"] == found.preemptive
    assert ceiling_record(ceiling_of(jobs, 1), 0.0)["preemptive_bound"] is None


def on_pools(seed: int, jobs: int) -> tuple[Workload, Machine]:
    """Draw jobs of two pools, in one of which GPUs are what is short."""
    rng, log = Random(seed), workload(seed, jobs, 3)
    partition = [rng.choice([1, 2, 2]) for _ in range(jobs)]
    gpus = [rng.randint(0, 2) if each == 2 else 0 for each in partition]
    header = log.header.with_values("Partition", ["1 batch", "2 gpu"])
    columns = {"partition": partition, "tres/gres/gpu": gpus}
    pools = (Pool("batch", {"processors": 3}), Pool("gpu", {"processors": 6, "gpu": 2}))
    return log.replace(header=header, **columns), Machine(pools)


def best_on_pools(log: Workload, machine: Machine) -> float:
    """Value of the best schedule: serial generation in every order, pool by pool."""
    # numbered by position in the log
    table, best = machine_table(machine, log, np.arange(len(log))).pools, 0.0
    for pool, capacity in enumerate(table.capacity.tolist()):
        jobs = np.flatnonzero(table.pool == pool).tolist()
        worths = []
        for line in permutations(jobs):
            held: list[tuple[float, float, list[int]]] = []
            turnaround = np.zeros(len(log))
            for job in line:
                needs, run = table.demand[job].tolist(), float(log.effective_run[job])
                submit = float(log.submit[job])
                begin = earliest_beside(held, submit, run, needs, capacity)
                held.append((begin, begin + run, needs))
                turnaround[job] = begin + run - submit
            worths.append(math.fsum(log.utility.evaluate(turnaround)[jobs]))
        best += max(worths, default=0.0)
    return best


def earliest_beside(
    held: list[tuple[float, float, list[int]]],
    submit: float,
    run: float,
    needs: list[int],
    capacity: list[int],
) -> float:
    """Return the first time at which amounts are free beside jobs that are placed."""
    for at in sorted({submit, *(end for _, end, _ in held if end > submit)}):
        instants = {at, *(begin for begin, _, _ in held if at < begin < at + run)}
        used = [
            [needs, *(amounts for begin, end, amounts in held if begin <= instant < end)]
            for instant in instants
        ]
        if all(
            sum(amounts) <= most
            for together in used
            for *amounts, most in zip(*together, capacity, strict=True)
        ):
            return at
    raise AssertionError("a job that is wider than its pool")


def test_no_schedule_on_pools_is_above_the_bound() -> None:
    tight = 0
    for seed in range(many(20)):
        log, machine = on_pools(seed, 5)
        best = best_on_pools(log, machine)
        for iterations in (0, 3, 100):
            found = ceiling_of(log, iterations, machine=machine)

            assert best <= found.bound * (1 + 1e-12) <= found.trivial * (1 + 1e-12)
        tight += found.bound <= best * 1.01
    assert tight >= enough(5)


def test_one_pool_of_processors_has_the_ceiling_of_the_machine() -> None:
    for seed in range(5):
        log = workload(seed, 30, 4)
        plain = ceiling_of(log, 60)
        pooled = ceiling_of(log, 60, machine=Machine((Pool("all", {"processors": 4}),)))

        assert pooled.bound == plain.bound
        assert (pooled.easy, pooled.trivial, pooled.rent) == (plain.easy, plain.trivial, plain.rent)
        assert np.array_equal(pooled.profits, plain.profits, equal_nan=True)


def test_what_is_short_has_a_price() -> None:
    """Of two resources that all jobs need, only the one that there is little of costs anything."""
    curve = UtilityFunction([0, 10_000, 20_000], [100, 100, 0])
    log = Workload.from_columns(
        submit=[0] * 8,
        run=[5000] * 8,
        processors=[2] * 8,
        utility=UtilityTable.from_functions([curve] * 8),
        **{"tres/gres/gpu": [1] * 8},
    )
    found = ceiling_of(log, 200, machine=Machine((Pool("all", {"processors": 64, "gpu": 2}),)))
    processors, gpus = found.resource_prices
    told = ceiling_record(found, found.easy)

    assert (processors.resource, gpus.resource) == ("processors", "gpu")
    assert processors.rent == 0.0 < gpus.rent
    assert gpus.processor_hours is None
    assert told["resources"] == [processors._asdict(), gpus._asdict()]


def test_memory_is_priced_by_the_megabyte() -> None:
    """Amounts a thousand times as large give the same ceiling, and prices a thousandth of it."""
    log, machine = on_pools(7, 12)
    many_of_it = {"tres/gres/gpu": log.column("tres/gres/gpu") * 1000}
    pools = (machine.pools[0], Pool("gpu", {"processors": 6, "gpu": 2000}))

    one = ceiling_of(log, 100, machine=machine)
    thousand = ceiling_of(log.replace(**many_of_it), 100, machine=Machine(pools))

    assert thousand.bound == pytest.approx(one.bound, rel=0.02)
    assert thousand.resource_prices[-1].mean == pytest.approx(
        one.resource_prices[-1].mean / 1000, rel=0.1
    )


def test_schedules_that_stop_jobs_are_not_bounded_on_several_resources() -> None:
    log, machine = on_pools(7, 12)
    with pytest.raises(InputError, match="need processors, gpu"):
        ceiling_of(log, 3, preemptively=True, machine=machine)
