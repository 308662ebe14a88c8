"""Whether the genetic co-scheduler beats SJF-Filler by makespan and by mean slowdown at once.

Covers: co-scheduling by searched plans, utility functions on nodes that jobs share.

Scenario: the ten loads of kellari_tables_6.toml, 1,000 NAS programs each on 420 nodes of 2 x 10
cores, all submitted at once; one completion of the heatmap for the ten, then others for the first
of them. Last, loads with drawn utility functions, which end a while after the jobs would have ended
under conservative backfilling, by what the schedules are worth; there `climb`, of jobs that share
no nodes, stands beside. All options are defaults: those of policy `ga`, of which variants were
tried on other loads (jobs=1000, seeds 101 to 106).

Run: python examples/kellari_genetic.py
"""

from __future__ import annotations

from swfx import Workload, open_workload
from swfx.families.generators import attach_utilities
from utilitysched import Schedule, metrics, simulate

JOBS, COMPLETIONS = 1000, range(1, 4)
VALUED = 2  # loads with utility functions
SHARED = "coscheduled:policy={policy},completion={completion}"


def measured(load: Workload, schedule: Schedule) -> tuple[float, float]:
    """Return the makespan (s) and the mean slowdown by the run times that jobs had."""
    found = metrics.summary(load, schedule)
    return found["makespan"], found["realised_slowdown_mean"]


def compared(name: str, load: Workload, completion: int) -> bool:
    """Print speedups over conservative and slowdowns; return whether the searched plan dominates.

    A plan dominates another if it is no worse by both and better by one.
    """
    last = simulate(load, "coscheduled:policy=conservative").end.max()
    figures = []
    for policy in ("sjf-filler", "ga"):
        schedule = simulate(load, SHARED.format(policy=policy, completion=completion))
        makespan, slowdown = measured(load, schedule)
        figures.append((last / makespan, slowdown))
    (speedup, slowdown), (searched, less) = figures
    wins = searched >= speedup and less <= slowdown and figures[0] != figures[1]
    print(
        f"{name:14}{speedup:12.3f}{searched:12.3f}{slowdown:12.2f}{less:12.2f}"
        f"{'yes' if wins else 'no':>12}",
        flush=True,
    )
    return wins


everything = open_workload("model:applications,jobs=10000,seed=1").workload
loads = [everything[first : first + JOBS] for first in range(0, len(everything), JOBS)]

print(f"{'':14}{'makespan speedup':>24}{'mean slowdown':>24}{'genetic':>12}")
print(f"{'':14}{'sjf-filler':>12}{'genetic':>12}{'sjf-filler':>12}{'genetic':>12}{'dominates':>12}")
won = [compared(f"load {k}", load, 0) for k, load in enumerate(loads, 1)]
print(f"on {sum(won)} of {len(won)} loads\n", flush=True)
won = [compared(f"completion {seed}", loads[0], seed) for seed in COMPLETIONS]
print(f"in {sum(won)} of {len(won)} completions\n", flush=True)

print(f"utility (SU) {'sjf-filler':>14}{'climb':>14}{'genetic':>14}")
for k, load in enumerate(loads[:VALUED], 1):
    waits = simulate(load, "coscheduled:policy=conservative").start - load.submit
    valued = attach_utilities(load, seed=k, waits=waits)
    texts = (
        SHARED.format(policy="sjf-filler", completion=0),
        "climb",
        SHARED.format(policy="ga", completion=0),
    )
    worth = [metrics.aggregate_utility(valued, simulate(valued, text)) for text in texts]
    print(f"load {k:<8}" + "".join(f"{value:14,.0f}" for value in worth), flush=True)
