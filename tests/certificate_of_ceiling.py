"""Check of a ceiling's certificate, with fractions: ``python -m tests.certificate_of_ceiling DIR``.

Needs Python's standard library alone. DIR is what ``utilitysched ceiling --out DIR`` wrote.
"""

import gzip
import json
import sys
from bisect import bisect_left, bisect_right
from fractions import Fraction as Exact
from itertools import accumulate, pairwise
from pathlib import Path

Line = tuple[list[Exact], list[Exact]]


def read(line: Line, where: Exact) -> Exact:
    """Read a line through points, level before the first and behind the last."""
    xs, ys = line
    i = bisect_right(xs, where)
    if i in {0, len(xs)}:
        return ys[max(i - 1, 0)]
    return ys[i - 1] + (ys[i] - ys[i - 1]) * (where - xs[i - 1]) / (xs[i] - xs[i - 1])


def profit(job: str, rent: Line) -> Exact:
    """Return what a job keeps at the best time if it pays rent; a bend of either line is best."""
    swf, _, more = (part.split() for part in job.partition(";"))
    submit, run, limit = Exact(swf[1]), Exact(swf[3]), Exact(swf[8])
    run = min(run, limit) if limit > 0 else run
    size = int(swf[4]) if int(swf[4]) > 0 else int(swf[7])
    curve = more[3 : 3 + 2 * int(more[2])] if more else []
    points = [Exact(text) for text in curve or ("-1", "0")]
    ages, last = points[::2], submit + points[-2]
    bends = rent[0][bisect_left(rent[0], submit) : bisect_right(rent[0], last)]
    ends = {submit + run, *(submit + age for age in ages), *bends, *(bend + run for bend in bends)}
    kept = (
        read((ages, points[1::2]), end - submit) - size * (read(rent, end) - read(rent, end - run))
        for end in ends
        if submit + run <= end <= last
    )
    return max(kept, default=Exact(0))


def exact_bound(folder: Path) -> Exact:
    """Return what the prices of a certificate prove of the workload beside it (SU)."""
    told = json.loads((folder / "ceiling.json").read_text())
    time = [Exact(tick, told["ticks_per_second"]) for tick in told["time"]]
    price = [count * Exact(told["unit"]) * told["ticks_per_second"] for count in told["price"]]
    assert min(price) >= 0 == price[-1]
    steps = (each * (b - a) for each, (a, b) in zip(price[:-1], pairwise(time), strict=True))
    rent = list(accumulate(steps, initial=Exact(0)))  # of a processor, from the first time to each
    lines = gzip.decompress((folder / "workload.swfx.gz").read_bytes()).decode().splitlines()
    jobs = (line for line in lines if line[:1] not in {";", ""})
    profits = (max(Exact(0), profit(job, (time, rent))) for job in jobs)
    return told["machine_size"] * rent[-1] + sum(profits, Exact(0))


if __name__ == "__main__":
    stated = json.loads((Path(sys.argv[1]) / "ceiling.json").read_text())["bound"]
    proven = exact_bound(Path(sys.argv[1]))
    verdict = "holds" if stated >= proven else "is WRONG"
    print(f"stated {stated!r} SU, proven {float(proven)!r} SU: the bound {verdict}")
