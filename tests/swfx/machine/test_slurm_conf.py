"""Machines that slurm.conf and listings beside it describe."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from swfx.base.errors import InputError
from swfx.clock import Clock
from swfx.machine import (
    Limit,
    Machine,
    Share,
    machine_from,
    read_machine,
    write_machine,
)
from swfx.machine.slurm_conf import read_slurm_conf
from swfx.machine.slurm_priority import UNLIMITED
from tests.scale import many

Read = Callable[..., Machine]

TWO = "NodeName=n[1-2] CPUs=4 RealMemory=4000\nPartitionName=main Nodes=ALL\n"
CPUS = "SelectTypeParameters=CR_Core\n"
ENFORCED = "AccountingStorageEnforce=limits\nClusterName=Lab\n"
ASSOCIATIONS = "Cluster Account Par_Name User Partition Share GrpJobs GrpTRES GrpSubmit MaxJobs"
QOS = "Name|Priority|GrpTRES|GrpJobs|MaxTRESPU|MaxJobsPU|MaxSubmitPU|MaxJobsPA|MaxWall|Flags"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def reader(conf: str, clock: Clock | None = None, **others: str) -> Machine:
        usual = "" if "SelectType=" in conf else "\nSelectType=select/cons_tres\n"
        (tmp_path / "slurm.conf").write_text(conf + usual)
        for name, text in others.items():
            (tmp_path / f"{name}.txt").write_text(text)
        return read_slurm_conf(tmp_path / "slurm.conf", clock)

    return reader


def table(*rows: dict[str, str]) -> str:
    """Associations as sacctmgr lists them, of cluster lab where a row names none."""
    names = [column.replace("_", " ") for column in ASSOCIATIONS.split()]
    lines = [[{"Cluster": "lab", **row}.get(name, "") for name in names] for row in rows]
    return "".join("|".join(line) + "\n" for line in [names, *lines])


def processors(node: str) -> str:
    return CPUS + f"NodeName=n1 {node}\nPartitionName=main Nodes=n1\n"


@pytest.mark.parametrize(
    ("node", "count"),
    [
        ("", 1),
        ("CPUs=4", 4),
        ("procs=4", 4),
        ("Sockets=2 CoresPerSocket=8", 16),
        ("Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", 32),
        ("Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16),
        ("CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", 16),
        ("CPUs=8 CoresPerSocket=4 ThreadsPerCore=2", 8),
        ("CPUs=7 Sockets=2 CoresPerSocket=8", 16),
        ("CPUs=16 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CoreSpecCount=2", 12),
        ("CPUs=16 CPUSpecList=0,2-3", 13),
    ],
)
def test_processors_of_a_node(read: Read, node: str, count: int) -> None:
    assert read(processors(node)).pools[0].capacity == {"processors": count}


@pytest.mark.parametrize(
    ("parameters", "memory"),
    [
        ("", 3500),
        ("SelectTypeParameters=CR_Core_Memory\n", 3500),
        (CPUS, None),
        ("SelectType=select/linear\n", None),
        ("SelectType=select/linear\nSelectTypeParameters=CR_Memory\n", 3500),
    ],
)
def test_memory_is_a_resource_where_it_is_allocated(
    read: Read, parameters: str, memory: int | None
) -> None:
    node = "NodeName=n1 RealMemory=4000 MemSpecLimit=500\nPartitionName=main Nodes=n1\n"

    assert read(parameters + node).pools[0].capacity.get("memory") == memory


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("gpu:2", {"gpu": 2}),
        ("gpu:a100:4(S:0-1),gpu:v100:2", {"gpu": 6}),
        ("gpu", {"gpu": 1}),
        ("gpu:a100", {"gpu": 1}),
        ("nvme:no_consume:2K", {"nvme": 2048}),
        ("(null)", {}),
    ],
)
def test_generic_resources(read: Read, text: str, amounts: dict[str, int]) -> None:
    capacity = read(processors(f"Gres={text}")).pools[0].capacity

    assert capacity == {"processors": 1, **amounts}


def test_lines_are_continued_commented_quoted_and_in_any_case(read: Read, tmp_path: Path) -> None:
    (tmp_path / "nodes.conf").write_text('NODENAME=n[1-2] cpus=4 Reason="is new"  # both\n')
    conf = (
        "selecttypeparameters=CR_\\\nCore\n# PartitionName=no Nodes=n9 \\\n\n"
        "include /etc/slurm/nodes.conf\nPartitionName=main \\\n   Nodes=n1,n2"
    )

    assert read(conf).pools[0].capacity == {"processors": 8}


def test_defaults_hold_for_the_lines_below(read: Read) -> None:
    conf = CPUS + (
        "NodeName=a\nNodeName=DEFAULT CPUs=4 Gres=gpu:1\nNodeName=b\nNodeName=default CPUs=6\n"
        "NodeName=c CPUs=8\nNodeName=d\nPartitionName=DEFAULT Nodes=ALL PriorityJobFactor=3\n"
        "PartitionName=main\nPriorityWeightPartition=10\n"
    )
    machine = read(conf)

    assert machine.pools[0].capacity == {"processors": 1 + 4 + 8 + 6, "gpu": 3}
    assert machine.priority.partitions == {"main": 3.0}


def test_partitions_without_common_nodes_are_pools(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-6] CPUs=4\nPartitionName=b Nodes=n[5-6]\n"
        "PartitionName=short Nodes=n1\nPartitionName=a Nodes=n[1-4]\n"
    )
    machine = read(conf)

    assert [(pool.name, pool.partitions) for pool in machine.pools] == [
        ("b", ()),
        ("a", ("short", "a")),
    ]
    assert [pool.capacity["processors"] for pool in machine.pools] == [8, 16]
    assert machine.limits == (Limit("partition", {"processors": 4}, "short"),)


def test_a_partition_that_two_others_share_joins_their_pools(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-2] CPUs=4\nNodeName=g[1-2] CPUs=8 Gres=gpu:2\n"
        "PartitionName=cpu Nodes=n[1-2]\nPartitionName=gpu Nodes=g[1-2]\n"
        "PartitionName=all Nodes=ALL\n"
    )
    machine = read(conf)

    assert [pool.name for pool in machine.pools] == ["all"]
    assert machine.limits == (
        Limit("partition", {"processors": 8, "gpu": 0}, "cpu"),
        Limit("partition", {"processors": 16}, "gpu"),
    )


def test_processors_of_each_node_that_a_partition_may_have(read: Read) -> None:
    conf = CPUS + (
        "NodeName=g[1-2] CPUs=8 Gres=gpu:2\nPartitionName=cpu Nodes=g[1-2] MaxCPUsPerNode=6\n"
        "PartitionName=gpu Nodes=g[1-2] MaxCPUsPerNode=UNLIMITED\n"
    )

    assert read(conf).limits == (Limit("partition", {"processors": 12}, "cpu"),)


def test_partitions_that_are_smaller_together_are_noted(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-9] CPUs=1\nPartitionName=a Nodes=n[1-3]\nPartitionName=b Nodes=n[1-4]\n"
        "PartitionName=c Nodes=n[4-9]\n"
    )
    notes = read(conf).not_simulated

    assert notes == (
        (
            "slurm.conf:4: b shares nodes with a: each is limited by itself, not what they have "
            "together"
        ),
    )


def test_node_sets(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-2] CPUs=2 Feature=ib,old\nNodeName=n[3-4] CPUs=4 Features=new\n"
        "NodeSet=fast Feature=ib\nNodeSet=big Nodes=n[3-4]\nPartitionName=a Nodes=fast\n"
        "PartitionName=b Nodes=big\n"
    )

    assert [pool.capacity["processors"] for pool in read(conf).pools] == [4, 8]


def test_nodes_that_no_job_can_have_are_left_out(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-4] CPUs=1\nNodeName=n[5-6] CPUs=1 State=FUTURE\nDownNodes=n4 State=DOWN\n"
        'NodeName=n9\nPartitionName=a Nodes=n[1-6]\nPartitionName=empty Nodes=""\n'
    )
    machine = read(conf)

    assert machine.pools[0].capacity == {"processors": 3}
    assert machine.not_simulated == (
        "slurm.conf:3: nodes of State=FUTURE are left out",
        "slurm.conf:4: nodes of DownNodes are left out",
        "slurm.conf:5: nodes of no partition are left out",
        "slurm.conf:7: partition empty has no nodes",
    )


def test_whole_nodes(read: Read) -> None:
    exclusive = TWO.replace("ALL", "ALL OverSubscribe=EXCLUSIVE")

    assert read("SelectType=select/linear\n" + TWO).nodes == 4
    assert read(exclusive).nodes == 4
    assert read(TWO).nodes == 0


def test_licences_are_shared_by_all_pools(read: Read) -> None:
    conf = "Licenses=matlab:4,ansys,nas@server:2\n" + CPUS
    one = read(conf + "NodeName=a,b CPUs=1\nPartitionName=p Nodes=ALL\n")
    two = read(conf + "NodeName=a,b CPUs=1\nPartitionName=p Nodes=a\nPartitionName=q Nodes=b\n")

    licences = {"matlab": 4, "ansys": 1, "nas": 2}
    assert one.pools[0].capacity == {"processors": 2, **licences}
    assert one.limits == ()
    assert [pool.capacity for pool in two.pools] == 2 * [{"processors": 1, **licences}]
    assert two.limits == tuple(Limit("all", {name: most}) for name, most in licences.items())


def test_weights(read: Read) -> None:
    conf = TWO + (
        "PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=2000\n"
        "PriorityWeightJobSize=30\nPriorityMaxAge=1-12\nPriorityDecayHalfLife=0\n"
        "PriorityFavorSmall=YES\nPriorityCalcPeriod=10\nPriorityFlags=NO_FAIR_TREE,INCR_ONLY\n"
    )
    machine = read(conf)
    weights = machine.priority

    assert (weights.age, weights.fairshare, weights.size, weights.qos) == (1000, 2000, 30, 0)
    assert (weights.max_age, weights.half_life, weights.recalc) == (129600, UNLIMITED, 600)
    assert weights.favor_small
    assert machine.not_simulated == (
        (
            "slurm.conf:6: the size of a job is its processors, Slurm's is the mean of nodes and "
            "processors"
        ),
        "slurm.conf:11: PriorityFlags=INCR_ONLY is not simulated",
    )


def test_constants_that_nobody_gave_are_those_of_slurm(read: Read) -> None:
    weights = read(TWO).priority

    assert (weights.max_age, weights.half_life, weights.recalc) == (604800, 604800, 300)
    assert not weights.favor_small


def test_basic_priority_has_no_weights(read: Read) -> None:
    machine = read("PriorityType=priority/basic\nPriorityWeightAge=5\n" + TWO)

    assert machine.priority.age == 0
    assert machine.not_simulated == (
        "slurm.conf:2: PriorityWeightAge=5 has no effect with PriorityType=priority/basic",
    )


def test_fair_tree_is_noted(read: Read) -> None:
    conf = TWO + "PriorityType=priority/multifactor\nPriorityWeightFairshare=5\n"

    assert "Fair Tree" in read(conf).not_simulated[0]
    assert read(conf + "PriorityFlags=NO_FAIR_TREE\n").not_simulated == ()


def test_a_higher_tier_comes_before_all_else(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n1\nPriorityWeightAge=1000\nPriorityWeightPartition=50\n"
        "PartitionName=low Nodes=n1 PriorityJobFactor=4\n"
        "PartitionName=mid Nodes=n1 PriorityJobFactor=2\n"
        "PartitionName=high Nodes=n1 PriorityTier=9 PriorityJobFactor=0\n"
    )
    weights = read(conf).priority
    scale = weights.partition / max(weights.partitions.values())
    added = {name: scale * value for name, value in weights.partitions.items()}

    assert added["low"] - added["mid"] == 25
    assert added["high"] > added["low"] + weights.age


def test_factors_that_are_not_normalised(read: Read) -> None:
    partition = "PartitionName=main Nodes=ALL PriorityJobFactor=7"
    conf = TWO.replace("PartitionName=main Nodes=ALL", partition) + (
        "PriorityWeightPartition=2\nPriorityWeightQOS=3\nPriorityFlags=NO_NORMAL_PART\n"
    )
    qos = "Name|Priority\nnormal|0\nhigh|5\n"

    assert read(conf, qos=qos).priority.partition == 14
    assert read(conf, qos=qos).priority.qos == 3
    assert read(conf.replace("PART\n", "ALL\n"), qos=qos).priority.qos == 15
    assert read(conf, qos=qos).priority.qos_factors == {"normal": 0, "high": 5}


@pytest.mark.parametrize("parent", ["ParentName", "Par Name"])
def test_limits_of_accounts_and_users(read: Read, parent: str) -> None:
    listing = table(
        {"Account": "root", "Share": "1", "GrpJobs": "90"},
        {"Account": "physics", "Par Name": "root", "Share": "3", "MaxJobs": "5"}
        | {"GrpTRES": "cpu=8,mem=6G,node=2"},
        {"Account": "physics", "User": "alice", "Share": "2", "MaxJobs": "2"},
        {"Account": "physics", "User": "bob", "Share": "1", "MaxJobs": "5"},
        {"Account": "organic", "Par Name": "physics", "Share": "2", "GrpJobs": "3"}
        | {"GrpSubmit": "40"},
        {"Account": "organic", "User": "carol", "Share": "1"},
        {"Account": "organic", "User": "dave", "Share": "1"},
        {"Account": "physics", "Par Name": "root", "Cluster": "other", "GrpJobs": "9"},
    )
    machine = read(ENFORCED + TWO, assoc=listing.replace("Par Name", parent))

    assert machine.limits == (
        Limit("all", {"jobs": 90}),
        Limit("account", {"processors": 8, "memory": 6144}, "physics"),
        Limit("account", {"jobs": 3, "submitted": 40}, "organic"),
        Limit("user", {"jobs": 2}, "alice", {"account": "physics"}),
        Limit("user", {"jobs": 5}, "bob", {"account": "physics"}),
        Limit("user", {"jobs": 5}, None, {"account": "organic"}),
    )
    assert machine.shares == (
        Share(3, "physics"),
        Share(2, "physics", "alice"),
        Share(1, "physics", "bob"),
        Share(2, "organic", parent="physics"),
        Share(1, "organic", "carol"),
        Share(1, "organic", "dave"),
    )
    assert machine.not_simulated == (
        "assoc.txt:3: limit on node=2: no resource of a pool",
        "assoc.txt:9: associations of cluster other",
    )


def test_a_cluster_without_a_name_has_all_associations(read: Read) -> None:
    listing = table({"Account": "physics", "Share": "3"})

    assert read(TWO, assoc=listing).shares == (Share(3, "physics"),)
    assert read("ClusterName=other\n" + TWO, assoc=listing).shares == ()


def test_indentation_tells_the_tree_where_no_column_does(read: Read) -> None:
    listing = (
        "Account|User|Share\nroot||1\n physics||1\n  organic||1\n  organic|carol|parent\n"
        " chemistry||1\n"
    )
    machine = read(TWO, assoc=listing)

    assert [(each.account, each.parent) for each in machine.shares if not each.user] == [
        ("physics", ""),
        ("organic", "physics"),
        ("chemistry", ""),
    ]
    assert machine.not_simulated == (
        "assoc.txt:5: Share=parent is taken as 1 share: fair share of the parent is not simulated",
    )


def test_a_listing_without_the_tree_is_noted(read: Read) -> None:
    listing = "Account|User|Share\nroot||1\nphysics||1\norganic||1\n"

    assert "list with ParentName" in read(TWO, assoc=listing).not_simulated[0]


def test_limits_of_qos(read: Read) -> None:
    listing = f"{QOS}\nnormal|0||||||||\nhigh|10|cpu=6|4|gres/gpu=1|2|9|3|1:00:00|DenyOnLimit\n"
    conf = ENFORCED + TWO.replace("Nodes=ALL", "Nodes=ALL QOS=High")
    machine = read(conf.replace("RealMemory=4000", "Gres=gpu:1"), qos=listing)

    assert machine.limits == (
        Limit("qos", {"processors": 6, "jobs": 4}, "high"),
        Limit("user", {"gpu": 1, "jobs": 2, "submitted": 9}, None, {"qos": "high"}),
        Limit("account", {"jobs": 3}, None, {"qos": "high"}),
        Limit("partition", {"processors": 6, "jobs": 4}, "main"),
        Limit("user", {"gpu": 1, "jobs": 2, "submitted": 9}, None, {"partition": "main"}),
        Limit("account", {"jobs": 3}, None, {"partition": "main"}),
    )
    assert machine.not_simulated[:2] == (
        "qos.txt:3: MaxWall=1:00:00: the jobs of the log were accepted",
        "qos.txt:3: Flags=DenyOnLimit: flags of QOS",
    )


def test_limits_that_slurm_does_not_enforce(read: Read) -> None:
    machine = read(TWO, qos="Name|Priority|GrpJobs\nlow|0|4\n")

    assert machine.limits == ()
    assert machine.not_simulated == (
        "qos.txt:1: limits, which are not in force without AccountingStorageEnforce=limits",
    )


def test_a_limit_of_a_qos_that_replaces_another_is_noted(read: Read) -> None:
    associations = "Account|User|Share|GrpJobs\nphysics||1|7\n"
    machine = read(ENFORCED + TWO, assoc=associations, qos="Name|Priority|GrpJobs\nlow|0|4\n")

    assert machine.not_simulated == (
        "qos.txt:2: GrpJobs of a QOS replaces GrpJobs of associations: here both hold",
    )


RESERVATIONS = """\
ReservationName=maint StartTime=2026-11-02T00:00:00 EndTime=2026-11-02T08:00:00
   Nodes=n[1-4] NodeCnt=4 Flags=MAINT,SPEC_NODES TRES=cpu=16 Users=root Accounts=(null)
ReservationName=course StartTime=2026-11-03T10:00:00 EndTime=2026-11-03T11:00:00
   Nodes=n[2-3] NodeCnt=2 Flags=WEEKLY TRES=cpu=8 Users=(null) Accounts=physics
ReservationName=part StartTime=2026-11-03T10:00:00 EndTime=2026-11-03T11:00:00
   Nodes=n1 NodeCnt=1 Flags= TRES=cpu=2 Users=alice,bob Accounts=(null)
ReservationName=old StartTime=2026-10-01T10:00:00 EndTime=2026-10-01T11:00:00 Nodes=n1
ReservationName=licences StartTime=2026-11-03T10:00:00 EndTime=2026-11-03T11:00:00 Nodes=(null)
"""


def test_reservations_are_windows_of_the_log(read: Read) -> None:
    conf = CPUS + (
        "NodeName=n[1-4] CPUs=4\nPartitionName=a Nodes=n[1-2]\nPartitionName=b Nodes=n[3-4]\n"
    )
    clock = Clock(int(datetime(2026, 11, 1, tzinfo=UTC).timestamp()), UTC)
    machine = read(conf, clock, reservations=RESERVATIONS)

    shown = [
        (each.name, each.begin / 3600, each.end / 3600, each.pool, each.taken, each.for_jobs_of)
        for each in machine.windows
    ]
    assert shown == [
        ("maint", 24, 32, None, {}, {}),
        ("course (a)", 58, 59, "a", {"processors": 4}, {"account": "physics"}),
        ("course (b)", 58, 59, "b", {"processors": 4}, {"account": "physics"}),
        ("part", 58, 59, "a", {"processors": 2}, {}),
    ]
    assert machine.not_simulated == (
        "reservations.txt:3: course: Flags=WEEKLY: the reservation is simulated once",
        (
            "reservations.txt:3: course: all jobs of its group may use it, in Slurm those that "
            "ask for it"
        ),
        "reservations.txt:5: part: reservation for several groups: none of their jobs may use it",
        "reservations.txt:7: old: reservation that is over before the log begins",
        "reservations.txt:8: licences: reservation of no node of a pool",
    )


def test_without_dates_reservations_are_noted(read: Read) -> None:
    machine = read(TWO, reservations=RESERVATIONS)

    assert machine.windows == ()
    assert machine.not_simulated[0] == (
        "reservations.txt:1: maint: from 2026-11-02T00:00:00 to 2026-11-02T08:00:00: a window only "
        "of a log with dates"
    )


def test_what_is_not_simulated_is_listed_once_with_all_its_lines(read: Read) -> None:
    conf = (
        "SchedulerParameters=bf_continue\nPreemptType=preempt/none\nSlurmctldPort=6817\n"
        "SlurmctldLogFile=/var/log/slurm\nNodeName=n[1-3] CPUs=1 RealMemory=1 NodeAddr=10.0.0.1\n"
        "PartitionName=a Nodes=n1 MaxTime=60\nPartitionName=b Nodes=n2 MaxTime=60 Default=YES\n"
        "PartitionName=c Nodes=n3 MaxTime=UNLIMITED MaxNodes=4\n"
    )

    assert read(conf).not_simulated == (
        (
            "slurm.conf:1: SchedulerParameters=bf_continue: the placement and its options belong "
            "to the scheduler that is simulated"
        ),
        "slurm.conf:6-7: MaxTime=60: a job's limit is the one that the log has",
        "slurm.conf:8: MaxNodes=4: the jobs of the log were accepted",
        "no effect on when jobs start (4 keys): Default, NodeAddr, SlurmctldLogFile, SlurmctldPort",
    )


def test_a_key_that_is_not_known_is_said_to_be(read: Read) -> None:
    conf = CPUS.rstrip() + (
        " PriorityWeigthAge=9\nNodeName=n1 CPU=4\nPartitionName=a Nodes=n1 Tier=2\n"
    )

    assert read(conf).not_simulated == (
        "slurm.conf:1: PriorityWeigthAge is no key that is known here (priorityweightage?)",
        "slurm.conf:2: CPU is no key that is known here (cpus?)",
        "slurm.conf:3: Tier is no key that is known here",
    )


def test_what_slurm_takes_where_nothing_is_said_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(TWO + "PriorityWeightAge=9\n")

    assert read_slurm_conf(path).not_simulated == (
        (
            "slurm.conf:2: no SelectType: taken as select/cons_tres, until 22.05 Slurm's own "
            "default is select/linear"
        ),
        (
            "slurm.conf:3: no PriorityType: taken as priority/multifactor, until 22.05 Slurm's own "
            "default is priority/basic"
        ),
    )


def test_a_qos_of_several_partitions_is_noted(read: Read) -> None:
    conf = ENFORCED + TWO + "PartitionName=b Nodes=ALL QOS=low\nPartitionName=c Nodes=ALL QOS=low\n"

    assert read(conf, qos="Name|Priority|GrpJobs\nlow|0|4\n").not_simulated == (
        (
            "qos.txt:2: the QOS of partitions b, c: each is limited by itself, not what they have "
            "together"
        ),
    )


@pytest.mark.parametrize(
    ("conf", "problem"),
    [
        ("NodeName=n1 CPUs 4\n", "slurm.conf:1: is no Key=value: 'CPUs 4'"),
        ("\nNodeName=n1 CPUs=four\n", "slurm.conf:2: field CPUs: is no whole number from 1 on"),
        ("NodeName=n1 CPUs=0\n", "slurm.conf:1: field CPUs: is no whole number from 1 on: '0'"),
        ("NodeName=n[1-\n", "slurm.conf:1: is no host list: 'n[1-'; write names"),
        ("NodeName=n1\n\nNodeName=n[1-2]\n", "slurm.conf:3: node n1 stands twice"),
        ("NodeName=n1 Gres=gpu:a100:x\n", "slurm.conf:1: field Gres: is no generic resource"),
        ("NodeName=n1 CPUs=2 CoreSpecCount=2\n", "slurm.conf:1: keeps 2 of 2 processors"),
        ("ClusterName=lab\n", "slurm.conf: has no nodes that are up"),
        ("NodeName=n1\n", "slurm.conf: has no partition with nodes"),
        (TWO + "PartitionName=main\n", "slurm.conf:3: partition main stands twice"),
        (TWO + "PartitionName=x Nodes=n7\n", "slurm.conf:3: field Nodes: there is no node or node"),
        (TWO + "PriorityWeightAge=much\n", "slurm.conf:3: field PriorityWeightAge: is no whole"),
        (TWO + "PriorityMaxAge=soon\n", "slurm.conf:3: field PriorityMaxAge: is no length of time"),
        (TWO + "Licenses=a:b:c\n", "slurm.conf:3: field Licenses: is no licence: 'a:b:c'"),
        (TWO + "Include gone.conf\n", "slurm.conf:3: there is no file gone.conf; copy it to"),
        (TWO + "Include slurm.conf\n", "slurm.conf:3: files include each other more than 8 deep"),
        ('NodeName=n1 Reason="is new\n', "slurm.conf:1: is no Key=value"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(read: Read, conf: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        read(conf)

    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("listings", "problem"),
    [
        ({"assoc": "Account|User\n"}, "assoc.txt: has no column Share; write it by: sacctmgr -P"),
        ({"assoc": ""}, "assoc.txt: has no column Account; write it by: sacctmgr -P show assoc"),
        ({"qos": "Name|Priority\nhigh\n"}, "qos.txt:2: has 1 cells where the first line names 2"),
        ({"qos": "Name|Priority\n\nhigh|x\n"}, "qos.txt:3: field Priority: is no whole number"),
        (
            {"qos": "Name|Priority|GrpTRES\nhigh|1|cpu=x\n"},
            "qos.txt:2: field grptres: is no whole number: 'x'",
        ),
        (
            {"qos": "Name|Priority|GrpTRES\nhigh|1|cpu\n"},
            "qos.txt:2: field grptres: is no list of resources: 'cpu'",
        ),
        ({"assoc": "x", "assoc-old": "x"}, "several files with assoc in their names lie beside it"),
    ],
)
def test_a_mistake_in_a_listing(read: Read, listings: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError) as error:
        read(TWO, **listings)

    assert problem in str(error.value)


def test_a_qos_of_a_partition_that_is_not_listed(read: Read) -> None:
    conf = TWO.replace("Nodes=ALL", "Nodes=ALL QOS=fast")

    assert read(conf).not_simulated[0] == "slurm.conf:2: QOS=fast: no listing of QOS beside"
    with pytest.raises(InputError, match=r"2: field QOS: qos[.]txt has no QOS fast"):
        read(conf, qos="Name|Priority\nhigh|1\n")


def test_the_name_of_a_file_says_how_it_is_read(read: Read, tmp_path: Path) -> None:
    machine = read(TWO)
    conf = tmp_path / "slurm.conf"
    (tmp_path / "machine.toml").write_text('[[pools]]\nname = "a"\ncapacity = {processors = 3}\n')

    assert machine_from(conf) == machine_from(f"machine:{conf}") == machine
    assert machine_from(f"machine:{tmp_path / 'machine.toml'}").pools[0].capacity == {
        "processors": 3
    }
    with pytest.raises(InputError, match=r"gone[.]conf: cannot be read: no such file"):
        machine_from(tmp_path / "gone.conf")


PIECES = [*'=[],|\\\n# -:()"', "NodeName=", "DEFAULT", "n[1-3]", "Nodes=ALL", "0", "-1", "9" * 20]
PIECES += ["Include slurm.conf", "\0", "cpu=4", "1-0", "UNLIMITED", "State=DOWN", "(null)"]


def broken(text: str, random: Random) -> str:
    """Take a text, and now and then remove or add something."""
    letters = list(text)
    for _ in range(random.choice([0, 0, 1, 2, 4])):
        place = random.randrange(len(letters))
        letters[place : place + random.choice([0, 1, 6])] = random.choice(["", *PIECES])
    return "".join(letters)


@pytest.mark.parametrize("seed", range(many(30)))
def test_whatever_stands_there_is_read_or_refused(read: Read, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    conf = ENFORCED + TWO.replace("CPUs=4", "CPUs=4 Gres=gpu:a100:2") + "PriorityMaxAge=1-0\n"
    listings = {
        "assoc": "Cluster|Account|User|Share|GrpTRES\nlab|physics|alice|2|cpu=4,mem=6G\n",
        "qos": f"{QOS}\nhigh|10|cpu=6|4|gres/gpu=1|2|9|3|1:00:00|DenyOnLimit\n",
        "reservations": RESERVATIONS,
    }
    clock = Clock(1_793_491_200, UTC)
    texts = {name: broken(text, random) for name, text in listings.items()}
    machine, problem = None, ""
    try:
        machine = read(broken(conf, random), clock, **texts)
    except InputError as error:
        problem = str(error)

    if machine is None:
        assert problem.startswith(str(tmp_path))
    else:
        write_machine(machine, tmp_path / "machine.toml")
        assert read_machine(tmp_path / "machine.toml") == machine
