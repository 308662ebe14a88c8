"""A policy for shared nodes in one file, beside the one that comes with it and does the same.

    python examples/08_own_sharing.py

On the command line: ``utilitysched simulate LOG -s coscheduled:policy=paired --plugin FILE``.
"""

import numpy as np

from swfx import open_workload
from utilitysched import simulate
from utilitysched.schedulers.coscheduling import SharedQueue, policy

Columns = tuple[np.ndarray, np.ndarray]


@policy("shortest")
def shortest(queue: SharedQueue) -> Columns:
    """Shortest first, everybody beside others: as sjf-co."""
    return queue.run, np.zeros(len(queue.job), bool)


@policy("paired")
def paired(queue: SharedQueue) -> Columns:
    """Shortest first at the mean speed of a pair; compact who loses beside most that wait."""
    waiting = np.bincount(queue.application, minlength=len(queue.alone))
    speed = queue.beside @ waiting / waiting.sum()
    mine = speed[queue.application]
    return queue.run / mine, mine < 1


if __name__ == "__main__":
    load = open_workload("model:applications,jobs=1000,seed=1").workload
    for name in ("sjf-co", "shortest", "paired", "sjf"):
        schedule = simulate(load, f"coscheduled:policy={name}")
        wait = (schedule.start - load.submit).mean()
        print(f"{name:9} mean wait {wait:6,.1f} s, last end {schedule.end.max():8,.1f} s")
