"""One pool beside the machine as it is: views of it, and machines that are published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.pools import MACHINES, measured, views
from swfx import Header, Workload
from swfx.machine import Machine, Pool, read_machine
from utilitysched import simulate

SMALL = Machine(
    (
        Pool("cpu", {"processors": 4, "gpu": 0}),
        Pool("gpu", {"processors": 4, "gpu": 2}),
    )
)


def small_jobs() -> Workload:
    """Three jobs of the pool with GPUs, of which one job at a time can have them."""
    return Workload.from_columns(
        header=Header((" Partition: 1 cpu", " Partition: 2 gpu")),
        submit=[0, 0, 5],
        run=[10, 10, 10],
        processors=[2, 2, 2],
        **{"partition": [2, 2, 2], "tres/gres/gpu": [-1, 2, 2]},
    )


def test_views_know_more_and_more_of_a_machine() -> None:
    known = [(view.name, len(view.machine.pools)) for view in views(SMALL)]

    assert known == [("one pool", 1), ("2 pools", 2), ("and gpu", 2)]
    assert [*views(SMALL)][-1].machine == SMALL


def test_starts_for_which_the_machine_has_no_room_are_counted() -> None:
    rows = [*measured(SMALL, small_jobs(), ["easy"])]

    assert [(row.view, row.impossible) for row in rows] == [
        ("one pool", 1),
        ("2 pools", 0),
        ("and gpu", 0),
    ]
    assert [round(row.wait * 3600, 6) for row in rows] == [0.0, 1.666667, 1.666667]


@pytest.mark.parametrize("name", ["frontier", "lassen"])
@pytest.mark.parametrize("scheduler", ["easy", "conservative", "saf"])
def test_gpus_of_whole_nodes_change_nothing(name: str, scheduler: str) -> None:
    machine = read_machine(MACHINES / f"{name}.toml")
    capacity, rng = machine.pools[0].capacity, np.random.default_rng(1)
    nodes = rng.integers(1, capacity["processors"] // machine.nodes, 60)
    run = rng.integers(1, 500, 60)
    each = capacity["gpu"] * machine.nodes // capacity["processors"]
    jobs = Workload.from_columns(
        submit=np.arange(60) * 30,
        run=run,
        requested_time=run * 2,
        **{"processors": nodes * machine.nodes, "tres/gres/gpu": nodes * each},
    )

    one, all_of_it = (simulate(jobs, scheduler, machine=view.machine) for view in views(machine))

    assert one.start.tolist() == all_of_it.start.tolist()
    assert one.wait(jobs).max() > 0


@pytest.mark.parametrize("file", sorted(MACHINES.glob("*.toml")), ids=lambda file: file.stem)
def test_machines_that_are_published_can_be_read(file: Path) -> None:
    assert read_machine(file).processors > 1000
