"""What fair share, the priorities of a cluster and a market would each have done, under its limits.

Covers: a machine from slurm.conf and listings beside it, GPUs and memory, waits by account.

Scenario: quarter of an hour of a small Slurm cluster with five partitions that share eight nodes.
examples/lab has its slurm.conf, nodes.conf, and what sacctmgr lists of accounts and QOS: limits,
shares, priorities. The jobs of the log come five times as fast as they did, so that some wait; they
get utility functions, as hardly any has one; and one that asks for a year is left out. The table
has the mean wait of each account's jobs (s), and what all of them earn.

Run: python examples/09_my_cluster.py LISTING, as sacct writes it with all columns (--format=ALL)
"""

from __future__ import annotations

import sys
from pathlib import Path

from swfx import UtilitySpec, Workload, apply_all, attach_utilities, open_workload
from swfx.machine import Machine, machine_from
from utilitysched import Schedule, metrics, simulate

SLURM_CONF = Path(__file__).parent / "lab" / "slurm.conf"
SCHEDULERS = ("fcfs", "easy", "ga")
CHANGES = ("filter:requested_time=..7200", "scale-load:factor=5")  # s
SEED = 1


def print_machine(machine: Machine) -> None:
    """Print pools and limits of a machine, and how much of slurm.conf is not simulated."""
    for pool in machine.pools:
        amounts = ", ".join(f"{amount:,} {name}" for name, amount in pool.capacity.items())
        print(f"pool {pool.name}: {amounts}")
    for limit in machine.limits:
        group = f"{limit.of} {limit.name or '(each)'}"
        within = " in ".join(["", *limit.within.values()])
        most = ", ".join(f"{amount:,} {measure}" for measure, amount in limit.most.items())
        print(f"  {group}{within}: {most}")
    print(f"{len(machine.not_simulated)} statements are not simulated\n")


def print_waits(workload: Workload, schedules: dict[str, Schedule]) -> None:
    """Print the mean wait of each account's jobs, and the utility of all."""
    accounts = workload.labels.of("account").of_jobs()
    names = sorted(set(accounts))
    print(f"{'scheduler':12}" + "".join(f"{name:>11}" for name in names) + f"{'SU':>10}")
    for scheduler, schedule in schedules.items():
        waits = schedule.wait(workload)
        means = [waits[[account == name for account in accounts]].mean() for name in names]
        earned = metrics.aggregate_utility(workload, schedule)
        print(f"{scheduler:12}" + "".join(f"{wait:11.1f}" for wait in means) + f"{earned:10,.0f}")


def main() -> None:
    """Simulate the schedulers on the cluster."""
    machine = machine_from(SLURM_CONF)
    source = f"slurm,limit=30min:{sys.argv[1]}"
    log = open_workload(source, machine_size=machine.processors).workload
    changed = apply_all(log, CHANGES, SEED).workload
    workload = attach_utilities(changed, UtilitySpec(), seed=SEED)
    print_machine(machine)
    schedules = {name: simulate(workload, name, machine=machine, seed=SEED) for name in SCHEDULERS}
    print_waits(workload, schedules)


if __name__ == "__main__":
    main()
