"""Machines as columns: pools, amounts, limits, windows and shares of the jobs of a log."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from swfx import Header, InputError, Workload
from swfx.machine import Limit, Machine, Pool, PriorityWeights, Share, Window
from utilitysched.model.machine import RUNNING_JOBS, SUBMITTED_JOBS, MachineTable
from utilitysched.model.machine_table import amounts_needed, machine_table
from utilitysched.schedulers.pools import dominant_sizes

NAMES = Header(
    (
        *(" User: 1 ann", " User: 2 bob", " Partition: 1 batch", " Partition: 2 gpu"),
        *(" Account: 1 physics", " Account: 2 optics", " Account: 3 chemistry", " QOS: 1 long"),
    )
)
TWO = (Pool("batch", {"processors": 8}), Pool("gpu", {"processors": 4, "gpu": 2}))
ONE = Pool("all", {"processors": 8})


def jobs(**columns: Any) -> Workload:
    return Workload.from_columns(
        **{"submit": [0, 5, 9], "run": [10, 10, 10], "processors": [2, 4, 1]} | columns,
        header=NAMES,
    )


def table(machine: Machine, **columns: Any) -> MachineTable:
    workload = jobs(**columns)
    return machine_table(machine, workload, np.argsort(workload.submit, kind="stable"))


def limited(*limits: Limit, **columns: Any) -> list[list[tuple[int, int]]]:
    """Measure and most of the counters of each job."""
    found = table(Machine((ONE,), limits=limits), **columns).limits
    return [
        [(int(found.measure[k]), int(found.most[k])) for k in row if k >= 0]
        for row in found.counter.tolist()
    ]


def shared(found: MachineTable) -> list[list[float]]:
    """Share of each job's entity and of all above it, up to the root."""
    _, parent, share = found.shares[:3]
    chains = []
    for leaf in found.shares.entity.tolist():
        chain, entity = [], leaf
        while entity >= 0:
            chain.append(float(share[entity]))
            entity = parent[entity]
        chains.append(chain)
    return chains


def test_jobs_run_in_the_pool_of_their_partition_in_arrival_order() -> None:
    gpus = {"tres/gres/gpu": [2, -1, 0]}
    found = table(Machine(TWO), submit=[9, 0, 5], partition=[2, 1, 2], **gpus).pools

    assert_array_equal(found.pool, [0, 1, 1])
    assert_array_equal(found.demand, [[4, 0], [1, 0], [2, 2]])
    assert_array_equal(found.capacity[:, 0], [8, 4])
    # of GPUs, which the first pool does not name, there is enough
    assert found.capacity[0, 1] > 10**6
    assert found.capacity[1, 1] == 2


def test_an_only_pool_without_partitions_takes_all_jobs() -> None:
    assert table(Machine((ONE,))).pools.pool.tolist() == [0, 0, 0]
    assert table(Machine((ONE,)), partition=[1, 2, -1]).pools.pool.tolist() == [0, 0, 0]


def test_partitions_of_pools_are_patterns_and_the_first_pool_that_has_one_counts() -> None:
    rest = Pool("rest", {"processors": 8}, ("*",))

    assert table(Machine((TWO[1], rest)), partition=[1, 2, -1]).pools.pool.tolist() == [1, 0, 1]


def test_a_job_of_no_pool_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        table(Machine(TWO), partition=[1, 7, 2])
    assert str(refused.value) == (
        "field `machine`: job 2 is in partition 7, which no pool has; "
        "add it to the partitions of a pool"
    )


def test_a_log_that_says_no_partition_is_told_how_it_could() -> None:
    with pytest.raises(InputError, match=r"partition unknown, .*QueueMeans: partition"):
        table(Machine(TWO))


@pytest.mark.parametrize(
    ("capacity", "columns", "problem"),
    [
        ({"processors": 3}, {}, "field `machine`: job 2 needs 4 processors, pool all has 3"),
        (
            {"processors": 8, "memory": 100},
            {"requested_memory": [-1, 1024, 102_500]},
            "field `machine`: job 3 needs 101 memory, pool all has 100",
        ),
        (
            {"processors": 8, "gpu": 0},
            {"tres/gres/gpu": [1, 0, 0]},
            "field `machine`: job 1 needs 1 gpu, pool all has 0",
        ),
    ],
)
def test_a_job_wider_than_its_pool_is_refused(
    capacity: dict[str, int], columns: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError) as refused:
        table(Machine((Pool("all", capacity),)), **columns)
    assert str(refused.value) == f"{problem}; raise the pool's capacity, or drop the job"


def test_requests_are_rounded_up_to_whole_nodes() -> None:
    found = table(Machine((ONE,), nodes=4), processors=[2, 4, 5])

    assert found.pools.demand.tolist() == [[4], [4], [8]]
    with pytest.raises(InputError, match="job 3 needs 9 processors, pool all has 8"):
        table(Machine((ONE,), nodes=3), processors=[2, 4, 7])


def test_memory_of_a_job_is_what_it_was_given_or_asked_for_on_all_processors() -> None:
    workload = jobs(requested_memory=[1024 / 3, 1025, -1], processors=[3, 1, 5])

    assert amounts_needed(workload, "memory").tolist() == [1, 2, 0]
    allocated = workload.replace(**{"tres/mem": [-1, 7.5, -1]})
    assert amounts_needed(allocated, "memory").tolist() == [1, 8, 0]


def test_amounts_of_other_resources_are_those_of_slurm() -> None:
    workload = jobs(
        **{
            "tres/gres/gpu": [4, -1, -1],
            "tres/gres/gpu:a100": [4, 2, -1],
            "tres/gres/gpu:v100": [-1, 1, -1],
            "tres/license/matlab": [-1, -1, 3],
            "tres/node": [1, 2, 1],
        }
    )

    assert amounts_needed(workload, "gpu").tolist() == [4, 3, 0]
    assert amounts_needed(workload, "gpu:a100").tolist() == [4, 2, 0]
    assert amounts_needed(workload, "matlab").tolist() == [0, 0, 3]
    assert amounts_needed(workload, "node").tolist() == [1, 2, 1]
    assert amounts_needed(workload, "power").tolist() == [0, 0, 0]


def test_a_limit_of_a_group_counts_its_jobs_for_each_measure() -> None:
    of_ann = Limit("user", {"processors": 4, "jobs": 2, "submitted": 9}, "ann")

    assert limited(of_ann, user=[1, 2, 1]) == [
        [(0, 4), (RUNNING_JOBS, 2), (SUBMITTED_JOBS, 9)],
        [],
        [(0, 4), (RUNNING_JOBS, 2), (SUBMITTED_JOBS, 9)],
    ]


def test_each_group_of_a_kind_has_a_counter_and_unknown_ones_have_none() -> None:
    found = table(Machine((ONE,), limits=(Limit("user", {"jobs": 1}),)), user=[2, -1, 1]).limits

    first, none, last = found.counter[:, 0].tolist()
    assert none == -1
    assert first != last
    assert found.most[[first, last]].tolist() == [1, 1]


def test_limits_within_another_group_and_of_all_jobs() -> None:
    of_long = Limit("user", {"jobs": 1}, within={"qos": "long"})
    of_all = Limit("all", {"jobs": 5})

    assert limited(of_long, of_all, user=[1, 1, 2], qos=[1, -1, 1]) == [
        [(RUNNING_JOBS, 1), (RUNNING_JOBS, 5)],
        [(RUNNING_JOBS, 5)],
        [(RUNNING_JOBS, 1), (RUNNING_JOBS, 5)],
    ]


def test_jobs_of_an_account_count_for_those_above_it() -> None:
    tree = (Share(1, "optics", parent="physics"), Share(1, "physics", parent="science"))
    limits = (Limit("account", {"jobs": 3}, "physics"), Limit("account", {"jobs": 7}))
    machine = Machine((ONE,), limits=limits, shares=tree)
    found = table(machine, account=[1, 2, 3]).limits

    assert found.counter[:, 0].tolist()[:2] == [0, 0]  # physics, and optics below it
    # physics and science; optics, physics and science; chemistry
    own = [set(row[row > 0].tolist()) for row in found.counter]
    assert [len(counters) for counters in own] == [2, 3, 1]
    assert own[0] < own[1]
    assert not own[1] & own[2]


def test_a_limit_on_a_resource_that_no_pool_names_counts_it() -> None:
    gpus = {"tres/gres/gpu": [1, 2, 1]}
    found = table(Machine((ONE,), limits=(Limit("all", {"gpu": 2}),)), **gpus)

    assert found.pools.demand[:, 1].tolist() == [1, 2, 1]
    assert found.pools.capacity[0, 1] > 4
    assert found.limits.measure.tolist() == [1]


def test_no_job_has_a_share_of_what_its_pool_does_not_name() -> None:
    # two GPUs of the pool that has them, but of the other only processors
    columns = {"partition": [1, 1, 2], "tres/gres/gpu": [1, 0, 2]}
    pools = table(Machine(TWO), **columns).pools

    assert dominant_sizes(pools.demand, pools.capacity[pools.pool]).tolist() == [2, 4, 4]


@pytest.mark.parametrize(
    ("limit", "problem"),
    [
        (Limit("all", {"processors": 3}), "the limit of all jobs on processors is 3"),
        (Limit("user", {"jobs": 0}, "bob"), "the limit of user bob on jobs is 0"),
        (Limit("user", {"gpu": 1, "processors": 3}), "the limit of each user on processors is 3"),
    ],
)
def test_a_job_that_breaks_a_limit_alone_is_refused(limit: Limit, problem: str) -> None:
    with pytest.raises(InputError, match=f"job 2 can never run: {problem}; raise it, or "):
        limited(limit, user=[1, 2, 1])


def test_windows_go_by_their_begin_with_a_row_for_each_pool() -> None:
    windows = (
        Window("reserved", 50, 60, "gpu", {"gpu": 1}, known=40, for_jobs_of={"user": "ann"}),
        Window("maintenance", 20, 30, requeue=True),
    )
    found = table(Machine(TWO, windows=windows), partition=[1, 2, 2], user=[1, 2, 1]).windows

    assert found.pool.tolist() == [0, 1, 1]
    assert found.known.tolist() == [-np.inf, -np.inf, 40]
    assert found.begin.tolist() == [20, 20, 50]
    assert found.end.tolist() == [30, 30, 60]
    assert found.taken[:, 0].tolist() == [8, 4, 0]
    assert found.taken[1:, 1].tolist() == [2, 1]
    assert found.requeue.tolist() == [True, True, False]
    assert found.exempt.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]


def test_shares_are_among_siblings_and_one_where_the_file_says_none() -> None:
    shares = (
        Share(3, "physics"),
        Share(1, "physics", "ann"),
        Share(4, "physics", "eve"),
        Share(2, "optics", parent="physics"),
    )
    found = table(Machine((ONE,), shares=shares), user=[1, 2, 1], account=[1, 1, 3])

    # ann, eve, bob and optics in physics, which has 3 shares beside chemistry
    assert shared(found) == [[1 / 8, 3 / 4, 1], [1 / 8, 3 / 4, 1], [1, 1 / 4, 1]]


def test_parents_come_before_their_children() -> None:
    shares = (Share(1, "optics", "ann"), Share(1, "optics", parent="physics"), Share(1, "physics"))
    found = table(Machine((ONE,), shares=shares), account=[2, 1, 3]).shares

    assert found.parent[0] == -1
    assert (found.parent < np.arange(len(found.parent))).all()


def test_without_accounts_users_are_where_the_file_has_them() -> None:
    shares = (Share(1, "physics", "ann"), Share(3, "chemistry"))

    assert shared(table(Machine((ONE,)), user=[1, 2, 1])) == [[1 / 2, 1]] * 3
    assert shared(table(Machine((ONE,)))) == [[1, 1]] * 3
    # physics has the 1 share of an account that is not named, as bob has
    found = table(Machine((ONE,), shares=shares), user=[1, 2, -1])
    assert shared(found) == [[1, 1 / 6, 1], [1 / 6, 1], [1 / 6, 1]]


@pytest.mark.parametrize("far", [1, 10**12])
def test_labels_may_be_any_numbers(far: int) -> None:
    users = [5 * far, -1, 2 * far]
    found = table(Machine((ONE,), limits=(Limit("user", {"jobs": 1}),)), user=users)

    assert found.limits.counter[:, 0].tolist() == [1, -1, 0]
    assert shared(found) == [[1 / 3, 1]] * 3


def test_siblings_without_any_share_have_none() -> None:
    found = table(Machine((ONE,), shares=(Share(0, "physics"),)), account=[1, 1, 1])

    assert shared(found)[0][1] == 0


def test_factors_and_weights_of_multifactor_priority() -> None:
    priority = PriorityWeights(
        age=1, value=6, partitions={"batch": 5, "gpu": 10}, qos_factors={"long": 2}, recalc=300
    )
    found = table(Machine((ONE,), priority=priority), partition=[1, 2, -1], qos=[1, -1, -1]).shares

    assert found.partition.tolist() == [0.5, 1, 0]
    assert found.qos.tolist() == [1, 0, 0]
    assert found.weights.tolist() == [1, 0, 0, 0, 0, 6]
    assert found.constants.tolist() == [604_800, 604_800, 0, 300]
