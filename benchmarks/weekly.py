"""Orderings week by week: LEGRAND's tables 3 to 5, over what the source leaves open."""

import time
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
from scipy.stats import kendalltau

from benchmarks.logs import BLUE, KTH, SP2, log, short
from benchmarks.row import Row
from swfx import Workload
from swfx.families.splitting import read_length
from utilitysched import make_scheduler, simulate
from utilitysched.learning.mixed import PURE, mixed_costs, pure_policies
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats

THRESHOLDS = {"none": "", "2.31 d": ",threshold=200000", "20 h": ",threshold=72000"}

PUBLISHED = {
    SP2: {
        "saf": (1461.39, 1585.53, 2395.29),
        "spf": (1467.70, 1689.55, 2447.58),
        "lcfs": (1739.24, 1940.71, 2471.02),
        "lexp": (1936.93, 1955.04, 2496.97),
        "sqf": (1988.62, 2082.25, 2579.47),
        "srf": (2426.40, 2475.90, 2818.35),
        "sexp": (2519.32, 2484.96, 2864.63),
        "lrf": (2726.74, 2517.65, 2875.95),
        "fcfs": (2864.63, 2864.63, 2879.22),
        "lpf": (3277.66, 3020.96, 3064.14),
        "lqf": (4188.31, 4159.97, 3346.24),
        "laf": (5322.73, 4811.85, 3525.13),
    },
    BLUE: {
        "saf": (302.73, 311.83, 344.51),
        "spf": (329.95, 328.88, 350.36),
        "lexp": (384.27, 383.99, 396.27),
        "lcfs": (388.40, 392.03, 407.91),
        "sqf": (395.27, 401.76, 416.65),
        "srf": (409.12, 418.78, 431.64),
        "sexp": (468.82, 473.94, 465.08),
        "fcfs": (487.37, 487.37, 487.37),
        "lqf": (494.14, 493.77, 508.77),
        "lrf": (522.95, 526.12, 514.99),
        "lpf": (566.17, 554.11, 563.42),
        "laf": (582.87, 578.66, 563.43),
    },
    KTH: {
        "saf": (501.16, 507.76, 632.93),
        "spf": (554.63, 571.57, 638.55),
        "fcfs": (850.16, 850.16, 850.16),
        "laf": (1076.52, 1026.10, 976.46),
    },
}
"""Sums of weekly mean bounded slowdowns by threshold: RR-9212, tables 3 to 5."""

WEEKS = 100
"""Of a log, the first ones."""

ORIGINS = (0, 3)
"""Days after the first submission at which weeks begin."""

FILTERS = (
    ("log", "start"),
    ("easy", "start"),
    ("log", "submission"),
    ("easy", "submission"),
    ("none", ""),
)
"""Whose waits say which jobs cross the end of a week, and what lies in another than their end."""


def measure() -> Iterator[Row]:
    """Yield the time of a table, and sums and rank correlations beside the published ones."""
    for name, published in PUBLISHED.items():
        workload = log(name)
        begun = time.process_time()
        _sums(_inside(workload, "log", "start", 0))
        taken = time.process_time() - begun
        note = f"{WEEKS} weeks at most, {len(PURE)} orderings, 3 thresholds, reading left out"
        yield Row(f"table of {short(name)}", taken, "CPU s", 20.0, note=note)
        choices = [
            (" since ".join(filter(None, chosen)), _sums(_inside(workload, *chosen, days)))
            for days, chosen in product(ORIGINS, FILTERS)
        ]
        yield from _compared(short(name), published, choices)


def _compared(
    name: str, published: Mapping[str, tuple[float, ...]], choices: list[tuple[str, Floats]]
) -> Iterator[Row]:
    places = [PURE.index(each) for each in published]
    theirs = np.array(list(published.values())).T
    sums = np.array([found[:, places] for _, found in choices])
    for t, threshold in enumerate(THRESHOLDS):
        for k, ordering in enumerate(published):
            ours = sums[:, t, k]
            span = f"{ours.min():,.0f} to {ours.max():,.0f}"
            note = f"{theirs[t, k]:,.0f} published; {span} over {len(sums)} choices"
            yield Row(f"{ordering}, {threshold}, {name}", float(ours[0]), "", note=note)
        for (what, _), row in zip(choices[: len(FILTERS)], sums[:, t], strict=False):
            tau = float(kendalltau(row, theirs[t]).statistic)
            ratio = row / theirs[t]
            note = f"sums {ratio.min():.2f} to {ratio.max():.2f} times the published ones"
            yield Row(f"tau, {threshold}, {name}, {what}", tau, "", 0.9, "at least", note)


def _inside(workload: Workload, who: str, since: str, days: int) -> list[Arrivals]:
    """Return the jobs of each week, those left out that cross its end."""
    first = workload.submit.min() + days * 86_400.0
    wait = simulate(workload, "easy").wait(workload) if who == "easy" else workload.wait
    start = workload.submit + np.maximum(wait, 0.0)
    end = start + np.maximum(workload.run, 0.0)
    since_when = {"start": start, "submission": workload.submit}.get(since, end)
    length = read_length("weeks")
    week = (workload.submit - first) // length
    kept = (week >= 0) & ((since_when - first) // length == (end - first) // length)
    weeks = (workload[np.flatnonzero(kept & (week == number))] for number in np.unique(week))
    return [Arrivals.of(jobs) for jobs in weeks if len(jobs)][:WEEKS]


def _sums(weeks: list[Arrivals]) -> Floats:
    """Return sums over weeks by threshold and ordering, (3, 12)."""
    found = []
    for text in THRESHOLDS.values():
        plain = make_scheduler(f"mixed:backfill=spf{text}").compiled
        costs = [mixed_costs(week, plain, pure_policies(), "slowdown") for week in weeks]
        found.append(np.sum(costs, axis=0))
    return np.array(found)
