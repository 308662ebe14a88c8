"""ELiSE's gains by EASY that shares nodes, on Marconi and on ARIS (JSSPP 2025), beside ours.

Covers: loads of known applications, nodes that jobs share, a heatmap made in Python.

Scenario (ELiSE, JSSPP 2025): 500 jobs of 256 processes that come together, under EASY and under
the same rule on halves of nodes. ARIS has 420 nodes of 2 x 10 cores, and its pairs are measured.
Of Marconi, 100 nodes of 2 x 24 cores, only the mean speed of the pairs of eight programs is public,
1.12: here every pair runs at it, and run times are those of eight programs of ARIS, drawn with each
load. So ours is what the mean speed and the nodes give: 18 jobs share the machine that has room for
16 compact ones, 18 / 16 x 1.12 = 1.26.

Run: python examples/elise_jsspp_2025.py
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from swfx import open_workload
from swfx.heatmap import Heatmap, find_heatmap, write_heatmap
from utilitysched import simulate

LOADS, JOBS, PROCESSES, MEAN_SPEED = range(10), 500, 256, 1.12
RULES = ",backfilling=shadow,known=request"  # of ELiSE
PUBLISHED = {"Marconi": 25.87, "ARIS": 12.6}


def gain(load: int, options: str, cluster: str) -> float:
    """Percent by which the makespan under EASY exceeds that on shared nodes."""
    workload = open_workload(f"model:applications,jobs={JOBS},seed={load},{options}").workload
    compact, shared = (
        simulate(workload, f"coscheduled:policy={policy}{RULES},{cluster}").end.max()
        for policy in ("easy", "easy-co")
    )
    return 100 * (float(compact) / float(shared) - 1)


def even(load: int, path: Path) -> None:
    """Write a heatmap of eight programs whose pairs all run at 1.12."""
    runs = np.random.default_rng(load).choice(aris.compact, 8, replace=False)
    alike = Heatmap.alike([f"program-{number}" for number in range(8)], MEAN_SPEED)
    write_heatmap(replace(alike, processes=np.full(8, PROCESSES), compact=runs), path)


aris = find_heatmap("aris")
equal = ",".join(
    f"{name}:1"
    for name, processes in zip(aris.names, aris.processes, strict=True)
    if processes == PROCESSES
)
gains: dict[str, list[float]] = {
    "ARIS": [gain(load, f"frequency={equal}", "cores=10") for load in LOADS],
    "Marconi": [],
}
with TemporaryDirectory() as folder:
    for load in LOADS:
        path = Path(folder) / f"{load}.tsv"
        even(load, path)
        options = f"heatmap={path},machine_size={100 * 2 * 24}"
        gains["Marconi"].append(gain(load, options, f"heatmap={path},cores=24"))

print("EASY on shared nodes: makespan speedup over EASY (%), ours on ten loads")
print("           ELiSE   mean  least  greatest")
for machine, published in PUBLISHED.items():
    found = gains[machine]
    figures = published, np.mean(found), min(found), max(found)
    print(f"{machine:9}" + "".join(f"{figure:7.2f}" for figure in figures))
