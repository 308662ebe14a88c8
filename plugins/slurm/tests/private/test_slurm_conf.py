"""Nodes, partitions and associations read from slurm.conf are those that a real Slurm has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from plugins.slurm.tests.private.cluster import PrivateCluster
from swfx.clock import Clock
from swfx.machine import Limit, Share, machine_from
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_lines import conf_lines
from swfx.machine.slurm_nodes import slurm_nodes

pytestmark = pytest.mark.slurm

NODES = {
    "n1": "CPUs=4 RealMemory=4000 Gres=gpu:a100:2",
    "n02": "Boards=1 SocketsPerBoard=2 CoresPerSocket=2 RealMemory=6000 Gres=gpu:a100:2",
    "n03": "Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000",
    "n4": "CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=big",
}
SETTINGS = (
    "AccountingStorageTRES=gres/gpu,license/matlab",
    "GresTypes=gpu",
    "Licenses=matlab:4",
    "SelectTypeParameters=CR_Core_Memory",
    "AccountingStorageEnforce=associations,limits,qos",
    "NodeSet=large Feature=big",
    "PartitionName=DEFAULT MaxTime=1:00:00 \\\n PriorityJobFactor=3",
    "PartitionName=main Nodes=n1,n[02-03] Default=YES PriorityJobFactor=10",
    "PartitionName=gpu Nodes=n[1,02] MaxTime=240",
    "PartitionName=far Nodes=large",
)
ACCOUNTS = (
    "add account physics fairshare=3 GrpTRES=cpu=8,mem=6G MaxJobs=5",
    "add account organic parent=physics fairshare=2 GrpJobs=3",
    "add user root account=physics fairshare=7 MaxJobs=2",
    "add user games account=organic",
    "add qos high priority=100 GrpTRES=cpu=6 MaxJobsPerUser=2",
)
LISTED = "Cluster,Account,ParentName,User,Partition,Share,GrpJobs,GrpTRES,GrpSubmit,MaxJobs"
AMOUNTS = {"processors": "cpu", "memory": "mem", "gpu": "gres/gpu", "matlab": "license/matlab"}


@pytest.fixture(scope="module")
def cluster(slurm: None) -> Iterator[PrivateCluster]:
    resources = ("NodeName=n1,n02 Name=gpu Type=a100 File=/dev/loop[0-1]",)
    with PrivateCluster(NODES, SETTINGS, resources, ACCOUNTS) as started:
        yield started


def pairs(record: str) -> dict[str, str]:
    return dict(re.findall(r"(\S+?)=(\S*)", record))


def amounts(resources: str) -> dict[str, int]:
    has = pairs(resources.replace(",", " "))
    return {
        name: int(has[resource].rstrip("M"))
        for name, resource in AMOUNTS.items()
        if resource in has
    }


def test_nodes_have_what_slurm_says(cluster: PrivateCluster) -> None:
    conf = conf_lines(cluster.folder / "etc" / "slurm.conf")
    nodes = slurm_nodes([*conf], MachineNotes(), memory=True).nodes
    records = map(pairs, cluster.run("scontrol", "-o", "show", "node").splitlines())
    told = {
        record["NodeName"]: {
            **amounts(record["CfgTRES"]),
            "processors": int(record["CPUEfctv"]),
            "memory": int(record["RealMemory"]) - int(record.get("MemSpecLimit", 0)),
        }
        for record in records
    }

    assert {name: node.amounts for name, node in nodes.items()} == told


def test_partitions_have_what_slurm_says(cluster: PrivateCluster) -> None:
    machine = machine_from(cluster.folder / "etc" / "slurm.conf")
    records = map(pairs, cluster.run("scontrol", "-o", "show", "partition").splitlines())
    listed = {record["PartitionName"]: record for record in records}
    limits = {each.name: each.most for each in machine.limits if each.of == "partition"}

    assert {(pool.name, pool.partitions) for pool in machine.pools} == {
        ("main", ("main", "gpu")),
        ("far", ()),
    }
    for pool in machine.pools:
        for name in pool.partitions or (pool.name,):
            record = listed.pop(name)
            assert {**pool.capacity, **limits.get(name, {})} == amounts(record["TRES"])
    assert listed == {}


def test_associations_are_read_as_slurm_lists_them(cluster: PrivateCluster, tmp_path: Path) -> None:
    conf = cluster.folder / "etc" / "slurm.conf"
    (tmp_path / conf.name).write_text(conf.read_text())
    listing = cluster.run("sacctmgr", "-P", "show", "assoc", f"format={LISTED}")
    (tmp_path / "assoc.txt").write_text(listing)
    (tmp_path / "qos.txt").write_text(cluster.run("sacctmgr", "-P", "show", "qos"))
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / conf.name).write_text(conf.read_text())
    (tree / "assoc.txt").write_text(cluster.run("sacctmgr", "-P", "show", "assoc", "tree"))
    (tree / "qos.txt").write_text(cluster.run("sacctmgr", "-P", "show", "qos"))
    machine, by_tree = machine_from(tmp_path / conf.name), machine_from(tree / conf.name)

    assert machine.limits == by_tree.limits
    assert {*machine.shares} == {*by_tree.shares}
    assert {*machine.shares} >= {
        Share(3, "physics"),
        Share(2, "organic", parent="physics"),
        Share(7, "physics", "root"),
        Share(1, "organic", "games"),
    }
    assert [each for each in machine.limits if each.of not in {"partition", "all"}] == [
        Limit("account", {"processors": 8, "memory": 6144}, "physics"),
        Limit("account", {"jobs": 3}, "organic"),
        Limit("user", {"jobs": 2}, "root", {"account": "physics"}),
        Limit("user", {"jobs": 5}, "games", {"account": "organic"}),
        Limit("qos", {"processors": 6}, "high"),
        Limit("user", {"jobs": 2}, None, {"qos": "high"}),
    ]


def test_reservations_take_what_slurm_says(cluster: PrivateCluster, tmp_path: Path) -> None:
    begin = cluster.started + timedelta(days=1)
    made = ("create", "reservation", f"StartTime={begin:%Y-%m-%dT%H:%M:%S}", "Duration=60")
    cluster.run("scontrol", *made, "ReservationName=all", "Users=root", "Flags=MAINT", "Nodes=ALL")
    cluster.run("scontrol", *made, "ReservationName=two", "Accounts=physics", "Nodes=n1,n4")
    listed = cluster.run("scontrol", "-o", "show", "reservation")
    (tmp_path / "reservations.txt").write_text(listed)
    (tmp_path / "slurm.conf").write_text((cluster.folder / "etc" / "slurm.conf").read_text())
    cluster.run("scontrol", stdin="delete ReservationName=all\ndelete ReservationName=two\n")
    start = int(cluster.started.timestamp())
    windows = machine_from(tmp_path / "slurm.conf", Clock(start, UTC)).windows
    two = pairs(next(line for line in listed.splitlines() if "ReservationName=two" in line))

    assert {each.begin for each in windows} == {86400.0}
    assert {each.end for each in windows} == {90000.0}
    assert [(each.name, each.pool, each.taken) for each in windows if not each.for_jobs_of] == [
        ("all", None, {})
    ]
    taken = {each.pool: each.taken for each in windows if each.for_jobs_of}
    assert taken == {"main": {"processors": 4, "memory": 4000, "gpu": 2}, "far": {}}
    assert amounts(two["TRES"])["processors"] == 4 + 8
