"""Which scheduler earns most, and who waits for it.

Covers: loading a workload, simulating schedulers by name, metrics.

Scenario: the packaged workload, 2,000 jobs of three priorities on 256 processors. Queue 1
(express) is the most urgent, queue 3 (normal) the least, and start values follow the priority. Six
schedulers run the same jobs. The first table has means over all jobs; the second what share of
their start value the jobs of each queue earned: EASY, which knows no values, does worst by the jobs
that are worth most.

Run: python examples/01_compare_schedulers.py
"""

from __future__ import annotations

import numpy as np

from swfx import Workload, open_workload
from utilitysched import Schedule, metrics, simulate

WORKLOAD = "sample:"
SCHEDULERS = ("easy", "fcfs", "conservative", "priority-fifo", "value-density", "ga")
SEED = 0  # of the genetic scheduler
TAU = 10.0  # s, least run time in bounded slowdowns
QUEUES = {1: "express", 2: "high", 3: "normal"}


def print_means(workload: Workload, schedules: dict[str, Schedule]) -> None:
    """Print one line per scheduler; the ratio is to the first."""
    print(f"{'scheduler':15}{'wait (s)':>10}{'slowdown':>10}{'utility (SU)':>14}{'ratio':>8}")
    base = metrics.aggregate_utility(workload, next(iter(schedules.values())))
    for name, schedule in schedules.items():
        wait = schedule.wait(workload).mean()
        slowdown = metrics.bounded_slowdown(workload, schedule, tau=TAU).mean()
        utility = metrics.aggregate_utility(workload, schedule)
        print(f"{name:15}{wait:10,.0f}{slowdown:10,.1f}{utility:14,.0f}{utility / base:8.3f}")


def print_shares(workload: Workload, schedules: dict[str, Schedule]) -> None:
    """Print the share of all start value that each queue's jobs earned."""
    print("scheduler" + " " * 6 + "".join(f"{name:>10}" for name in QUEUES.values()))
    start_values = workload.utility.start_values
    for name, schedule in schedules.items():
        earned = metrics.realised_utility(workload, schedule)
        shares = [
            np.sum(earned[workload.queue == queue]) / np.sum(start_values[workload.queue == queue])
            for queue in QUEUES
        ]
        print(f"{name:15}" + "".join(f"{share:10.1%}" for share in shares))


def main() -> None:
    """Simulate and compare."""
    workload = open_workload(WORKLOAD).workload
    print(f"{len(workload)} jobs, {workload.machine_size} processors\n")
    schedules = {name: simulate(workload, name, seed=SEED) for name in SCHEDULERS}
    print_means(workload, schedules)
    print("\nshare of start value earned, by queue")
    print_shares(workload, schedules)


if __name__ == "__main__":
    main()
