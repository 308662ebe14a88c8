"""How much the genetic scheduler earns over the others: LEE's table 4.1 beside ours.

Covers: a slice of a real log, synthetic utility functions, the columns of LEE's tables.

Scenario (C. B. Lee, dissertation 2009, section 4.2): jobs 5000 to 10000 of the SDSC Blue Horizon
log (Parallel Workloads Archive), 1,152 processors, about three weeks. Ours are means over three
draws of the utility functions. Ratios of utility can be compared, amounts cannot, because the
source leaves open: the largest start value and the spread of start values, the points of a curve,
the version of the log, what run time the fitness assumes. Her deadline is twice the logged wait,
ours twice wait + run time: by hers, a job that did not wait could earn nothing. Her expansion
factors fit requested times, hence so are ours. Waits are shorter here, most of all under
conservative backfilling, and nothing that she states explains it. Our genetic scheduler has its
default options.

Run: python examples/04_lee_table_4_1.py SDSC-BLUE-2000-4.2-cln.swf.gz
"""

from __future__ import annotations

import sys

import numpy as np

from swfx import Workload, attach_utilities, open_workload
from utilitysched import metrics, simulate

JOBS = slice(5000, 10000)  # positions of job lines, before cleaning
SEEDS = (1, 2, 3)  # of the utility functions, and of the genetic scheduler
# wait (s) and expansion factor at 25/50/75/98/100 %, bounded slowdown, % of start value, SU
LEE = """
conservative   0 1375 16746 73881 112103   1.0 1.30 2.25 34 146   131  78.9 11.5 0     0 0  8.77e08
easy           0 0    5372  59067 116552   1.0 1.0  1.55 28 131   76   90.4 40.8 0.055 0 0  1.16e09
priority-fifo  0 0    2733  72403 319822   1.0 1.0  1.30 22 353   73   93.3 53.1 1.04  0 0  1.27e09
ga             0 0    822   62758 1355885  1.0 1.0  1.12 34 2261  148  96.0 59.1 2.84  0 0  1.35e09
"""
LINE = "{:14}{:5}{:8,.0f}{:7,.0f}{:8,.0f}{:9,.0f}{:11,.0f}" + "{:7.2f}" * 3 + "{:6.0f}{:7,.0f}"
LINE += "{:6.0f}" + "{:6.1f}" * 3 + "{:5.1f}{:6.1f}" + "{:10.3g}"
LEE_RATIOS = {"easy": 1.16, "priority-fifo": 1.06, "conservative": 1.53}
HEAD = (
    f"{'':19}{'wait (s), 25/50/75/98/100 %':>43}{'expansion factor':>34}"
    f"{'slow':>6}{'% of start value':>29}{'SU':>10}"
)


def row(workload: Workload, scheduler: str, seed: int) -> tuple[float, ...]:
    """Columns of LEE's table for one simulation."""
    figures = metrics.summary(workload, simulate(workload, scheduler, seed=seed))
    lee = metrics.lee_table_row(figures)
    columns = [*lee.wait, *lee.requested_expansion_factor, lee.bounded_slowdown]
    shares = [100 * (share or 0.0) for share in lee.start_value_share]
    return *(column or 0.0 for column in columns), *shares, lee.aggregate_utility


def main() -> None:
    """Simulate, and print her figures beside ours."""
    log = open_workload(sys.argv[1], jobs=JOBS).workload
    print(f"{len(log)} jobs, {log.machine_size} processors, {len(SEEDS)} draws of utilities\n")
    augmented = {seed: attach_utilities(log, seed=seed) for seed in SEEDS}
    print(HEAD)
    totals = {}
    for name, *lee in map(str.split, LEE.strip().splitlines()):
        rows = np.array([row(workload, name, seed) for seed, workload in augmented.items()])
        totals[name] = rows[:, -1]
        print(LINE.format(name, "LEE", *map(float, lee)))
        print(LINE.format("", "ours", *rows.mean(axis=0)))
    print("\nutility of the genetic scheduler over that of     LEE   ours (by draw)")
    for name, published in LEE_RATIOS.items():
        ratio = totals["ga"] / totals[name]
        draws = " ".join(f"{value:.3f}" for value in ratio)
        print(f"{name:46}{published:7.2f}{ratio.mean():7.3f} ({draws})")


if __name__ == "__main__":
    main()
