"""What a user loses by reporting checkpoints, and the discount that makes up for it.

Covers: checkpoints as in LEE's survey, priority preemption,
`utilitysched.counterfactual.disclosure`.

Scenario: the first 800 jobs of the packaged workload, in which urgent jobs preempt others that take
checkpoints. Whoever reports checkpoints becomes the one who is preempted: for the users with the
most work in such jobs, what all their jobs turn out to be worth is compared with what they would
have been worth had this user alone kept its checkpoints to itself, on four draws of utility
functions and checkpoints. The discount that breaks even is in SU per processor-hour of the jobs
reported; LEE's normal queue costs 1 (3.4.3). The interval is over draws and users alike, drawn
anew.

Run: python examples/05_discount_for_preemption.py
"""

from __future__ import annotations

import numpy as np

from checkpoint import ANNOTATIONS
from swfx import UtilitySpec, Workload, attach_utilities, open_workload
from utilitysched import simulate
from utilitysched.counterfactual.disclosure import Disclosed, disclosures, price_of_reporting

JOBS = 800
SEEDS = (1, 2, 3, 4)
USERS = 5  # with the most processor-seconds in jobs that take checkpoints
SCHEDULER = "priority-preempt"
DRAWS = 2000


def drawn(plain: Workload, seed: int) -> Workload:
    """Draw utility functions and who takes checkpoints."""
    waits = simulate(plain, "easy").wait(plain)
    valued = attach_utilities(plain, UtilitySpec(), seed, waits=waits)
    return ANNOTATIONS.make("survey").annotate(valued, seed).workload


def largest_users(jobs: Workload) -> list[int]:
    """Return the users with the most work in jobs that take checkpoints."""
    work = jobs.size * jobs.effective_run * (jobs.checkpoint_interval > 0)
    users = np.unique(jobs.user[work > 0])
    return sorted(users.tolist(), key=lambda user: -work[jobs.user == user].sum())[:USERS]


def interval(found: list[Disclosed]) -> tuple[float, float]:
    """Return a 95% percentile bootstrap interval of the discount."""
    rng = np.random.default_rng(0)
    draws = rng.integers(len(found), size=(DRAWS, len(found)))
    prices = [price_of_reporting([found[i] for i in draw]) for draw in draws]
    low, high = np.percentile(prices, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    """Print what each of the users loses, and the discount."""
    plain = open_workload("sample:").workload[:JOBS]
    found: list[Disclosed] = []
    print(
        f"{'draw':>4}{'user':>6}{'jobs':>6}{'hours':>8}{'stopped':>8}{'reported':>10}{'silent':>9}"
    )
    for seed in SEEDS:
        jobs = drawn(plain, seed)
        for each in disclosures(jobs, SCHEDULER, largest_users(jobs)):
            found.append(each)
            print(
                f"{seed:4}{each.user:6}{each.jobs:6}{each.processor_hours:8,.0f}{each.preemptions:8}"
                f"{each.reported:10,.0f}{each.silent:9,.0f}"
            )
    low, high = interval(found)
    worse = sum(each.loss > 0 for each in found)
    print(f"\nworse off by reporting: {worse} of {len(found)}")
    print(
        f"discount that breaks even: {price_of_reporting(found):.3f} SU per processor-hour", end=""
    )
    print(f" [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
