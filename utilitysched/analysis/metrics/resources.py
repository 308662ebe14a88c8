"""Use of each resource of each pool of a machine."""

from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.machine import Machine
from utilitysched.analysis.metrics.machine import makespan
from utilitysched.model.machine_table import machine_table
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats


class ResourceUse(NamedTuple):
    """Use of a resource of a pool.

    Attributes
    ----------
    pool, resource : str
        Their names.
    capacity : int
        Amount there is; memory in MB.
    used : float or None
        Share in use from the first submission to the last completion; None where that is no time.
    """

    pool: str
    resource: str
    capacity: int
    used: float | None


def resource_use(workload: Workload, schedule: Schedule, machine: Machine) -> list[ResourceUse]:
    """Return the use of every resource that a pool names, pool by pool.

    What a window takes away counts as capacity.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    machine : Machine
        The machine on which they ran.

    Raises
    ------
    InputError
        The machine is not one on which the jobs can run.
    """
    span = makespan(workload, schedule)
    table = machine_table(machine, workload, np.arange(len(workload))).pools
    used: Floats = np.zeros(table.capacity.shape)
    np.add.at(used, table.pool, table.demand * schedule.running_time[:, np.newaxis])
    place = {name: column for column, name in enumerate(machine.resources)}
    return [
        ResourceUse(
            pool.name,
            name,
            capacity,
            amounts.item(place[name]) / (capacity * span) if span else None,
        )
        for pool, amounts in zip(machine.pools, used, strict=True)
        for name, capacity in pool.capacity.items()
        if capacity
    ]
