"""What of KELLARI's tables 6.1 and 6.2 holds whatever the pairs of applications that she keeps.

Covers: loads of known applications, nodes that jobs share, heatmaps that a model completes.

Scenario (M. Kellari, diploma thesis, NTU Athens 2025): 10 loads of 1,000 NAS programs on 420 nodes
of 2 x 10 cores under thirteen schedulers. Of her 496 pairs of programs 27 are public; the others
are drawn 20 times by the model of docs/coscheduling.md. Each line has her figure and the median of
ours over the completions, with the least and the greatest; compact schedulers read no pair. Her
loads are not public either: ours, those of kellari_tables_6.toml, are drawn evenly, all jobs
submitted at once.

Run: python examples/kellari_span.py
"""

from __future__ import annotations

from textwrap import fill

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from swfx import open_workload
from utilitysched import metrics, simulate

JOBS, COMPLETIONS = 1000, range(20)  # of a load
COMPACT = ("sjf", "easy", "conservative", "fcfs", "ljf")
METRICS = (
    *("realised_slowdown_mean", "processor_slowdown_mean", "share_slowed", "utilisation"),
    *("job_speedup_mean", "job_speedup_weighted", "makespan_speedup"),
)
KELLARI = """
sjf           20.6   0.101  0       0.947  1      1      1.028
sjf-co        23.6   0.118  0.1751  0.875  1.062  1.049  0.995
sjf-filler    27.7   0.109  0.2294  0.964  1.074  1.055  1.104
filler        48.1   0.189  0.2970  0.965  1.065  1.040  1.086
pop-filler    63.5   0.265  0.2378  0.971  1.077  1.038  1.093
popularity    64.3   0.308  0.1010  0.932  1.047  1.020  1.029
easy          66.5   0.372  0       0.926  1      1      1.006
easy-co       67.5   0.368  0.2382  0.904  1.097  1.060  1.040
conservative  80.2   0.463  0       0.922  1      1      1
fcfs          82.9   0.480  0       0.899  1      1      0.976
ljf-co        109.6  0.599  0.2362  0.939  1.083  1.042  1.063
laf-co        125.7  0.745  0.2159  0.937  1.072  1.049  1.065
ljf           137.2  0.812  0       0.960  1      1      1.043
"""
CORRELATIONS = {
    ("makespan_speedup", "utilisation"): (0.79, 0.64, 0.79),
    ("makespan_speedup", "realised_slowdown_mean"): (0.02, -0.05, -0.06),
    ("job_speedup_mean", "job_speedup_weighted"): (0.93, 0.80, 0.90),
    ("job_speedup_mean", "share_slowed"): (0.90, 0.65, 0.82),
    ("realised_slowdown_mean", "processor_slowdown_mean"): (0.98, 0.87, 0.97),
}
PUBLISHED = {
    name: dict(zip(METRICS, map(float, figures), strict=True))
    for name, *figures in map(str.split, KELLARI.strip().splitlines())
}


def measured(policy: str, completion: int) -> list[list[float]]:
    """Return the metrics of each load, the makespan's as its speedup over conservative's."""
    text = f"coscheduled:policy={policy}"
    text += "" if policy in COMPACT else f",completion={completion}"
    found = [metrics.summary(load, simulate(load, text)) for load in loads]
    spans = np.array([each["makespan"] for each in found])
    return [
        [*(each[name] for name in METRICS[:-1]), speedup]
        for each, speedup in zip(found, conservative / spans, strict=True)
    ]


everything = open_workload("model:applications,jobs=10000,seed=1").workload
loads = [everything[first : first + JOBS] for first in range(0, len(everything), JOBS)]
conservative = np.array(
    [simulate(load, "coscheduled:policy=conservative").end.max() for load in loads]
)
# by completion, load and metric; those of compact schedulers are the same in every completion
ours = {
    name: np.array([measured(name, seed) for seed in COMPLETIONS[: 1 if name in COMPACT else None]])
    for name in PUBLISHED
}
column = {
    (name, metric): found[:, :, place].mean(axis=1)
    for name, found in ours.items()
    for place, metric in enumerate(METRICS)
}

for metric in METRICS:
    print(f"{metric.replace('_', ' '):28} KELLARI   median    least greatest")
    for name in PUBLISHED:
        values = column[name, metric]
        row = PUBLISHED[name][metric], np.median(values), values.min(), values.max()
        print(f"  {name:26}" + "".join(f"{value:9.3f}" for value in row))
    print()

order = sorted(COMPACT, key=lambda name: column[name, "realised_slowdown_mean"][0])
print("Compact schedulers by mean slowdown, least first:", ", ".join(order))
print("in KELLARI's tables:                             ", ", ".join(COMPACT))
print()

# every two schedulers that her table puts in an order, and ours in the same in every completion
for metric in ("realised_slowdown_mean", "makespan_speedup"):
    held, against, pairs = [], 0, 0
    for one in PUBLISHED:
        for other in PUBLISHED:
            if PUBLISHED[one][metric] < PUBLISHED[other][metric]:
                pairs += 1
                apart = column[other, metric] - column[one, metric]
                held += [f"{one} < {other}"] if (apart > 0).all() else []
                against += bool((apart < 0).all())
    print(
        f"{metric.replace('_', ' ')}: of {pairs} orders of two schedulers, {len(held)} hold in"
        f" every completion, {against} are the other way round in every one; held:"
    )
    print(
        fill(
            ", ".join(held),
            100,
            break_on_hyphens=False,
            initial_indent="  ",
            subsequent_indent="  ",
        )
    )
    print()

runs = np.stack(
    [np.broadcast_to(each, (len(COMPLETIONS), *each.shape[1:])) for each in ours.values()]
)
print("correlations over all schedulers and loads   KELLARI   median    least greatest")
for (one, other), published in CORRELATIONS.items():
    pair = METRICS.index(one), METRICS.index(other)
    for kind, theirs in zip((pearsonr, kendalltau, spearmanr), published, strict=True):
        each = [kind(*(runs[:, k, :, m].ravel() for m in pair))[0] for k in range(len(COMPLETIONS))]
        row = theirs, np.median(each), min(each), max(each)
        label = f"{one} x {other}".replace("_", " ").replace(" mean", "")
        print(f"  {label:41} {kind.__name__:10}" + "".join(f"{value:9.2f}" for value in row))
print()

front = dict.fromkeys(PUBLISHED, 0)
for k in range(len(COMPLETIONS)):
    points = {
        name: (
            -column[name, "realised_slowdown_mean"][k % len(ours[name])],
            column[name, "makespan_speedup"][k % len(ours[name])],
        )
        for name in PUBLISHED
    }
    for name, mine in points.items():
        others = [point for point in points.values() if point != mine]
        front[name] += not any(x >= mine[0] and y >= mine[1] for x, y in others)
print("On the Pareto front of makespan speedup and mean slowdown, in so many of the completions:")
print("  " + ", ".join(f"{name} {count}" for name, count in front.items() if count))
print()

print("sjf-filler's makespan speedup         median    least greatest  1.08 or more in")
for reading in ("", ",nodes=fastest", ",nodes=fastest,depth=100"):
    found = [np.array(measured(f"sjf-filler{reading}", seed)) for seed in COMPLETIONS]
    reached = np.array([each[:, -1].mean() for each in found])
    figures = np.median(reached), reached.min(), reached.max()
    print(
        f"  {f'sjf-filler{reading}':34}"
        + "".join(f"{value:9.4f}" for value in figures)
        + f"{np.mean(reached >= 1.08):8.0%}"
    )
