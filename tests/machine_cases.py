"""Small machines and workloads of all combinations, drawn from a seed as documents and columns."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from swfx import Header, Workload
from swfx.machine import Limit, Machine, Pool, PriorityWeights, Share, Window
from tests.checked import linked
from tests.preempting import random_case
from tests.queues import Machine as SmallQueue
from utilitysched.model.state import Integers

NAMES = Header(
    (
        *(f" Partition: {number} {name}" for number, name in enumerate(("batch", "long", "gpu"))),
        *(f" Account: {number} {name}" for number, name in enumerate(("physics", "biology"))),
        *(f" QOS: {number} {name}" for number, name in enumerate(("normal", "high"))),
        " User: 1 ann",
    )
)

GROUPS = {
    "user": ("ann", "2", "700"),
    "account": ("physics", "biology", "science"),
    "qos": ("normal", "high"),
    "partition": ("batch", "long", "gpu"),
}

POOLS = (
    (("all", ()),),
    (("cpu", ("batch", "long")), ("gpu", ())),
    (("batch", ()), ("long", ()), ("gpu", ())),
)
"""Names of pools, and of their partitions."""

OTHERS = ("gpu", "memory", "matlab")
"""Resources beside processors."""


class MachineCase(NamedTuple):
    """A workload and a machine on which each of its jobs can run."""

    workload: Workload
    machine: Machine


def drawn_case(rng: Random, *, depends: bool = False, requeues: bool = False) -> MachineCase:
    """Draw a machine and a workload for it; all times are multiples of 1/64 s."""
    case = random_case(rng, 24)
    workload, jobs = case.workload, len(case.workload)
    if depends:
        workload = linked(rng, SmallQueue(workload, case.processors)).workload
    workload = _with_columns(rng, workload)
    node = rng.choice([0, 0, 2, 3])
    needs = _amounts(workload, node)
    resources = ["processors", *rng.sample(OTHERS, rng.randint(0, 2))]
    layout = rng.choice(POOLS if jobs else POOLS[:1])
    pools = tuple(_pool(rng, name, of, resources, needs) for name, of in layout)
    limits = [_limit(rng, resources, needs) for _ in range(rng.choice([0, 0, 1, 2, 3]))]
    windows = [
        _window(rng, number, rng.choice([None, *pools]), workload, requeues=requeues)
        for number in range(rng.randint(1, 3) if requeues else rng.choice([0, 0, 1, 2, 3]))
    ]
    shares = (Share(3, "physics", parent="science"), Share(1, "biology"), Share(2, user="ann"))
    machine = Machine(
        pools,
        node,
        tuple(limits),
        tuple(windows),
        shares if rng.random() < 0.5 else (),
        PriorityWeights(age=10, fairshare=30, size=5, max_age=50.0, half_life=rng.choice([5, 100])),
    )
    return MachineCase(workload, machine)


def _with_columns(rng: Random, workload: Workload) -> Workload:
    """Give jobs groups, and amounts of resources."""
    jobs = range(len(workload))
    columns: dict[str, list[float]] = {
        "partition": [rng.choice([0, 0, 1, 2]) for _ in jobs],
        "account": [rng.choice([-1, 0, 0, 1]) for _ in jobs],
        "qos": [rng.choice([-1, 0, 1]) for _ in jobs],
        "requested_memory": [rng.choice([-1, 512, 1024, 2048]) for _ in jobs],
        "tres/gres/gpu": [rng.choice([-1, 0, 1, 2, 4]) for _ in jobs],
        "tres/license/matlab": [rng.choice([-1, -1, 1]) for _ in jobs],
    }
    return workload.replace(
        header=NAMES, **{name: np.array(column) for name, column in columns.items()}
    )


def _amounts(workload: Workload, node: int) -> dict[str, Integers]:
    """Return what jobs need, (n,), by resource."""
    memory = np.maximum(workload.requested_memory * workload.size, 0) / 1024
    return {
        "processors": -(-workload.size // max(node, 1)) * max(node, 1),
        "memory": np.ceil(memory).astype(np.int64),
        "gpu": np.maximum(workload.column("tres/gres/gpu"), 0).astype(np.int64),
        "matlab": np.maximum(workload.column("tres/license/matlab"), 0).astype(np.int64),
    }


def _pool(
    rng: Random,
    name: str,
    partitions: tuple[str, ...],
    resources: list[str],
    needs: dict[str, Integers],
) -> Pool:
    """Draw a pool in which every job fits."""
    capacity = {
        each: max(1, int(needs[each].max()) + rng.choice([0, 0, 1, 3, 8])) for each in resources
    }
    return Pool(name, capacity, partitions)


def _limit(rng: Random, resources: list[str], needs: dict[str, Integers]) -> Limit:
    """Draw a limit that no job breaks by itself."""
    kind = rng.choice(["all", *GROUPS])
    name = None if kind == "all" else rng.choice([None, *GROUPS[kind]])
    within = {}
    if rng.random() < 0.3:
        other = rng.choice([*GROUPS])
        within[other] = rng.choice(GROUPS[other])
    most = {}
    for measure in rng.sample(["jobs", "submitted", *resources], rng.choice([1, 1, 2])):
        most[measure] = rng.randint(1, 4)
        if measure in resources:
            most[measure] = int(needs[measure].max()) + rng.choice([0, 1, 4])
    return Limit(kind, most, name, within)


def _window(
    rng: Random, number: int, pool: Pool | None, workload: Workload, *, requeues: bool
) -> Window:
    """Draw a window that begins while jobs may be there."""
    span = float(workload.submit.max()) + 40
    begin = rng.randint(0, int(span) * 4) / 4
    taken = {}
    if pool is not None:
        names = rng.sample([*pool.capacity], rng.randint(0, len(pool.capacity)))
        taken = {name: rng.randint(0, pool.capacity[name]) for name in names}
    group = {}
    if rng.random() < 0.4:
        kind = rng.choice([*GROUPS])
        group[kind] = rng.choice(GROUPS[kind])
    return Window(
        f"window {number}",
        begin,
        begin + rng.choice([0.5, 3, 10, 40]),
        None if pool is None else pool.name,
        taken,
        rng.choice([None, begin, begin - rng.randint(0, 20)]),
        group,
        requeues and rng.random() < 0.7,
    )
