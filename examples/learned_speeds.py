"""What it costs not to know how fast jobs run side by side: the regret of learning.

Covers: a table of speeds that is wrong, speeds learned from jobs that ran.

Scenario: ten loads of 1,000 NAS programs, submitted at once, on 420 nodes of 2 x 10 cores, each on
two machines. Schedulers have the table measured on ARIS, in which 280 of 1,089 pairs are missing.
The machines have other speeds: those of the table, or of a completion of it, times random factors.
Their logarithms have standard deviations of 0.15 for each program that runs, 0.09 for each
neighbour and 0.05 for each pair, as between ARIS and Grvingt (36 pairs of 6 programs), or of 0.2
for each pair alone. What is measured of a job is off by another factor, of 0.1.

Each scheduler is compared with the same one that knows the machine's speeds. Regret is by how many
percent makespan and mean slowdown are larger, and aggregate utility smaller: the geometric mean of
20 runs and its standard error. The last columns are the regret by quarters: how much longer each
quarter of the load's work takes to be done.

Run: python examples/learned_speeds.py
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from swfx import Workload, attach_utilities, open_workload
from swfx.heatmap import FASTEST, find_heatmap, write_heatmap
from utilitysched import metrics, simulate
from utilitysched.schedulers.coscheduling.completion import completed

LOADS, MACHINES, JOBS = 10, 2, 1000
DRIFTS = {  # standard deviations: of programs, neighbours and pairs
    "Machines that differ from the table as ARIS and Grvingt do": (0.15, 0.09, 0.05),
    "Machines whose every pair differs from the table by itself": (0.0, 0.0, 0.2),
}
POLICIES = ("sjf-filler,nodes=fastest", "easy-co,nodes=fastest", "popularity")
LEARNERS = {
    "believes the table": "table=aris",
    "learns from the table": "table=aris,speeds=learned,noise=0.1",
    "learns from nothing": "speeds=learned,noise=0.1",
}
NAMES = ("makespan", "realised_slowdown_mean", "aggregate_utility")
SIGNS = np.array([1, 1, -1, 1, 1, 1, 1])


def valued(seed: int) -> Workload:
    """Return a load whose users expect to wait as long as under conservative."""
    load = open_workload(f"model:applications,jobs={JOBS},seed={seed}").workload
    waits = simulate(load, "coscheduled:policy=conservative").wait(load)
    return attach_utilities(load, seed=seed, waits=waits)


def machine(drift: tuple[float, float, float], seed: int, path: Path) -> str:
    """Write the speeds of a machine; return the name of the file."""
    draws, aris = np.random.default_rng(seed), completed(find_heatmap("aris"), seed)
    count = len(aris.names)
    shapes = ((count, 1), (1, count), (count, count))
    programs, neighbours, pairs = (
        draws.lognormal(0.0, sd, shape) for sd, shape in zip(drift, shapes, strict=True)
    )
    speed = aris.speed * programs * neighbours * pairs
    write_heatmap(replace(aris, speed=np.minimum(speed, FASTEST)), path)
    return str(path)


def costs(load: Workload, scheduler: str) -> list[float]:
    """Return makespan (s), mean slowdown, utility (SU), and time for each quarter of the work."""
    schedule = simulate(load, scheduler)
    summary, order = metrics.summary(load, schedule), np.argsort(schedule.end)
    done = np.cumsum((load.run * load.size)[order])
    ends = schedule.end[order][np.searchsorted(done, done[-1] * np.arange(1, 5) / 4)]
    return [*(summary[name] for name in NAMES), *np.diff(ends, prepend=0.0)]


def line(name: str, ratios: NDArray[np.float64]) -> str:
    """Return the regrets of a learner from its costs over those of who knows."""
    logs = np.log(ratios)
    regret = 100 * SIGNS * np.expm1(logs.mean(axis=0))
    error = 100 * logs.std(axis=0, ddof=1) / np.sqrt(len(logs))
    columns = [f"{one:+7.1f} +-{two:4.1f}" for one, two in zip(regret, error, strict=True)]
    return f"  {name:26}" + "".join(columns[:3]) + "".join(f"{one:+7.1f}" for one in regret[3:])


def compare(policy: str, runs: list[tuple[Workload, str]]) -> None:
    """Print the regrets of a policy on loads and machines."""

    def measured(text: str) -> NDArray[np.float64]:
        texts = [f"coscheduled:policy={text},heatmap={file}" for _, file in runs]
        return np.array([costs(load, text) for (load, _), text in zip(runs, texts, strict=True)])

    print(f"{policy:28}     makespan     slowdown      utility  by quarters of the work")
    known = measured(policy)
    for name, how in LEARNERS.items():
        print(line(name, measured(f"{policy},{how}") / known))
    print(line("conservative", measured("conservative") / known))
    print()


def main() -> None:
    """Print the regrets of each policy on both kinds of machines."""
    loads = [valued(seed) for seed in range(LOADS)] * MACHINES
    for title, drift in DRIFTS.items():
        print(f"{title}\n")
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{seed}.tsv" for seed in range(len(loads))]
            files = [machine(drift, seed, path) for seed, path in enumerate(paths)]
            for policy in POLICIES:
                compare(policy, list(zip(loads, files, strict=True)))


if __name__ == "__main__":
    main()
