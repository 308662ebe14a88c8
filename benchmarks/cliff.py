"""``python -m benchmarks.cliff [JOBS]``: what a cliff brings, by what is charged.

Busy cells of three logs, jobs in a row; of each so many jobs tell a hundred times their value up to
just before their own run time, and nothing from then on; or only their value, or a tenth of it; or
a tenth without a cliff. All sampled jobs count together. Nobody chooses: the lie is told of every
sampled job, one at a time.
"""

import sys

from benchmarks.lies import pooled
from benchmarks.logs import BLUE, KTH, SP2, log
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched.market.audit import AuditSubject, Design, audit
from utilitysched.market.audit.summary import by_lie
from utilitysched.runs.steps import transforming

CELLS = ((SP2, 35000, 0.90), (BLUE, 70000, 0.90), (KTH, 15000, 0.95))
"""Log, first job and load."""

JOBS = 600
"""Of each cell."""

STEPS = ("rerunnable:share=0.5", "scale-load:load={}")

SCHEDULERS = (
    "value-density",
    "value-density:duration=requested",
    "value-and-delay",
    "cost-of-delay",
    "first-reward",
    "value-and-delay:holes=true,restarts=true",
    "ga:preset=plain,population=8,generations=5",
)

LIES = ("cliff", "cliff:factor=1", "cliff:factor=0.1", "scale:factor=0.1")

MECHANISMS = tuple(
    f"{name}:reading={reading}"
    for name in ("first-price", "second-price")
    for reading in ("end", "scheduler")
)


def main(jobs: int) -> int:
    """Print a table."""
    cells = [cell(name, first, load) for name, first, load in CELLS]
    design = Design(jobs, draws=1, lies=LIES)
    print("gain by a lie, share of value (SU a job, 95%)", flush=True)
    for scheduler in SCHEDULERS:
        subject = AuditSubject(scheduler, MECHANISMS, seed=1)
        found = pooled([audit(each, subject, design) for each in cells])
        worth = found.value.mean()
        print(f"{scheduler}: {len(found.value)} jobs", flush=True)
        for row in by_lie(found):
            interval = f"({row.gain:.2f}, {row.low or 0:.2f} to {row.high or 0:.2f})"
            said = f"  {row.mechanism:<25} {row.lie:<18}{row.gain / worth:10.1%} {interval}"
            print(said, flush=True)
    return 0


def cell(name: str, first: int, load: float) -> Workload:
    """Return so many jobs of a log at a load, with utility functions, half of them re-runnable."""
    step = transforming([text.format(load) for text in STEPS], 1)
    assert step is not None
    return attach_utilities(step(log(name)[first : first + JOBS]).workload, UtilitySpec(), seed=1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
