"""What it costs not to know the heatmap: speeds learned from jobs that ran, beside known ones.

Covers: nodes that jobs share, speeds learned online, their regret.

Scenario: the loads of kellari_tables_6.toml under the schedulers that read speeds, in three
completions of the heatmap. Those that learn begin with nothing, and see how fast a job was beside
one neighbour once it no longer is. Regret is how much longer the makespan and how much greater the
mean slowdown is than where the same scheduler knows the heatmap; less than nothing where it was
lucky. First each load stands by itself. Then the ten come one after the other, each once the last
has ended, and what was seen in one is known in the next.

Run: python examples/kellari_learned.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from swfx import Workload, open_workload
from utilitysched import simulate

JOBS, LOADS, COMPLETIONS = 1000, 10, range(3)
APART = 30_000  # s between two loads: more than any takes
SCHEDULERS = (
    *("popularity", "pop-filler"),
    *("popularity,nodes=fastest", "pop-filler,nodes=fastest"),
    *("sjf-filler,nodes=fastest", "easy-co,nodes=fastest"),
)
KNOWN = ""
LEARNED = {
    "optimism 0": ",speeds=learned,optimism=0",
    "optimism 0.1": ",speeds=learned",
    "optimism 0.3": ",speeds=learned,optimism=0.3",
    "0.1, noise 0.1": ",speeds=learned,noise=0.1",
}


def of_each_load(workload: Workload, scheduler: str) -> np.ndarray:
    """Return the makespan and the mean slowdown of each load of a workload, (loads, 2)."""
    found = simulate(workload, f"coscheduled:policy={scheduler}")
    submit, start, end = (
        column.reshape(-1, JOBS) for column in (workload.submit, found.start, found.end)
    )
    slowdown = ((end - submit) / (end - start)).mean(axis=1)
    return np.column_stack((end.max(axis=1) - submit[:, 0], slowdown))


def alone(scheduler: str) -> np.ndarray:
    """Return the same, each load by itself."""
    return np.concatenate([of_each_load(load, scheduler) for load in loads])


def completed(scheduler: str, completion: int, how: str) -> str:
    """Return a scheduler in one completion of the heatmap."""
    return f"{scheduler},completion={completion}{how}"


def percent(learned: np.ndarray, known: np.ndarray) -> tuple[float, float]:
    """Return how much longer the makespan and how much greater the slowdown is on average (%)."""
    makespan, slowdown = 100 * (learned / known - 1).mean(axis=tuple(range(learned.ndim - 1)))
    return makespan, slowdown


everything = open_workload("model:applications,jobs=10000,seed=1").workload
loads = [everything[first : first + JOBS] for first in range(0, len(everything), JOBS)]
compact = {name: alone(name) for name in ("conservative", "sjf")}

print("Each load by itself, nothing seen before: makespan and mean slowdown over what they are")
print("where the heatmap is known (%), means of 10 loads x 3 completions\n")
print(f"{'':26}{'conservative':>16}{'sjf':>16}" + "".join(f"{name:>16}" for name in LEARNED))
for scheduler in SCHEDULERS:
    known = np.stack([alone(completed(scheduler, seed, KNOWN)) for seed in COMPLETIONS])
    regrets = [percent(np.broadcast_to(each, known.shape), known) for each in compact.values()]
    for how in LEARNED.values():
        learned = [alone(completed(scheduler, seed, how)) for seed in COMPLETIONS]
        regrets.append(percent(np.stack(learned), known))
    print(f"{scheduler:26}" + "".join(f"{one:+8.1f}{other:+8.1f}" for one, other in regrets))

print("\nThe ten loads one after the other, learned with optimism 0.1: the same, by loads\n")
submit = everything.submit + APART * np.repeat(np.arange(LOADS), JOBS)
chain = everything.replace(submit=submit)
print(f"{'':26}" + "".join(f"{f'{load} and {load + 1}':>16}" for load in range(1, LOADS, 2)))
for scheduler in SCHEDULERS:
    after, sure = (
        np.stack(
            [of_each_load(chain, completed(scheduler, seed, how)) for seed in COMPLETIONS], axis=1
        )
        for how in (LEARNED["optimism 0.1"], KNOWN)
    )
    two = (slice(load, load + 2) for load in range(0, LOADS, 2))
    regrets = [percent(after[some], sure[some]) for some in two]
    print(f"{scheduler:26}" + "".join(f"{one:+8.1f}{other:+8.1f}" for one, other in regrets))

print("\nWhat has been seen after the ten loads, completion 0 (speeds: of each application beside")
print("each other, and beside nobody)\n")
for scheduler in SCHEDULERS:
    text = completed(scheduler, 0, LEARNED["0.1, noise 0.1"])
    shared: Any = simulate(chain, f"coscheduled:policy={text}").provenance["shared"]
    print(
        f"{scheduler:26}{shared['speeds_seen']:5} of {shared['speeds']} speeds,"
        f" {shared['co_runs_seen']:6,} times, wrong by {shared['mean_error']:.3f} on average"
    )
