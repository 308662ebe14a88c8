"""What of KELLARI's tables 6.1 and 6.2 holds whatever the pairs of applications that she keeps.

Covers: loads of known applications, nodes that jobs share, heatmaps that a model completes.

Scenario (M. Kellari, diploma thesis, NTU Athens 2025): 10 loads of 1,000 NAS programs on 420 nodes
of 2 x 10 cores under thirteen schedulers. Of her 496 pairs of programs 27 are public; the others
are drawn 20 times by the model of docs/coscheduling.md. Each line has her figure and the median of
ours over the completions, with the least and the greatest; compact schedulers read no pair. Her
loads are not public either: ours are drawn evenly, all jobs submitted at once.

Run: python examples/kellari_span.py
"""

from __future__ import annotations

import numpy as np

from swfx import open_workload
from utilitysched import metrics, simulate

LOADS, COMPLETIONS = range(1, 11), range(20)
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
PUBLISHED = {
    name: dict(zip(METRICS, map(float, figures), strict=True))
    for name, *figures in map(str.split, KELLARI.strip().splitlines())
}


def figures(policy: str, completion: int) -> dict[str, float]:
    """Return the means over the loads; the makespan in place of its speedup."""
    text = f"coscheduled:policy={policy}"
    text += "" if policy in COMPACT else f",completion={completion}"
    found = [metrics.summary(load, simulate(load, text)) for load in loads]
    kept = {name: float(np.mean([each[name] for each in found])) for name in METRICS[:-1]}
    spans = np.array([each["makespan"] for each in found])
    return kept | {"makespan_speedup": float(np.mean(conservative / spans))}


loads = [open_workload(f"model:applications,jobs=1000,seed={seed}").workload for seed in LOADS]
conservative = np.array(
    [simulate(load, "coscheduled:policy=conservative").end.max() for load in loads]
)
ours = {
    name: [figures(name, seed) for seed in COMPLETIONS[: 1 if name in COMPACT else None]]
    for name in PUBLISHED
}
column = {
    (name, metric): np.array([each[metric] for each in found])
    for name, found in ours.items()
    for metric in METRICS
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
    print("  " + ", ".join(held))
    print()

speedup = column["sjf-filler", "makespan_speedup"]
print(
    f"sjf-filler's makespan speedup: 1.08 or more in {np.mean(speedup >= 1.08):.0%} of the"
    f" completions, {np.median(speedup):.3f} in the median one"
)
