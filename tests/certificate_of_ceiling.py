"""Check of a ceiling's certificate, with fractions: ``python -m tests.certificate_of_ceiling DIR``.

Needs Python's standard library alone. DIR is what ``utilitysched ceiling --out DIR`` wrote.
"""

import gzip
import json
import sys
from bisect import bisect_right
from fractions import Fraction as Exact
from pathlib import Path


def exact_bound(folder: Path) -> Exact:
    """What the prices of a certificate prove of the workload beside it (SU)."""
    told = json.loads((folder / "ceiling.json").read_text())
    ticks = told["ticks_per_second"]
    time = [Exact(tick, ticks) for tick in told["time"]]
    price = [Exact(count) * Exact(told["unit"]) * ticks for count in told["price"]]
    assert min(price) >= 0 == price[-1]
    rent = [Exact(0)]  # of a processor, from the first time to each
    for i in range(len(time) - 1):
        rent.append(rent[i] + price[i] * (time[i + 1] - time[i]))

    def until(when: Exact) -> Exact:
        i = max(bisect_right(time, when) - 1, 0)
        return rent[i] + price[i] * (when - time[i]) if when > time[0] else Exact(0)

    def profit(line: str) -> Exact:
        swf, _, more = (part.split() for part in line.partition(";"))
        submit, run, limit = Exact(swf[1]), Exact(swf[3]), Exact(swf[8])
        run = min(run, limit) if limit > 0 else run
        size = int(swf[4]) if int(swf[4]) > 0 else int(swf[7])
        points = [Exact(text) for text in more[3 : 3 + 2 * int(more[2])]] if more else []
        ages, values = points[::2], points[1::2]
        last = submit + (ages[-1] if ages else -1)

        def value(age: Exact) -> Exact:
            i = bisect_right(ages, age) - 1
            if i + 1 == len(ages):
                return values[i]
            return values[i] + (values[i + 1] - values[i]) * (age - ages[i]) / (
                ages[i + 1] - ages[i]
            )

        near = time[bisect_right(time, submit) - 1 : bisect_right(time, last)]
        ends = {
            submit + run,
            *(submit + age for age in ages),
            *near,
            *(each + run for each in near),
        }
        reached = [end for end in ends if submit + run <= end <= last]
        gains = (value(end - submit) - size * (until(end) - until(end - run)) for end in reached)
        return max(gains, default=Exact(0))

    lines = gzip.decompress((folder / "workload.swfx.gz").read_bytes()).decode().splitlines()
    profits = (max(Exact(0), profit(line)) for line in lines if line[:1] not in {";", ""})
    return told["machine_size"] * rent[-1] + sum(profits, Exact(0))


if __name__ == "__main__":
    stated = json.loads((Path(sys.argv[1]) / "ceiling.json").read_text())["bound"]
    proven = exact_bound(Path(sys.argv[1]))
    verdict = "holds" if stated >= proven else "is WRONG"
    print(f"stated {stated!r} SU, proven {float(proven)!r} SU: the bound {verdict}")
