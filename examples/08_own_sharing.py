"""Two policies for shared nodes in one file, beside one that comes with the package.

Covers: `@policy`, columns of the queue, scores and who is placed compact.

Scenario: 1,000 programs on ARIS, all submitted at once. The first policy does what `sjf-co` does.
The second goes by run times at the mean speed of a pair, and places those compact that lose beside
most of the others. On the command line: `coscheduled:policy=paired --plugin FILE`.

Run: python examples/08_own_sharing.py
"""

from __future__ import annotations

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


def main() -> None:
    """Print mean wait and last end of four policies."""
    load = open_workload("model:applications,jobs=1000,seed=1").workload
    for name in ("sjf-co", "shortest", "paired", "sjf"):
        schedule = simulate(load, f"coscheduled:policy={name}")
        wait = (schedule.start - load.submit).mean()
        print(f"{name:9} mean wait {wait:6,.1f} s, last end {schedule.end.max():8,.1f} s")


if __name__ == "__main__":
    main()
